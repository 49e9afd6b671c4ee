//! A line of balances as SVG, made on the server: whole numbers only, no script, no inline style.
//!
//! The balance of a day stays until the next day on which something happened, so the line has
//! steps. More days than pixels are drawn as the range of each pixel, so that no peak gets lost.

use std::fmt::Write as _;

use jiff::civil::Date;
use purser_app::balances::Point;
use purser_core::money::Currency;

use super::view::{self, Amount};

/// The picture's size in its own units, ten to a pixel of a page.
const WIDTH: i128 = 7200;
const HEIGHT: i128 = 1600;
/// Above and below the line, so that its stroke isn't cut off.
const MARGIN: i128 = 60;
/// Steps that are drawn one by one; more are put together by pixel.
const STEPS_MAX: usize = 720;

/// A drawn line, with the texts around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Chart {
    /// The line, for `d`.
    pub(crate) line: String,
    /// The space between the line and zero, for `d`.
    pub(crate) area: String,
    /// Where zero is, if the line is on both sides of it.
    pub(crate) zero: Option<i128>,
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) highest: String,
    pub(crate) lowest: String,
    /// The balance of the last day.
    pub(crate) last: String,
}

/// Draws points up to a day. `None` when there is nothing to compare: no point, or one day.
pub(crate) fn draw(points: &[Point], to: Date, currency: Currency) -> Option<Chart> {
    let (first, last) = (points.first()?, points.last()?);
    if first.date >= to {
        return None;
    }
    let amounts = || points.iter().map(|point| point.amount);
    let (lowest, highest) = (amounts().min()?, amounts().max()?);
    let frame = Frame::new(first.date, to, lowest, highest);
    let line = frame.line(points);
    let base = frame.y(0.clamp(lowest.min(0), highest.max(0)));
    let shown = |amount| Amount::new(amount, currency).text;
    Some(Chart {
        area: format!("{line}V{base}H0Z"),
        line,
        zero: (lowest < 0 && highest > 0).then_some(base),
        from: view::day(first.date),
        to: view::day(to),
        highest: shown(highest),
        lowest: shown(lowest),
        last: shown(last.amount),
    })
}

/// How days and amounts become places.
struct Frame {
    start: Date,
    days: i128,
    bottom: i128,
    span: i128,
}

impl Frame {
    /// Zero is in the picture, unless the line is far from it: then its shape matters more.
    fn new(start: Date, end: Date, lowest: i64, highest: i64) -> Self {
        let (mut bottom, mut top) = (i128::from(lowest), i128::from(highest));
        if bottom > 0 && bottom < (top - bottom) * 2 {
            bottom = 0;
        }
        if top < 0 && -top < (top - bottom) * 2 {
            top = 0;
        }
        if top == bottom {
            (bottom, top) = (bottom - 1, top + 1);
        }
        Self { start, days: days(start, end).max(1), bottom, span: top - bottom }
    }

    fn x(&self, date: Date) -> i128 {
        days(self.start, date) * WIDTH / self.days
    }

    fn y(&self, amount: i64) -> i128 {
        let above = (i128::from(amount) - self.bottom).clamp(0, self.span);
        MARGIN + (HEIGHT - 2 * MARGIN) * (self.span - above) / self.span
    }

    fn line(&self, points: &[Point]) -> String {
        let mut path = String::new();
        let mut at = None;
        for (x, y) in self.steps(points) {
            // Writing into a text can't fail.
            let _ = match at {
                None => write!(path, "M{x} {y}"),
                Some(before) if before == x => write!(path, "V{y}"),
                Some(_) => write!(path, "H{x}V{y}"),
            };
            at = Some(x);
        }
        let _ = write!(path, "H{WIDTH}");
        path
    }

    fn steps(&self, points: &[Point]) -> Vec<(i128, i128)> {
        let all: Vec<_> = points.iter().map(|p| (self.x(p.date), self.y(p.amount))).collect();
        if all.len() <= STEPS_MAX {
            return all;
        }
        let pixel = WIDTH / STEPS_MAX as i128;
        let mut steps = Vec::with_capacity(3 * STEPS_MAX);
        for group in all.chunk_by(|a, b| a.0 / pixel == b.0 / pixel) {
            let x = group.first().map_or(0, |(x, _)| *x);
            let ys = || group.iter().map(|(_, y)| *y);
            let ends = [ys().min(), ys().max(), ys().next_back()];
            steps.extend(ends.into_iter().flatten().map(|y| (x, y)));
        }
        steps
    }
}

fn days(from: Date, to: Date) -> i128 {
    i128::from(purser_app::driver::date_to_days(to) - purser_app::driver::date_to_days(from))
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn point(day: i8, amount: i64) -> Point {
        Point { date: date(2024, 5, day), amount }
    }

    #[test]
    fn a_balance_stays_until_the_next_day_on_which_something_happened() {
        let points = [point(1, 0), point(6, 100), point(11, 50)];
        let chart = draw(&points, date(2024, 5, 11), Currency::USD).unwrap();
        assert_eq!(chart.line, "M0 1540H3600V60H7200V800H7200");
        assert_eq!(chart.area, format!("{}V1540H0Z", chart.line));
        assert_eq!(
            (chart.zero, chart.from.as_str(), chart.to.as_str()),
            (None, "1 May 2024", "11 May 2024")
        );
        assert_eq!((chart.lowest.as_str(), chart.highest.as_str()), ("$0.00", "$0.01"));
    }

    #[test]
    fn zero_is_shown_when_the_line_crosses_it() {
        let chart = draw(&[point(1, -100), point(2, 100)], date(2024, 5, 3), Currency::USD);
        assert_eq!(chart.unwrap().zero, Some(800));
    }

    #[test]
    fn extreme_amounts_and_constant_lines_are_drawn() {
        let end = date(2024, 5, 20);
        let wide = draw(&[point(1, i64::MIN), point(9, i64::MAX)], end, Currency::USD).unwrap();
        assert!(wide.line.starts_with("M0 1540H"));
        let flat = draw(&[point(1, 7)], end, Currency::USD).unwrap();
        assert_eq!(flat.line, "M0 800H7200");
        assert_eq!(draw(&[point(1, 7)], date(2024, 5, 1), Currency::USD), None);
        assert_eq!(draw(&[], end, Currency::USD), None);
    }

    #[test]
    fn a_long_line_keeps_its_peaks_and_stays_short() {
        let day = |n: i32| date(1990, 1, 1).checked_add(jiff::Span::new().days(n)).unwrap();
        let points: Vec<Point> = (0..10_000)
            .map(|n| Point { date: day(n), amount: if n == 5_000 { 1_000_000 } else { 0 } })
            .collect();
        let chart = draw(&points, day(10_000), Currency::USD).unwrap();
        assert!(chart.line.contains("V60"), "the peak");
        assert!(chart.line.len() < 30_000, "{}", chart.line.len());
    }
}
