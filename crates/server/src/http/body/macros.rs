//! The macro that declares a body.

/// Declares a struct that is read from a JSON object and described by the same types; see
/// [`super`]. Each member has a sentence or more of documentation, which is published.
/// `with part: Body` takes in the members of another body.
macro_rules! body {
    (
        $(#[doc = $doc:literal])*
        $vis:vis struct $name:ident as $noun:literal $(in [$($wrapper:literal),+])?
        $(with $part:ident: $part_body:ty)? {
            $(
                $(#[doc = $member_doc:literal])*
                $(#[example($($example:tt)+)])?
                $member_vis:vis $member:ident: $kind:ty
            ),* $(,)?
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, Default, PartialEq, Eq)]
        $vis struct $name {
            $(
                $(#[doc = $member_doc])*
                $member_vis $member: <$kind as $crate::http::body::presence::Member>::Value,
            )*
            $($part: $part_body,)?
        }

        impl $crate::http::body::Body for $name {
            const NAME: &'static str = $noun;
            const WRAPPERS: &'static [&'static str] = &[$($($wrapper),+)?];

            fn description() -> String {
                $crate::http::describe::joined(&[$($doc),*])
            }

            fn members(
                components: &mut $crate::http::describe::Components,
            ) -> Vec<$crate::http::body::schema::MemberSchema> {
                let members = vec![$(
                    $crate::http::body::schema::member::<$kind>(
                        stringify!($member),
                        &[$($member_doc),*],
                        $crate::http::body::example!($($($example)+)?),
                        components,
                    )
                ),*];
                $(
                    let mut members = members;
                    members.extend(<$part_body as $crate::http::body::Body>::members(components));
                )?
                members
            }

            fn read(
                sent: &$crate::http::body::Sent<'_>,
                problems: &mut purser_core::error::Problems,
            ) -> Self {
                Self {
                    $(
                        $member: <$kind as $crate::http::body::presence::Member>::read(
                            sent,
                            $crate::http::describe::member_name(stringify!($member)),
                            problems,
                        ),
                    )*
                    $($part: <$part_body as $crate::http::body::Body>::read(sent, problems),)?
                }
            }
        }
    };
}

/// The example of a member, if there is one.
macro_rules! example {
    () => {
        None
    };
    ($($example:tt)+) => {
        Some(serde_json::json!($($example)+))
    };
}

pub(crate) use {body, example};
