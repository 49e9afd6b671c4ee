//! The number of a rate, prepared for many conversions: two integers where the digits are few.

use num_integer::Integer;

use super::Rate;
use crate::money::exact::{self, Fraction};

/// What amounts are multiplied by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Factor(Inner);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Inner {
    /// Numerator and denominator, both positive, without a common divisor.
    Small(i128, i128),
    Big(Fraction),
}

impl Factor {
    /// The factor of amounts that stay in their currency.
    pub fn one() -> Self {
        Self(Inner::Small(1, 1))
    }

    /// The factor of a rate; none if a leg of it is zero.
    pub fn of(rate: &Rate) -> Option<Self> {
        match small(rate) {
            Some((numerator, denominator)) => Some(Self(Inner::Small(numerator, denominator))),
            None => rate.fraction().map(|fraction| Self(Inner::Big(fraction))),
        }
    }

    /// `units` of a scale, times the factor, in another scale: rounded once, half away from zero;
    /// none if 128 bits don't hold it.
    pub fn apply(&self, units: i128, scale: u32, to_scale: u32) -> Option<i128> {
        if let Inner::Small(numerator, denominator) = &self.0
            && let Some(rounded) = small_apply(units, *numerator, *denominator, scale, to_scale)
        {
            return Some(rounded);
        }
        let units = Fraction::from_integer(units.into());
        exact::round_sum(&(units * self.fraction() * exact::units(to_scale) / exact::units(scale)))
    }

    /// The factor as an exact fraction.
    pub fn fraction(&self) -> Fraction {
        match &self.0 {
            Inner::Small(numerator, denominator) => {
                Fraction::new((*numerator).into(), (*denominator).into())
            }
            Inner::Big(fraction) => fraction.clone(),
        }
    }
}

/// Numerator and denominator, if they and what leads to them fit.
fn small(rate: &Rate) -> Option<(i128, i128)> {
    let mut factor = (1_i128, 1_i128);
    for leg in rate.legs() {
        let mantissa = leg.rate.mantissa();
        if mantissa <= 0 {
            return None;
        }
        let unit = 10_i128.checked_pow(leg.rate.scale())?;
        let (up, down) = if leg.inverted { (unit, mantissa) } else { (mantissa, unit) };
        let (up, down) = reduced(up, down);
        // Divided crosswise first, so that the products stay as small as they can.
        let (up, below) = reduced(up, factor.1);
        let (above, down) = reduced(factor.0, down);
        factor = (above.checked_mul(up)?, below.checked_mul(down)?);
    }
    Some(factor)
}

fn reduced(numerator: i128, denominator: i128) -> (i128, i128) {
    let divisor = numerator.gcd(&denominator);
    (numerator / divisor, denominator / divisor)
}

/// `None` if the digits are too many for 128 bits.
fn small_apply(
    units: i128,
    numerator: i128,
    denominator: i128,
    scale: u32,
    to_scale: u32,
) -> Option<i128> {
    let (mut above, mut below) = (units.checked_mul(numerator)?, denominator);
    if to_scale >= scale {
        above = above.checked_mul(10_i128.checked_pow(to_scale - scale)?)?;
    } else {
        below = below.checked_mul(10_i128.checked_pow(scale - to_scale)?)?;
    }
    let (floor, rest) = (above / below, above % below);
    // At least as far from zero as half; `rest` has the sign of the product.
    let up = rest != 0 && rest.unsigned_abs() >= below.unsigned_abs() - rest.unsigned_abs();
    Some(if up { floor + rest.signum() } else { floor })
}
