//! The schemas of bodies, put together from the types of their members.

use serde_json::Value;
use utoipa::openapi::schema::{AnyOf, Object, ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{RefOr, Schema};

use purser_core::named::Named;

use super::Body;
use super::kinds::Kind;
use super::presence::Member;
use crate::http::describe::{Components, RequestSchema, joined, member_name};

/// A member of a body, for the description.
pub(crate) struct MemberSchema {
    name: &'static str,
    description: String,
    example: Option<Value>,
    schema: RefOr<Schema>,
    required: bool,
    null_in_new: bool,
    null_in_change: bool,
    outer: bool,
    only_new: bool,
}

/// Describes one member of a body.
pub(crate) fn member<M: Member>(
    name: &'static str,
    doc: &[&str],
    example: Option<Value>,
    components: &mut Components,
) -> MemberSchema {
    MemberSchema {
        name: member_name(name),
        description: joined(doc),
        example,
        schema: M::Kind::schema(components),
        required: M::REQUIRED,
        null_in_new: M::NULL_IN_NEW,
        null_in_change: M::NULL_IN_CHANGE,
        outer: M::OUTER,
        only_new: M::ONLY_NEW,
    }
}

impl MemberSchema {
    /// A member that may be missing or null.
    pub(crate) fn nullable(
        name: &'static str,
        description: &str,
        example: Option<Value>,
        schema: RefOr<Schema>,
    ) -> Self {
        Self {
            name,
            description: description.to_owned(),
            example,
            schema,
            required: false,
            null_in_new: true,
            null_in_change: true,
            outer: false,
            only_new: false,
        }
    }

    fn write(&self, object: &mut Object, is_new: bool) {
        let null = if is_new { self.null_in_new } else { self.null_in_change };
        let schema = if null { or_null(self.schema.clone()) } else { self.schema.clone() };
        let schema = documented(schema, self.description.clone(), self.example.clone());
        object.properties.insert(self.name.to_owned(), schema);
        if self.required && is_new {
            object.required.push(self.name.to_owned());
        }
    }
}

/// The members of a body as a component of their own.
pub(crate) fn component<B: Body>(
    name: &str,
    is_new: bool,
    components: &mut Components,
) -> RefOr<Schema> {
    components.add(name, |components| RefOr::T(Schema::Object(object::<B>(is_new, components))))
}

/// The members of a body as an object.
pub(crate) fn object<B: Body>(is_new: bool, components: &mut Components) -> Object {
    let mut object = ObjectBuilder::new().description(Some(B::description())).build();
    for member in B::members(components) {
        if is_new || !member.only_new {
            member.write(&mut object, is_new);
        }
    }
    object
}

/// The body of a request: the members by themselves, or inside of a wrapper.
pub(crate) fn request<B: Body>(
    name: &str,
    is_new: bool,
    components: &mut Components,
) -> RequestSchema {
    let unwrapped = component::<B>(name, is_new, components);
    if B::WRAPPERS.is_empty() {
        return RequestSchema::json(unwrapped);
    }
    let mut either = AnyOf::new();
    for wrapper in B::WRAPPERS {
        let mut object =
            ObjectBuilder::new().property(*wrapper, unwrapped.clone()).required(*wrapper);
        for member in B::members(components).iter().filter(|member| member.outer) {
            let schema = or_null(member.schema.clone());
            let schema = documented(schema, member.description.clone(), None);
            object = object.property(member.name, schema);
        }
        either.items.push(object.into());
    }
    either.items.push(unwrapped);
    RequestSchema::json(RefOr::T(Schema::AnyOf(either)))
}

/// The names of a fixed list.
pub(crate) fn names<E: Named>() -> RefOr<Schema> {
    names_of(E::ALL)
}

/// The names of some values.
pub(crate) fn names_of<E: Named>(values: &[E]) -> RefOr<Schema> {
    let names = values.iter().map(|value| value.name());
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names)).into()
}

/// The same schema, or null.
pub(crate) fn or_null(schema: RefOr<Schema>) -> RefOr<Schema> {
    let null = || RefOr::T(Schema::Object(Object::with_type(Type::Null)));
    let with_null = |schema_type: &SchemaType| match schema_type {
        SchemaType::Type(one) => SchemaType::Array(vec![one.clone(), Type::Null]),
        other => other.clone(),
    };
    match schema {
        RefOr::T(Schema::Object(mut object)) if object.enum_values.is_none() => {
            object.schema_type = with_null(&object.schema_type);
            RefOr::T(Schema::Object(object))
        }
        RefOr::T(Schema::Array(mut array)) => {
            array.schema_type = with_null(&array.schema_type);
            RefOr::T(Schema::Array(array))
        }
        RefOr::T(Schema::AnyOf(mut either)) => {
            either.items.push(null());
            RefOr::T(Schema::AnyOf(either))
        }
        other => {
            let mut either = AnyOf::new();
            either.items = vec![other, null()];
            RefOr::T(Schema::AnyOf(either))
        }
    }
}

/// The schema with a description and an example.
pub(crate) fn documented(
    schema: RefOr<Schema>,
    description: String,
    example: Option<Value>,
) -> RefOr<Schema> {
    match schema {
        RefOr::Ref(mut reference) => {
            reference.description = description;
            RefOr::Ref(reference)
        }
        RefOr::T(mut schema) => {
            let (own_description, own_example) = match &mut schema {
                Schema::Object(object) => (&mut object.description, &mut object.example),
                Schema::Array(array) => (&mut array.description, &mut array.example),
                Schema::AnyOf(either) => (&mut either.description, &mut either.example),
                _ => return RefOr::T(schema),
            };
            *own_description = Some(description);
            *own_example = example;
            RefOr::T(schema)
        }
    }
}
