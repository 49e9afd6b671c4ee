//! Making a failing history shorter.

use super::History;

/// How often a history is lived through again to make it shorter.
const TRIES_MAX: usize = 80;

/// The shortest history that was found to fail, with what was wrong. Stretches of steps are left
/// out, long ones first, and what the banks always do; what doesn't fail then stays.
pub fn shrunk(
    history: History,
    problem: String,
    mut fails: impl FnMut(&History) -> Option<String>,
) -> (History, String) {
    let (mut shortest, mut problem) = (history, problem);
    let mut tries = 0;
    let mut try_it = |candidate: History, shortest: &mut History| {
        tries += 1;
        let failed = if tries > TRIES_MAX { None } else { fails(&candidate) };
        if let Some(found) = failed {
            *shortest = candidate;
            problem = found;
            return true;
        }
        false
    };
    let mut length = shortest.steps.len().div_ceil(2);
    while length > 0 {
        let mut at = 0;
        while at < shortest.steps.len() {
            let mut candidate = shortest.clone();
            let end = (at + length).min(candidate.steps.len());
            candidate.steps.drain(at..end);
            if !try_it(candidate, &mut shortest) {
                at += length;
            }
        }
        length /= 2;
    }
    for quirk in shortest.nature.clone() {
        let mut candidate = shortest.clone();
        candidate.nature.retain(|one| *one != quirk);
        try_it(candidate, &mut shortest);
    }
    for account in shortest.accounts.clone() {
        let mut candidate = shortest.clone();
        candidate.accounts.retain(|one| *one != account);
        if !candidate.accounts.is_empty() {
            try_it(candidate, &mut shortest);
        }
    }
    (shortest, problem)
}

#[cfg(test)]
mod tests {
    use super::super::Step;
    use super::*;

    #[test]
    fn what_does_not_matter_is_left_out() {
        let history = (0..).map(History::of).find(|one| {
            one.steps.len() > 15
                && one.nature.len() == 2
                && one.accounts.len() == 2
                && one.steps.contains(&Step::Undo)
        });
        let history = history.expect("there are such histories");
        let fails = |one: &History| {
            let undo = one.steps.iter().position(|step| *step == Step::Undo)?;
            let sync = one.steps.iter().rposition(|step| *step == Step::Sync)?;
            (undo < sync).then(|| "wrong".to_owned())
        };
        let mut longer = history;
        longer.steps.push(Step::Sync);
        let (short, problem) = shrunk(longer, "wrong".to_owned(), fails);
        assert_eq!(short.steps, [Step::Undo, Step::Sync]);
        assert_eq!((short.nature.len(), short.accounts.len(), &*problem), (0, 1, "wrong"));
    }
}
