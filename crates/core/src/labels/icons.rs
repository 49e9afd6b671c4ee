//! Icons for categories: a choice for clients that let people pick one.
//!
//! Any text is taken as the name of an icon, because each client draws its own. These are names of
//! the Lucide set that go with money, and all that [`super::defaults`] uses.

/// The names, in the order of the alphabet.
#[rustfmt::skip]
pub const ICONS: &[&str] = &[
    "accessibility", "alarm-clock", "ambulance", "anchor", "apple", "armchair", "baby",
    "badge-dollar-sign", "banknote", "barcode", "bath", "beef", "beer", "bike", "bird", "bone",
    "book", "book-open", "briefcase", "brush", "building", "building-2", "bus", "cake",
    "calculator", "calendar", "camera", "car", "cat", "chef-hat", "church", "circle-dollar-sign",
    "circle-parking", "clapperboard", "coffee", "coins", "cookie", "cpu", "credit-card",
    "croissant", "cup-soda", "diamond", "dice-5", "dog", "drama", "drill", "droplets", "dumbbell",
    "ear", "egg", "factory", "file-text", "fish", "flame", "flower", "flower-2", "footprints",
    "fuel", "gamepad-2", "gem", "gift", "glasses", "globe", "graduation-cap", "grape", "guitar",
    "hammer", "hand-coins", "hand-heart", "handshake", "headphones", "heart", "heart-pulse",
    "hospital", "hotel", "house", "ice-cream-cone", "key", "key-round", "lamp", "landmark",
    "laptop", "leaf", "library", "lightbulb", "luggage", "mail", "map", "martini", "medal",
    "megaphone", "milk", "monitor", "moon", "mountain", "music", "newspaper", "package",
    "paintbrush", "palette", "party-popper", "paw-print", "pencil", "percent", "phone", "pickaxe",
    "piggy-bank", "pill", "pizza", "plane", "plug", "plug-zap", "plus", "printer", "puzzle",
    "receipt", "recycle", "refrigerator", "repeat", "rocket", "salad", "sandwich", "scale",
    "school", "scissors", "server", "shapes", "shield", "ship", "shirt", "shopping-bag",
    "shopping-basket", "shopping-cart", "shovel", "shower-head", "smartphone", "smile", "snowflake",
    "sofa", "soup", "sparkles", "sprout", "star", "stethoscope", "store", "sun", "syringe",
    "tablet", "tag", "target", "tent", "ticket", "train-front", "trees", "trending-down",
    "trending-up", "trophy", "truck", "tv", "umbrella", "users", "utensils", "vault", "vegan",
    "volleyball", "wallet", "warehouse", "washing-machine", "watch", "waves", "wheat", "wifi",
    "wine", "wrench", "zap",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels::DEFAULT_ICON;
    use crate::limits::ICON_CHARS_MAX;

    #[test]
    fn they_are_sorted_and_can_be_stored() {
        assert!(ICONS.is_sorted_by(|one, next| one < next));
        assert!(ICONS.iter().all(|icon| icon.len() <= ICON_CHARS_MAX));
        assert!(ICONS.contains(&DEFAULT_ICON));
    }
}
