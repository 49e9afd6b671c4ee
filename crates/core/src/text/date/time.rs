//! The time of day that may follow a date. It is checked and dropped.

use super::cursor::Cursor;

/// Whether the text, which follows a date, is empty or a time of day: `T10:00:00Z`, ` 10:00`,
/// `, 9:05:07.123 PM +02:00`, `-10:00:00`.
pub(super) fn is_time_or_nothing(text: &str) -> bool {
    text.is_empty() || read(&mut Cursor::new(text)).is_some()
}

fn read(cursor: &mut Cursor<'_>) -> Option<()> {
    if cursor.literal('T').is_none() && cursor.byte(b'-').is_none() {
        let _ = cursor.byte(b',');
        cursor.skip_spaces().then_some(())?;
    }
    let hour = cursor.one_or_two_digits()?;
    cursor.byte(b':')?;
    minute(cursor)?;
    if cursor.byte(b':').is_some() {
        second(cursor)?;
        if cursor.byte(b'.').or_else(|| cursor.byte(b',')).is_some() {
            fraction(cursor)?;
        }
    }
    cursor.skip_spaces();
    match half_day(cursor) {
        Some(()) if hour > 12 => return None,
        None if hour > 23 => return None,
        _ => {}
    }
    // An offset and a name, in either order: `+0000 UTC`, `GMT+0100`.
    for _ in 0..2 {
        cursor.skip_spaces();
        if cursor.is_at_end() {
            return Some(());
        }
        zone(cursor)?;
    }
    cursor.is_at_end().then_some(())
}

/// The two digits of a minute, from 00 to 59.
pub(super) fn minute(cursor: &mut Cursor<'_>) -> Option<()> {
    (cursor.digits(2)? <= 59).then_some(())
}

/// 00 to 60: leap seconds are written.
pub(super) fn second(cursor: &mut Cursor<'_>) -> Option<()> {
    (cursor.digits(2)? <= 60).then_some(())
}

/// One to nine digits after the seconds.
pub(super) fn fraction(cursor: &mut Cursor<'_>) -> Option<()> {
    (1..=9).contains(&cursor.skip_digits()).then_some(())
}

/// The half of the day, such as `AM` or `p.m.`
pub(super) fn half_day(cursor: &mut Cursor<'_>) -> Option<()> {
    let mut ahead = *cursor;
    ahead.literal('a').or_else(|| ahead.literal('p'))?;
    let dotted = ahead.byte(b'.').is_some();
    ahead.literal('m')?;
    if dotted {
        ahead.byte(b'.')?;
    }
    *cursor = ahead;
    Some(())
}

/// `Z`, `UTC`, `CEST`, `+02:00`, `-0500`, `+01`.
pub(super) fn zone(cursor: &mut Cursor<'_>) -> Option<()> {
    if cursor.byte(b'+').or_else(|| cursor.byte(b'-')).is_none() {
        let name = cursor.word();
        let is_name = name.is_ascii() && (2..=5).contains(&name.len());
        return (is_name || name.eq_ignore_ascii_case("z")).then_some(());
    }
    (cursor.digits(2)? <= 23).then_some(())?;
    if cursor.byte(b':').is_some() || cursor.peek().is_some_and(|byte| byte.is_ascii_digit()) {
        minute(cursor)?;
    }
    Some(())
}
