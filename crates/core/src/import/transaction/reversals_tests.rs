use super::*;
use crate::import::cells::CellsBuf;

#[test]
fn the_unusual_sign_turns_the_direction_round() {
    let source = AmountSource::DebitCredit { debit: 0, credit: 1 };
    for (rows, expected) in [
        // A minus before every debit is only how it is written.
        (&["-5.00;", "-6.00;", ";7.00"][..], None),
        (&["5.00;0.00", "-;7.00", "0;"], None),
        (&["5.00;", "6.00;", "-2.00;", ";7.00"], Some((true, Direction::In))),
        (&["-5.00;", "-6.00;", "2.00;", ";7.00"], Some((false, Direction::In))),
        // As many of both: the one with a minus is the unusual one.
        (&["5.00;", "(2.00);"], Some((true, Direction::In))),
    ] {
        let mut found = Reversals::default();
        for row in rows {
            let cells: CellsBuf = row.split(';').collect();
            found.observe(&source, cells.as_cells());
        }
        assert_eq!(found.are_there(), expected.is_some(), "{rows:?}");
        if let Some((is_negative, way)) = expected {
            assert_eq!(found.way(Direction::Out, is_negative), way, "{rows:?}");
            assert_eq!(found.way(Direction::Out, !is_negative), Direction::Out, "{rows:?}");
        }
        assert_eq!(found.way(Direction::In, false), Direction::In, "{rows:?}");
    }
}
