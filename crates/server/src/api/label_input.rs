//! What a body says of a category, a tag or a merchant.

use purser_core::error::{Error, Problems};
use purser_core::labels::input::LabelInput;

use crate::http::fields::Fields;

/// Reads the fields, inside of `wrapper` or outside.
pub(super) fn read(body: &Fields, wrapper: &str) -> Result<LabelInput, Error> {
    let wrapped = body.object(wrapper)?;
    let fields = wrapped.as_ref().unwrap_or(body);
    let mut problems = Problems::new();
    let mut text = |name| fields.nullable_text(name, &mut problems);
    let input = LabelInput {
        name: text("name"),
        color: text("color"),
        icon: text("icon"),
        parent: text("parent_id"),
        website: text("website"),
        problems: Vec::new(),
    };
    Ok(LabelInput { problems: problems.into_list(), ..input })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_with_and_without_the_wrapper() {
        for json in
            [r##"{"tag": {"name": "A", "color": null}}"##, r##"{"name": "A", "color": null}"##]
        {
            let input = read(&serde_json::from_str(json).unwrap(), "tag").unwrap();
            assert_eq!(input.name, Some(Some("A".into())));
            assert_eq!((input.color, input.website), (Some(None), None));
        }
        let wrong = serde_json::from_str(r#"{"name": 1, "parent_id": []}"#).unwrap();
        assert_eq!(read(&wrong, "category").unwrap().problems.len(), 2);
        assert!(read(&serde_json::from_str(r#"{"tag": "A"}"#).unwrap(), "tag").is_err());
    }
}
