//! Parameters in PostgreSQL's binary form.

use std::error::Error;

use bytes::BytesMut;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};

use crate::driver::Val;

impl ToSql for Val<'_> {
    fn to_sql(
        &self,
        ty: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match (self, ty) {
            (Val::Null, _) => Ok(IsNull::Yes),
            (Val::Int(number), &Type::INT8) => number.to_sql(ty, out),
            (Val::Int(number), &Type::INT4) => i32::try_from(*number)?.to_sql(ty, out),
            (Val::Int(number), &Type::INT2) => i16::try_from(*number)?.to_sql(ty, out),
            (Val::Text(text), &Type::TEXT | &Type::VARCHAR) => text.to_sql(ty, out),
            (Val::Uuid(id), &Type::UUID) => id.to_sql(ty, out),
            (Val::Bytes(bytes), &Type::BYTEA) => bytes.to_sql(ty, out),
            (Val::Bool(value), &Type::BOOL) => value.to_sql(ty, out),
            // The value stays out of the message.
            _ => Err(format!("a parameter of type {ty} got a value of another type").into()),
        }
    }

    fn accepts(_: &Type) -> bool {
        // Depends on the value: decided above.
        true
    }

    to_sql_checked!();
}
