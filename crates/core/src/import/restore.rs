//! Taking back what an import changed of a record, whatever its kind.
//!
//! A record is compared by its image: an object with a member for each value. Each member that
//! still has the value that the import gave it gets the value from before; what somebody changed
//! since stays.

use serde_json::Value;

/// What a record becomes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Restored {
    /// The image of the record afterwards.
    pub image: Value,
    /// Members that stay as they are because somebody changed them since.
    pub kept: Vec<String>,
}

/// Takes back the change from `before` to `after` of a record that is `now`. The members in `but`
/// stay as they are, for a reason that the caller has.
pub fn restore(before: &Value, after: &Value, now: &Value, but: &[String]) -> Restored {
    let mut restored = Restored { image: now.clone(), kept: Vec::new() };
    let (Some(members), Some(image)) = (before.as_object(), restored.image.as_object_mut()) else {
        return restored;
    };
    for (field, was) in members {
        let (given, is) = (&after[field], &now[field]);
        if was == given || was == is || but.contains(field) {
            continue;
        }
        if is == given {
            image.insert(field.clone(), was.clone());
        } else {
            restored.kept.push(field.clone());
        }
    }
    restored
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn each_member_is_judged_for_itself() {
        let before = json!({ "name": "Food", "color": null, "icon": "fork", "parent": 1 });
        let after = json!({ "name": "Food", "color": "red", "icon": "cup", "parent": 2 });
        let now = json!({ "name": "Meals", "color": "red", "icon": "star", "parent": 1 });
        let expected = Restored {
            image: json!({ "name": "Meals", "color": null, "icon": "star", "parent": 1 }),
            kept: vec!["icon".to_owned()],
        };
        assert_eq!(restore(&before, &after, &now, &[]), expected);
        let but = restore(&before, &after, &now, &["color".to_owned()]);
        assert_eq!((but.image, but.kept), (now, vec!["icon".to_owned()]));
    }

    fn image() -> impl Strategy<Value = Value> {
        prop::collection::vec(0u8..3, 4)
            .prop_map(|of| json!({ "a": of[0], "b": of[1], "c": of[2], "d": of[3] }))
    }

    proptest! {
        /// What nobody touched is as it was before; what somebody changed is as they left it.
        #[test]
        fn nothing_is_lost(before in image(), after in image(), now in image()) {
            prop_assert_eq!(restore(&before, &after, &after, &[]).image, before.clone());
            let restored = restore(&before, &after, &now, &[]);
            for field in ["a", "b", "c", "d"] {
                let is = &restored.image[field];
                let is_own = before[field] != after[field] && now[field] == after[field];
                prop_assert_eq!(is, if is_own { &before[field] } else { &now[field] });
                let is_kept = restored.kept.iter().any(|kept| kept == field);
                prop_assert!(!is_kept || now[field] != after[field]);
            }
        }
    }
}
