use proptest::prelude::*;
use uuid::Uuid;

use crate::import::kinds::Kind;
use crate::import::row_edit::RowChoice;
use crate::import::whole::testing::{File, NoNames, id, layout, reasons, verdicts};
use crate::import::whole::{FamilyRecords, MerchantRecord, Step, WholePlan};
use crate::plan::{Creation, RecordChange};
use crate::text::label::name_key;

fn merchant(
    number: u128,
    name: &str,
    color: Option<&str>,
    website: Option<&str>,
) -> MerchantRecord {
    MerchantRecord {
        id: id(number),
        name: name.to_owned(),
        color: color.map(str::to_owned),
        website: website.map(str::to_owned),
    }
}

fn family(merchants: &[MerchantRecord]) -> FamilyRecords {
    FamilyRecords { merchants: merchants.to_vec(), ..FamilyRecords::default() }
}

fn file(text: &str) -> File {
    File::new(Kind::Merchant, text)
}

/// The merchants after the plan was published.
fn published(merchants: &[MerchantRecord], plan: &WholePlan) -> Vec<MerchantRecord> {
    let mut after = merchants.to_vec();
    for row in &plan.rows {
        match &row.step {
            Some(Step::Create(slot)) => {
                let Creation::Merchant { name, color, website } = &plan.creations[slot.0 as usize]
                else {
                    panic!("{plan:?}")
                };
                let id = Uuid::from_u128(1_000 + u128::from(slot.0));
                let (name, color, website) = (name.clone(), color.clone(), website.clone());
                after.push(MerchantRecord { id, name, color, website });
            }
            Some(Step::Change(RecordChange::ReviseMerchant { id, name, color, website })) => {
                let one = after.iter_mut().find(|one| one.id == *id).unwrap();
                assert_eq!(*name, None, "a file renames nothing");
                one.color = color.clone().unwrap_or_else(|| one.color.clone());
                one.website = website.clone().unwrap_or_else(|| one.website.clone());
            }
            None => {}
            other => panic!("{other:?}"),
        }
    }
    after
}

#[test]
fn columns_have_many_names() {
    for (header, expected) in [
        ("name*|color|website_url", [Some(0), Some(1), Some(2)]),
        ("Website|Merchant|Colour", [Some(1), Some(2), Some(0)]),
        ("Händler|Farbe|Webseite", [Some(0), Some(1), Some(2)]),
        ("Nom|Site web", [Some(0), None, Some(1)]),
        ("id|Name|website url|website", [Some(1), None, Some(2)]),
    ] {
        let layout = layout(Kind::Merchant, header);
        let found = ["name", "color", "website"].map(|field| layout.fields.get(field).copied());
        assert_eq!((found, layout.is_readable()), (expected, true), "{header}");
    }
    let nameless = layout(Kind::Merchant, "color|website");
    assert_eq!(
        nameless.problems[0].to_string(),
        "No column holds the name; headers found: \"color\", \"website\""
    );
}

#[test]
fn what_is_wrong_has_its_line() {
    let file = file(
        "name|color|website\n|#111111|\nA|blue|\nB||no website\nC|#111111|\nc|#222222|\n\
         D||d.example\nD||other.example|\nE||javascript:alert(1)|\nF|||x",
    );
    let website = "website must be a domain, or an address that starts with http:// or https://, \
                   of at most 200 characters";
    let expected = [
        (2, "name is blank"),
        (3, "color must be written #rrggbb"),
        (4, website),
        (5, "Line 6 has the same merchant with another color"),
        (6, "Line 5 has the same merchant with another color"),
        (7, "Line 8 has the same merchant with another website"),
        (8, "Line 7 has the same merchant with another website"),
        (9, website),
        (10, "the record has 4 cells, the header only 3"),
    ];
    let expected: Vec<(u64, String)> =
        expected.iter().map(|(line, why)| (*line, (*why).to_owned())).collect();
    assert_eq!(file.reasons(), expected);
}

#[test]
fn a_name_is_one_merchant_and_a_blank_cell_changes_nothing() {
    let known = [
        merchant(1, "Cafe", Some("#AABBCC"), None),
        merchant(2, "Shop", None, Some("shop.example")),
    ];
    let plan = file("name|color|website\n CAFE|#aabbcc|\nshop||\nShop|#111111|\nNew||new.example")
        .plan(&family(&known));
    assert_eq!(verdicts(&plan), ["matched_by_name", "change", "repeats", "create"]);
    assert_eq!(
        reasons(&plan),
        [
            "It is the merchant \"Cafe\"",
            "The merchant \"Shop\" changes: color: none → #111111",
            "Line 3 has the same merchant",
            "",
        ]
    );
    let after = published(&known, &plan);
    assert_eq!(after[0], known[0]);
    assert_eq!(after[1], merchant(2, "Shop", Some("#111111"), Some("shop.example")));
    assert_eq!((after[2].name.as_str(), after[2].website.as_deref()), ("New", Some("new.example")));
}

#[test]
fn a_second_one_of_a_name_is_never_made() {
    let known = [merchant(1, "Cafe", None, None)];
    let plan = file("name\ncafe").plan_with(&family(&known), &NoNames, |_| RowChoice::Create);
    assert_eq!(verdicts(&plan), ["needs_choice"]);
    assert_eq!(reasons(&plan), ["There is already a merchant \"Cafe\""]);
    let plan = file("name\ncafe").plan_with(&family(&known), &NoNames, |_| RowChoice::LeaveOut);
    assert_eq!(verdicts(&plan), ["left_out"]);
}

fn names() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["A", "a", "B", "Café", "CAFE\u{301}", "C"])
}

proptest! {
    /// Whatever the family and the file: a name is there once, nothing that is there goes, and the
    /// same file once more changes nothing.
    #[test]
    fn twice_is_once(
        own in prop::collection::vec((names(), prop::option::of("#[0-9a-fA-F]{6}")), 0..5),
        rows in prop::collection::vec((names(), 0u8..3, 0u8..3), 1..8),
    ) {
        let mut known: Vec<MerchantRecord> = Vec::new();
        for (number, (name, color)) in (1u128..).zip(&own) {
            if !known.iter().any(|one| name_key(&one.name) == name_key(name)) {
                known.push(merchant(number, name, color.as_deref(), None));
            }
        }
        let mut text = String::from("name|color|website");
        for (name, color, website) in &rows {
            let color = ["", "#111111", "#AAAAAA"][usize::from(*color)];
            let website = ["", "a.example", "b.example"][usize::from(*website)];
            text.push_str(&format!("\n{name}|{color}|{website}"));
        }
        let file = file(&text);
        let after = published(&known, &file.plan(&family(&known)));
        for one in &after {
            let same = after.iter().filter(|other| name_key(&other.name) == name_key(&one.name));
            prop_assert_eq!(same.count(), 1, "{}", text);
        }
        for (was, is) in known.iter().zip(&after) {
            prop_assert_eq!((was.id, &was.name), (is.id, &is.name));
            prop_assert!(was.color.is_none() || is.color.is_some(), "{}", text);
        }
        let again = file.plan(&family(&after));
        prop_assert!(again.rows.iter().all(|row| row.step.is_none()), "{text}\n{again:?}");
    }
}
