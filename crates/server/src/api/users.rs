//! `/api/v1/users`

use purser_app::users::{Role, User, list};
use purser_app::{families, people};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::answer::{Answer, Json};
use crate::http::call::List;
use crate::http::error::ApiResult;
use crate::http::table::routes;
use crate::http::time::Time;

routes! { "users":
    /// Show the user of the key
    ///
    /// To a key that is restricted to chosen accounts the e-mail address is null, because the user
    /// signs in with it.
    GET "/users/me" => show as show_current_user;
}

/// The user that the key of the request belongs to.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CurrentUser)]
struct UserBody {
    /// The id of the user.
    id: Uuid,
    /// The e-mail address that the user signs in with; null for a restricted key.
    #[schema(required, example = "ann@example.org")]
    email: Option<String>,
    /// The name that others see; null for a restricted key, since it is the beginning of the e-mail
    /// address where nobody has set another one.
    #[schema(required, example = "Ann")]
    name: Option<String>,
    /// Whether the user may manage the people of the family.
    role: RoleName,
    /// The family of the user.
    family: UserFamily,
    /// The time at which the user was added.
    created_at: Time,
}

/// A family, in short.
#[derive(Debug, Serialize, ToSchema)]
struct UserFamily {
    /// The id of the family, as in its settings.
    id: Uuid,
    /// The name of the family.
    #[schema(example = "The Smiths")]
    name: String,
}

/// What a user may do.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = UserRole)]
#[serde(rename_all = "lowercase")]
enum RoleName {
    /// Everything, people and settings included.
    Admin,
    /// Everything except managing people.
    Member,
}

impl From<Role> for RoleName {
    fn from(role: Role) -> Self {
        match role {
            Role::Admin => Self::Admin,
            Role::Member => Self::Member,
        }
    }
}

async fn show(call: List) -> ApiResult<Answer<Json<UserBody>>> {
    let caller = call.caller();
    let (id, is_restricted) = (caller.key.user, caller.accounts().is_some());
    call.read(move |tx, _| {
        let family = families::get(tx)?;
        let family = UserFamily { id: family.public_id, name: family.name };
        let user = people::users::get(&list(tx)?, id)?.clone();
        Ok(Json(body(user, family, is_restricted)))
    })
    .await
}

fn body(user: User, family: UserFamily, is_restricted: bool) -> UserBody {
    UserBody {
        id: user.id.0,
        email: (!is_restricted).then_some(user.email),
        name: (!is_restricted).then_some(user.name),
        role: user.role.into(),
        family,
        created_at: user.created_at.into(),
    }
}
