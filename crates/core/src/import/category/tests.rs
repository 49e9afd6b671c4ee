use proptest::prelude::*;
use uuid::Uuid;

use super::plan::CategoryPlanner;
use super::set::CategorySurvey;
use super::*;
use crate::import::cells::CellsBuf;
use crate::import::kind::RowSet;
use crate::import::kinds::Kind;
use crate::import::row_edit::RowChoice;
use crate::import::settings::Separator;
use crate::import::verdict::Verdict;
use crate::import::whole::{CategoryRecord, FamilyRecords, NameTargets, Step, WholePlan};
use crate::plan::{Creation, RecordChange, Slot, Target};

fn preface(header: &str) -> Preface {
    Preface::below(header, Separator::Comma)
}

fn layout(header: &str) -> Layout {
    Kind::Category.layout(preface(header), &Settings::default()).unwrap()
}

fn id(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

fn record(number: u128, name: &str, parent: Option<u128>, color: Option<&str>) -> CategoryRecord {
    CategoryRecord {
        id: id(number),
        name: name.to_owned(),
        parent: parent.map(id),
        color: color.map(str::to_owned),
        icon: None,
    }
}

/// Parents that a person has chosen, by name.
struct MappingChoice(Vec<(&'static str, Target)>);

/// What parents are mapped to: what was chosen, else a category of the first level.
struct Names<'a>(&'a MappingChoice, &'a [CategoryRecord]);

impl NameTargets for Names<'_> {
    fn target(&self, kind: MappingKind, name: &str) -> Option<Target> {
        assert_eq!(kind, MappingKind::Parent);
        let chosen = self.0.0.iter().find(|(known, _)| *known == name);
        let is_named =
            |one: &&CategoryRecord| one.parent.is_none() && name_key(&one.name) == name_key(name);
        let named = || self.1.iter().find(is_named).map(|one| Target::Existing(one.id));
        chosen.map(|(_, target)| *target).or_else(named)
    }

    fn problem(&self, _kind: MappingKind, name: &str) -> Option<String> {
        Some(format!("choose {name}"))
    }
}

/// The header and the rows of a file, read and judged together.
struct File {
    layout: Layout,
    lines: Vec<CellsBuf>,
}

impl File {
    fn new(text: &str) -> Self {
        let (header, rows) = text.split_once('\n').unwrap_or((text, ""));
        let lines = rows.lines().map(|line| line.split(',').collect()).collect();
        Self { layout: layout(header), lines }
    }

    fn each(&self, mut each: impl FnMut(u64, u64, Interpreted<Row<'_>>)) {
        let interpreter = Interpreter::new(&self.layout).unwrap();
        for (number, cells) in (1..).zip(&self.lines) {
            each(number, number + 1, interpreter.interpret(cells.as_cells()));
        }
    }

    fn set(&self) -> RowSet {
        let mut survey: Box<CategorySurvey> = Box::default();
        self.each(|number, line, outcome| {
            if let Interpreted::Row(row) = outcome {
                survey.row(number, line, &row);
            }
        });
        survey.finish().unwrap()
    }

    fn plan(&self, categories: &[CategoryRecord], chosen: &MappingChoice) -> WholePlan {
        self.plan_with(categories, chosen, |_| RowChoice::Plan)
    }

    fn plan_with(
        &self,
        categories: &[CategoryRecord],
        chosen: &MappingChoice,
        choice: impl Fn(u64) -> RowChoice,
    ) -> WholePlan {
        let set = self.set();
        let mut planner: Box<CategoryPlanner> = Box::default();
        self.each(|number, line, outcome| {
            let row = match outcome {
                Interpreted::Row(row) if !set.reasons.contains_key(&number) => Some(row),
                _ => None,
            };
            planner.row(number, line, row.as_ref(), choice(number));
        });
        let view = FamilyRecords { categories: categories.to_vec(), ..FamilyRecords::default() };
        planner.finish(&view, &Names(chosen, categories), &[])
    }
}

fn verdicts(plan: &WholePlan) -> Vec<&'static str> {
    plan.rows.iter().map(|row| row.verdict.as_str()).collect()
}

fn planned(text: &str, categories: &[CategoryRecord]) -> WholePlan {
    File::new(text).plan(categories, &MappingChoice(Vec::new()))
}

/// The family after a publish of the plan.
fn published(categories: &[CategoryRecord], plan: &WholePlan) -> Vec<CategoryRecord> {
    let mut after = categories.to_vec();
    let created = |slot: Slot| id(1_000 + u128::from(slot.0));
    let target = |target: Target| match target {
        Target::Existing(id) => id,
        Target::Created(slot) => created(slot),
    };
    for row in &plan.rows {
        match &row.step {
            Some(Step::Create(slot)) => {
                let creation = &plan.creations[slot.0 as usize];
                let Creation::Category { name, parent, color, icon, .. } = creation else {
                    panic!("{creation:?}")
                };
                after.push(CategoryRecord {
                    id: created(*slot),
                    name: name.clone(),
                    parent: parent.map(target),
                    color: color.clone(),
                    icon: icon.clone(),
                });
            }
            Some(Step::Change(RecordChange::ReviseCategory(change))) => {
                let one = after.iter_mut().find(|one| one.id == change.id).unwrap();
                one.parent = change.parent.map_or(one.parent, |parent| parent.map(target));
                one.color = change.color.clone().unwrap_or(one.color.clone());
                one.icon = change.icon.clone().unwrap_or(one.icon.clone());
            }
            Some(other) => panic!("{other:?}"),
            None => {}
        }
    }
    after
}

#[test]
fn headers_are_known_by_many_names() {
    for (header, fields) in [
        ("name,color,parent_category,lucide_icon", [Some(0), Some(2), Some(1), Some(3)]),
        (
            "name*,color,parent category,lucide icon,classification",
            [Some(0), Some(2), Some(1), Some(3)],
        ),
        ("Icon,Colour,Parent,Name", [Some(3), Some(2), Some(1), Some(0)]),
        ("Kategorie,Oberkategorie,Farbe", [Some(0), Some(1), Some(2), None]),
        ("Category,Parent", [Some(0), Some(1), None, None]),
        ("category,name", [Some(1), None, None, None]),
    ] {
        let layout = layout(header);
        let found = ["name", "parent", "color", "icon"].map(|f| layout.fields.get(f).copied());
        assert_eq!(found, fields, "{header}");
        assert!(layout.is_readable(), "{header}: {:?}", layout.problems);
    }
    let layout = layout("color,icon");
    let problem = "No column holds the name; headers found: \"color\", \"icon\"";
    assert_eq!(layout.problems[0].to_string(), problem);
    let configuration = super::tests::layout("Label,Name").configuration();
    assert_eq!(configuration.name_col_label.as_deref(), Some("Name"));
    assert_eq!(configuration.signage_convention, None);
}

#[test]
fn labels_that_are_sent_must_be_there() {
    let sent = |pairs: &[(&str, &str)]| {
        let field = |name: &str| {
            pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        };
        Settings::from_fields(field).unwrap()
    };
    let settings = sent(&[("name_col_label", "What"), ("color_col_label", "how")]);
    let layout = Kind::Category.layout(preface("How,What,Name"), &settings).unwrap();
    assert_eq!((layout.fields["name"], layout.fields["color"]), (1, 0));
    let settings = sent(&[("parent_col_label", "Above")]);
    let refused = Kind::Category.layout(preface("Name,Group"), &settings).unwrap_err();
    let problem = "The parent_col_label \"Above\" is not in the header; headers found: \
                   \"Name\", \"Group\"";
    assert_eq!(refused[0].to_string(), problem);
}

#[test]
fn rows_are_read_or_refused_with_their_reasons() {
    let file = File::new("name,color,parent,icon");
    let interpreter = Interpreter::new(&file.layout).unwrap();
    let read = |line: &str| {
        let cells: CellsBuf = line.split(',').collect();
        match interpreter.interpret(cells.as_cells()) {
            Interpreted::Row(Row { name, parent, is_path, color, icon }) => Ok(format!(
                "{name}|{}|{is_path}|{}|{}",
                parent.unwrap_or_default(),
                color.unwrap_or_default(),
                icon.unwrap_or_default()
            )),
            Interpreted::Invalid(reasons) => Err(reasons),
            Interpreted::NotARow => panic!("{line}"),
        }
    };
    for (line, row) in [
        ("Food", "Food||false||"),
        (" Food , #AABBCC ,, utensils ", "Food||false|#AABBCC|utensils"),
        ("Groceries,,Food", "Groceries|Food|false||"),
        ("Food: Groceries", "Groceries|Food|true||"),
        ("Food：Groceries,,food", "Groceries|Food|true||"),
        ("Food:Food", "Food|Food|true||"),
    ] {
        assert_eq!(read(line).as_deref(), Ok(row), "{line}");
    }
    for (line, reason) in [
        (",#aabbcc", "name is blank"),
        ("Food,blue", "color must be written #rrggbb"),
        ("Food,#12345", "color must be written #rrggbb"),
        ("Food,,food", "parent is the category itself"),
        ("A:B:C", "name has more than two levels, or a colon without a name"),
        (":Food", "name has more than two levels, or a colon without a name"),
        ("C,,A:B", "parent names a category of the second level: there are only two"),
        ("A:C,,B", "parent is not \"A\", as the name has it"),
        ("Food,,,,more", "the record has 5 cells, the header only 4"),
    ] {
        assert_eq!(read(line), Err(vec![reason.to_owned()]), "{line}");
    }
    assert_eq!(read(",blue").unwrap_err().len(), 2);
}

#[test]
fn rows_are_judged_together() {
    for (text, expected) in [
        ("name,parent\nB,A\nA,", &[][..]),
        (
            "name,parent\nA,B\nB,A",
            &[(1, "its parent \"B\" is below it"), (2, "its parent \"A\" is below it")],
        ),
        (
            "name,parent\nC,B\nB,A\nA,",
            &[(1, "its parent \"B\" is itself below \"a\": there are only two levels")],
        ),
        (
            "name,color\nA,#111111\na,#222222\nA,",
            &[
                (1, "Line 3 has the same category with another color"),
                (2, "Line 2 has the same category with another color"),
            ],
        ),
        ("name,color\nA,#aaaaaa\nA,#AAAAAA", &[]),
        ("name,parent,icon\nX,,\nX,F,one\nX,G,two\nF,\nG,", &[]),
        (
            "name,parent,icon\nA,,x\nA,,y\nB,A,",
            &[
                (1, "Line 3 has the same category with another icon"),
                (2, "Line 2 has the same category with another icon"),
                (3, "its parent can't be imported, see line 2"),
            ],
        ),
    ] {
        let found: Vec<(u64, String)> = File::new(text)
            .set()
            .reasons
            .into_iter()
            .map(|(row, reasons)| (row, reasons.join("; ")))
            .collect();
        let expected: Vec<(u64, String)> =
            expected.iter().map(|(row, reason)| (*row, (*reason).to_owned())).collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn hierarchies_come_in_any_order() {
    let plan = planned("name,parent,color\nGroceries,Food,\nFood,,#112233\nfood: Bars,,", &[]);
    assert_eq!(verdicts(&plan), ["create"; 3]);
    let after = published(&[], &plan);
    let food = after.iter().find(|one| one.name == "Food").unwrap();
    assert_eq!(food.color.as_deref(), Some("#112233"));
    let below: Vec<&str> = after
        .iter()
        .filter(|one| one.parent == Some(food.id))
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(below, ["Groceries", "Bars"]);
}

#[test]
fn omission_changes_nothing() {
    let family = [
        record(1, "Food", None, Some("#111111")),
        record(2, "Groceries", Some(1), Some("#222222")),
    ];
    for text in [
        "name\nGroceries\nfood",
        "name,parent,color,icon\nGroceries,,,\nFOOD,,,",
        "name,color\nFood: Groceries,#222222",
    ] {
        let plan = planned(text, &family);
        assert!(plan.creations.is_empty(), "{text}");
        assert!(plan.rows.iter().all(|row| row.verdict == Verdict::MatchedByName), "{text}");
    }
}

#[test]
fn what_changes_is_named() {
    let family = [
        record(1, "Food", None, Some("#111111")),
        record(2, "Groceries", None, None),
        record(3, "Home", None, None),
    ];
    let plan =
        planned("name,parent,color,icon\ngroceries,Food,#AB12cd,basket\nFood,,#222222,", &family);
    assert_eq!(verdicts(&plan), ["change", "change"]);
    let reasons: Vec<&str> = plan.rows.iter().filter_map(|row| row.reason.as_deref()).collect();
    assert_eq!(
        reasons,
        [
            "The category \"Groceries\" changes: parent: none → Food, color: none → #ab12cd, \
             icon: none → basket",
            "The category \"Food\" changes: color: #111111 → #222222",
        ]
    );
    let after = published(&family, &plan);
    assert_eq!(after[1].parent, Some(id(1)));
}

#[test]
fn one_of_the_same_name_is_moved_and_a_path_never() {
    let family = [
        record(1, "Fun", None, None),
        record(2, "Other", Some(1), None),
        record(3, "Income", None, None),
    ];
    let plan = planned("name,parent\nOther,Income", &family);
    assert_eq!((verdicts(&plan), plan.rows[0].record), (vec!["change"], Some(id(2))));
    let plan = planned("name\nIncome: Other", &family);
    assert_eq!(verdicts(&plan), ["create"]);
    let plan = planned("name,parent\nOther,Income\nOther,Fun", &family);
    assert_eq!(verdicts(&plan), ["create", "matched_by_name"]);
    let file = File::new("name,parent\nOther,Income");
    let plan = file.plan_with(&family, &MappingChoice(Vec::new()), |_| RowChoice::Create);
    assert_eq!(verdicts(&plan), ["create"]);
    // What others are below is of the first level, whatever else is called so.
    let plan = planned("name,parent\nOther,\nSmall,Other", &family);
    assert_eq!(verdicts(&plan), ["create", "create"]);
}

#[test]
fn a_person_decides_where_the_family_contradicts() {
    let family = [record(1, "Food", None, None), record(2, "Bars", Some(1), None)];
    let plan = planned("name,parent\nFood,Home\nHome,", &family);
    assert_eq!(verdicts(&plan), ["needs_choice", "create"]);
    assert_eq!(
        plan.rows[0].reason.as_deref(),
        Some("\"Food\" has categories below it, so it can't be put below another one")
    );
    let plan = planned("name,parent\nFuel,Car", &family);
    assert_eq!(
        (verdicts(&plan), plan.rows[0].reason.as_deref()),
        (vec!["needs_choice"], Some("choose Car"))
    );
    let file = File::new("name,parent\nFuel,Car");
    let plan = file.plan(&family, &MappingChoice(vec![("Car", Target::Existing(id(1)))]));
    assert_eq!(verdicts(&plan), ["create"]);
    let plan = file.plan_with(&family, &MappingChoice(Vec::new()), |_| RowChoice::LeaveOut);
    assert_eq!(verdicts(&plan), ["left_out"]);
    let file = File::new("name\nFood");
    let plan = file.plan_with(&family, &MappingChoice(Vec::new()), |_| RowChoice::Create);
    assert_eq!(verdicts(&plan), ["needs_choice"]);
}

#[test]
fn repeated_rows_are_one() {
    let plan = planned("name,color,icon\nFood,,fork\nfood,#aabbcc,\nFood,,fork", &[]);
    assert_eq!(verdicts(&plan), ["create", "repeats", "repeats"]);
    let after = published(&[], &plan);
    assert_eq!(after.len(), 1);
    assert_eq!(
        (after[0].color.as_deref(), after[0].icon.as_deref()),
        (Some("#aabbcc"), Some("fork"))
    );
}

fn names() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["A", "B", "C", "a", "D", "E"])
}

proptest! {
    /// Whatever the family and the file: two levels at most, places are unique, what is blank
    /// changes nothing, and the same file once more changes nothing at all.
    #[test]
    fn twice_is_once_and_there_are_two_levels(
        own in prop::collection::vec((names(), prop::option::of(0usize..4)), 0..6),
        rows in prop::collection::vec((names(), prop::option::of(names()), 0u8..3), 1..10),
    ) {
        let mut family: Vec<CategoryRecord> = Vec::new();
        for (number, (name, parent)) in (1u128..).zip(own) {
            let parent = parent.and_then(|at| family.get(at)).filter(|one| one.parent.is_none());
            let parent = parent.map(|one| one.id);
            let key = name_key(name);
            if !family.iter().any(|one| one.parent == parent && name_key(&one.name) == key) {
                let mut one = record(number, name, None, None);
                one.parent = parent;
                family.push(one);
            }
        }
        let mut text = String::from("name,parent,color");
        for (name, parent, color) in &rows {
            let color = ["", "#111111", "#222222"][usize::from(*color)];
            text.push_str(&format!("\n{name},{},{color}", parent.unwrap_or_default()));
        }
        let file = File::new(&text);
        let plan = file.plan(&family, &MappingChoice(Vec::new()));
        let after = published(&family, &plan);
        for one in &after {
            let above = one.parent.map(|id| after.iter().find(|other| other.id == id).unwrap());
            prop_assert!(above.is_none_or(|above| above.parent.is_none()), "{text}\n{after:?}");
            let same = after.iter().filter(|other| {
                other.parent == one.parent && name_key(&other.name) == name_key(&one.name)
            });
            prop_assert_eq!(same.count(), 1, "{}\n{:?}", text, after);
        }
        for (was, is) in family.iter().zip(&after) {
            prop_assert!(was.parent.is_none() || is.parent.is_some(), "{text}");
        }
        let again = file.plan(&after, &MappingChoice(Vec::new()));
        if plan.rows.iter().all(|row| row.verdict != Verdict::NeedsChoice) {
            prop_assert!(again.rows.iter().all(|row| row.step.is_none()), "{text}\n{again:?}");
        }
    }
}
