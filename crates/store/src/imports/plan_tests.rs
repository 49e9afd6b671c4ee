use super::*;

fn entry(number: u128) -> Option<Uuid> {
    Some(Uuid::from_u128(number))
}

#[test]
fn a_plan_keeps_the_last_verdict_of_every_row() {
    let mut plan = Plan::new(7);
    let rows = BLOCK_ROWS * 2 + 3;
    for _ in 0..rows {
        plan.push(Verdict::Create);
    }
    let matched = |number| Planned { verdict: Verdict::MatchedById, record: entry(number) };
    for row in [1, 5, BLOCK_ROWS, BLOCK_ROWS + 1, rows, 3] {
        plan.set(row, matched(u128::from(row))).unwrap();
    }
    plan.set(5, Planned { verdict: Verdict::Create, record: None }).unwrap();
    for row in 1..=rows {
        let is_matched = [1, 3, BLOCK_ROWS, BLOCK_ROWS + 1, rows].contains(&row);
        let expected = if is_matched {
            matched(u128::from(row))
        } else {
            Planned { verdict: Verdict::Create, record: None }
        };
        assert_eq!(plan.blocks().get(row).unwrap(), expected, "row {row}");
    }
    assert!(plan.set(rows + 1, matched(1)).is_err());
    assert!(plan.blocks().get(rows + 1).is_err() && plan.blocks().get(0).is_err());
    let counts = plan.counts().unwrap();
    assert_eq!((counts.matched_by_id, counts.create), (5, rows - 5));
    assert_eq!(plan.rows_with(&[Verdict::MatchedById], 1, 3), [3, BLOCK_ROWS, BLOCK_ROWS + 1]);
    for block in &plan.blocks.blocks {
        assert_eq!(Block::read(&block.verdicts, &block.matches).unwrap(), *block);
    }
}

#[test]
fn damaged_matches_are_refused() {
    let verdicts = [Verdict::MatchedById.code(); 2];
    let mut block = Block { verdicts: verdicts.to_vec(), matches: Vec::new() };
    for row in [0, 1] {
        let planned = Planned { verdict: Verdict::MatchedById, record: entry(row.into()) };
        block.set(row, planned).unwrap();
    }
    let good = &block.matches;
    assert!(Block::read(&verdicts, &good[1..]).is_err());
    assert!(
        Block::read(&verdicts, &[&good[MATCH_BYTES..], &good[..MATCH_BYTES]].concat()).is_err()
    );
    assert!(Block::read(&verdicts, good).is_ok());
}
