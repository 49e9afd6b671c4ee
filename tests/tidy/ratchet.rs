//! `ratchet.txt`: what the rules found when they were introduced, and what is left of it.
//!
//! Each line is a rule, a place and a number. A number is exact: one that is too low is a new
//! offence, one that is too high has to be lowered, so that it can't grow again unseen. With
//! `PURSER_TIDY=update` the test writes the list anew, if no rule's sum grows by that.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::rules::Finding;

/// Numbers by rule and place.
pub(crate) type Numbers = BTreeMap<(String, String), usize>;

pub(crate) fn parse(list: &str) -> Numbers {
    let mut numbers = Numbers::new();
    for line in list.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [rule, place, number] = words[..] else {
            panic!("not a rule, a place, a number: {line}")
        };
        let number = number.parse().unwrap();
        let before = numbers.insert((rule.to_owned(), place.to_owned()), number);
        assert!(before.is_none(), "twice in the list: {line}");
    }
    numbers
}

pub(crate) fn render(numbers: &Numbers) -> String {
    let mut list = String::from(
        "# What is left of what the rules found. Numbers only go down; see tests/tidy/ratchet.rs.\n",
    );
    for ((rule, place), number) in numbers {
        writeln!(list, "{rule} {place} {number}").unwrap();
    }
    list
}

pub(crate) fn count(findings: &[Finding]) -> Numbers {
    let mut numbers = Numbers::new();
    for finding in findings {
        let key = (finding.rule.to_owned(), finding.place.clone());
        *numbers.entry(key).or_default() += finding.number;
    }
    numbers
}

/// The sum of each rule.
pub(crate) fn sums(numbers: &Numbers) -> BTreeMap<&str, usize> {
    let mut sums = BTreeMap::new();
    for ((rule, _), number) in numbers {
        *sums.entry(rule.as_str()).or_default() += number;
    }
    sums
}

/// What is to be done, one sentence for each place that differs.
pub(crate) fn differences(allowed: &Numbers, findings: &[Finding]) -> Vec<String> {
    let found = count(findings);
    let mut sentences = Vec::new();
    for (key, number) in &found {
        let may = allowed.get(key).copied().unwrap_or_default();
        if *number <= may {
            continue;
        }
        let (rule, place) = key;
        let mut sentence = format!("{rule} {place}: {number}, allowed are {may}");
        for finding in findings.iter().filter(|one| one.rule == rule && one.place == *place) {
            write!(sentence, "\n    line {}: {}", finding.line, finding.text).unwrap();
        }
        sentences.push(sentence);
    }
    for (key, may) in allowed {
        let number = found.get(key).copied().unwrap_or_default();
        if number < *may {
            let (rule, place) = key;
            sentences.push(format!("{rule} {place}: only {number} are left of {may}, lower it"));
        }
    }
    sentences
}
