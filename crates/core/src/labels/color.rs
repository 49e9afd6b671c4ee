//! Colors of labels: `#rrggbb`, in the case that was sent.

use uuid::Uuid;

use crate::error::Problems;

/// Colors that are easy to distinguish and to read on a light and on a dark background.
pub const PALETTE: [&str; 16] = [
    "#d1495b", "#e07a3f", "#d9a21b", "#8aa62b", "#3f9b57", "#1f9e89", "#2a9db5", "#2f7fc1",
    "#4f63c6", "#7753c0", "#a04fb8", "#c2498f", "#8c6a4f", "#6b7a8f", "#4d7c6f", "#b05a3c",
];

/// The color of a label without one of its own: always the same for the same label.
pub fn default_color(id: Uuid) -> &'static str {
    // The end of an id is random enough, and spreads better than its time.
    PALETTE[(id.as_u128() % PALETTE.len() as u128) as usize]
}

/// The color in which a category is shown: its own one, else the color of the category above (given
/// as its id and its own color), else one that follows from its id.
pub fn category_color(id: Uuid, own: Option<&str>, above: Option<(Uuid, Option<&str>)>) -> String {
    let color = match (own, above) {
        (Some(own), _) => own,
        (None, Some((above, its))) => its.unwrap_or_else(|| default_color(above)),
        (None, None) => default_color(id),
    };
    color.to_owned()
}

/// Reads a color, or adds a problem that names the field.
pub fn read(field: &str, text: &str, problems: &mut Problems) -> Option<String> {
    let text = text.trim();
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
    if digits.is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit())) {
        return Some(text.to_owned());
    }
    problems.field(field, "must be a color such as #4f63c6");
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_have_six_digits() {
        let read = |text| read("Color", text, &mut Problems::new());
        assert_eq!(read(" #A1b2C3 ").as_deref(), Some("#A1b2C3"));
        for wrong in ["", "#", "a1b2c3", "#a1b2c", "#a1b2c3d", "#a1b2cg", "#é1b2c", "red"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn categories_take_the_color_of_the_one_above() {
        let (id, above) = (Uuid::from_u128(1), Uuid::from_u128(2));
        assert_eq!(category_color(id, Some("#112233"), Some((above, Some("#445566")))), "#112233");
        assert_eq!(category_color(id, None, Some((above, Some("#445566")))), "#445566");
        assert_eq!(category_color(id, None, Some((above, None))), PALETTE[2]);
        assert_eq!(category_color(id, None, None), PALETTE[1]);
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
