//! Colors of labels: `#rrggbb`, in lower case.

use uuid::Uuid;

use crate::error::Problems;

/// Colors that can be told from each other and read on light and dark ground.
pub const PALETTE: [&str; 16] = [
    "#d1495b", "#e07a3f", "#d9a21b", "#8aa62b", "#3f9b57", "#1f9e89", "#2a9db5", "#2f7fc1",
    "#4f63c6", "#7753c0", "#a04fb8", "#c2498f", "#8c6a4f", "#6b7a8f", "#4d7c6f", "#b05a3c",
];

/// The color of a label that nobody gave one: always the same for the same label.
pub fn default_color(id: Uuid) -> &'static str {
    // The end of an id is random enough, and spreads better than its time.
    PALETTE[(id.as_u128() % PALETTE.len() as u128) as usize]
}

/// Reads a color, or adds a problem that names the field.
pub fn read(field: &str, text: &str, problems: &mut Problems) -> Option<String> {
    let text = text.trim();
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
    if digits.is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit())) {
        return Some(text.to_ascii_lowercase());
    }
    problems.push(format!("{field} must be a color written #rrggbb"));
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_have_six_digits() {
        let read = |text| read("Color", text, &mut Problems::new());
        assert_eq!(read(" #A1b2C3 ").as_deref(), Some("#a1b2c3"));
        for wrong in ["", "#", "a1b2c3", "#a1b2c", "#a1b2c3d", "#a1b2cg", "#é1b2c", "red"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn every_default_is_a_color_and_follows_the_id() {
        let mut problems = Problems::new();
        for color in PALETTE {
            assert_eq!(super::read("Color", color, &mut problems).as_deref(), Some(color));
        }
        assert_eq!(default_color(Uuid::from_u128(17)), PALETTE[1]);
        assert_eq!(default_color(Uuid::nil()), PALETTE[0]);
    }
}
