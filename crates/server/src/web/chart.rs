//! A line of balances as SVG, made on the server: whole numbers only, no script, no inline style.
//!
//! The balance of a day stays until the next day on which something happened, so the line has
//! steps. More days than pixels are drawn as the range of each pixel, so that no peak gets lost.
//! Zero is always in the picture, at its place: a small change never looks like a large one. The
//! picture begins and ends with a mark of the axis, so marks are evenly spaced on the page, too.

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
/// Spaces between marks of the axis, at most.
const SPACES_MAX: i128 = 5;
/// Steps that are drawn one by one; more are put together by pixel.
const STEPS_MAX: usize = 720;

/// A drawn line, with the texts around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Chart {
    /// The line, for `d`.
    pub(crate) line: String,
    /// The space between the line and zero, for `d`.
    pub(crate) area: String,
    /// The height of zero, from above.
    pub(crate) zero: i128,
    /// The marks of the axis, from above.
    pub(crate) marks: Vec<Mark>,
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) highest: String,
    pub(crate) lowest: String,
    /// The balance of the last day.
    pub(crate) last: String,
}

/// A mark of the axis of amounts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mark {
    /// The height of the mark, from above.
    pub(crate) y: i128,
    /// The amount that is written beside it.
    pub(crate) text: String,
}

/// Draws points up to a day. `None` when there is nothing to compare: no point, or one day.
pub(crate) fn draw(points: &[Point], to: Date, currency: Currency) -> Option<Chart> {
    let (first, last) = (points.first()?, points.last()?);
    if first.date >= to {
        return None;
    }
    let amounts = || points.iter().map(|point| point.amount);
    let (lowest, highest) = (amounts().min()?, amounts().max()?);
    let scale = Scale::new(lowest, highest, currency);
    let frame = Frame { start: first.date, days: days(first.date, to).max(1), scale };
    let line = frame.line(points);
    let zero = frame.scale.y(0);
    let shown = |amount| Amount::new(amount, currency).text;
    Some(Chart {
        area: format!("{line}V{zero}H0Z"),
        line,
        zero,
        marks: frame.scale.marks(currency),
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
    scale: Scale,
}

/// The axis of amounts.
struct Scale {
    /// The amount at the lower end, and that at the upper one: whole steps from zero.
    bottom: i128,
    top: i128,
    /// What lies between two marks.
    step: i128,
}

impl Scale {
    /// The smallest axis with zero and all amounts of which the marks are round: once, twice or
    /// five times a power of ten, and not less than the smallest unit of the currency.
    fn new(lowest: i64, highest: i64, currency: Currency) -> Self {
        let (lowest, highest) = (i128::from(lowest.min(0)), i128::from(highest.max(0)));
        let smallest = 10i128.pow(currency.scale() - currency.precision());
        let powers = (0..20).map(|power| smallest * 10i128.pow(power));
        let mut steps = powers.flat_map(|power| [power, 2 * power, 5 * power]);
        let around = |step: i128| {
            let up = |amount: i128| (amount + step - 1).div_euclid(step) * step;
            Self { bottom: -up(-lowest), top: up(highest).max(step - up(-lowest)), step }
        };
        let fits = |scale: &Self| scale.top - scale.bottom <= SPACES_MAX * scale.step;
        steps.by_ref().map(around).find(fits).unwrap_or_else(|| around(highest - lowest + 1))
    }

    fn y(&self, amount: i128) -> i128 {
        let span = self.top - self.bottom;
        let above = (amount - self.bottom).clamp(0, span);
        MARGIN + (HEIGHT - 2 * MARGIN) * (span - above) / span
    }

    fn marks(&self, currency: Currency) -> Vec<Mark> {
        let spaces = (self.top - self.bottom) / self.step;
        let amounts = (0..=spaces).rev().map(|space| self.bottom + space * self.step);
        let has_decimals = self.step % 10i128.pow(currency.scale()) != 0;
        let mark = |amount| {
            let mut text = Amount::of_sum(amount, currency).text;
            if !has_decimals && let Some((whole, _)) = text.rsplit_once('.') {
                text = whole.to_owned();
            }
            Mark { y: self.y(amount), text }
        };
        amounts.map(mark).collect()
    }
}

impl Frame {
    fn x(&self, date: Date) -> i128 {
        days(self.start, date) * WIDTH / self.days
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
        let all: Vec<_> =
            points.iter().map(|p| (self.x(p.date), self.scale.y(p.amount.into()))).collect();
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
            (1540, "1 May 2024", "11 May 2024")
        );
        assert_eq!((chart.lowest.as_str(), chart.highest.as_str()), ("$0.00", "$0.01"));
    }

    #[test]
    fn the_axis_has_round_marks_and_zero_at_its_place() {
        let usd = |dollars: i64| dollars * 10_000;
        for (lowest, highest, marks) in [
            (-100, 100, "$0.01 $0.00 \u{2212}$0.01"),
            (usd(990), usd(1_000), "$1,000 $800 $600 $400 $200 $0"),
            (usd(-30), usd(70), "$100 $50 $0 \u{2212}$50"),
            (usd(-12_345), usd(-1), "$0 \u{2212}$5,000 \u{2212}$10,000 \u{2212}$15,000"),
            (0, 0, "$0.01 $0.00"),
        ] {
            let chart =
                draw(&[point(1, lowest), point(2, highest)], date(2024, 5, 3), Currency::USD);
            let chart = chart.unwrap();
            let texts: Vec<&str> = chart.marks.iter().map(|mark| mark.text.as_str()).collect();
            assert_eq!(texts.join(" "), marks);
            assert!(chart.marks.iter().any(|mark| mark.y == chart.zero), "{marks}");
            let ends = [chart.marks.first(), chart.marks.last()].map(|mark| mark.unwrap().y);
            assert_eq!(ends, [MARGIN, HEIGHT - MARGIN], "{marks}");
        }
    }

    #[test]
    fn extreme_amounts_and_constant_lines_are_drawn() {
        let end = date(2024, 5, 20);
        let wide = draw(&[point(1, i64::MIN), point(9, i64::MAX)], end, Currency::USD).unwrap();
        assert!(wide.line.starts_with("M0 148"), "{}", wide.line);
        let flat = draw(&[point(1, 7)], end, Currency::USD).unwrap();
        assert_eq!(flat.line, "M0 1436H7200");
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
