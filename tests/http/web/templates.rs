//! The page of what is saved of files: renamed and forgotten as over the API, with the same checks.

use crate::both;
use crate::support::sql::value;
use crate::support::{Family, Server};

const LIST: &str = "/imports/templates";

/// Imports a file, and returns the path of what was saved of it.
fn saved(family: &Family) -> String {
    let account = family.account("Main", "depository");
    family.import(&account, "Date,Amount,Name\n2024-01-01,-5.00,Bread\n");
    let listed = family.api.get("/api/v1/import_templates").expect_status(200).json();
    format!("{LIST}/{}", listed["data"][0]["id"].as_str().unwrap())
}

fn name(family: &Family) -> String {
    let listed = family.api.get("/api/v1/import_templates").expect_status(200).json();
    listed["data"][0]["name"].as_str().unwrap_or_default().to_owned()
}

fn audited(server: &Server, action: &str) -> String {
    let statement = format!(
        "SELECT COUNT(*) FROM audit_events WHERE action = '{action}' AND actor_kind = 'user'"
    );
    value(server, &statement)
}

both! {
    fn a_change_of_a_name_is_in_the_audit_trail(server) {
        let family = server.family();
        let path = saved(&family);
        let visitor = server.signed_in(&family);
        visitor.get(LIST).expect_page(200, "Saved file settings");
        visitor.post(&path, &[("name", " My bank ")])
            .expect_redirect("/imports/templates?done=template-saved");
        visitor.get(LIST).expect_page(200, "value=\"My bank\"");
        assert_eq!(name(&family), "My bank");
        assert_eq!(audited(&server, "import_template.rename"), "1");
        visitor.post(&format!("{path}/delete"), &[])
            .expect_redirect("/imports/templates?done=template-removed");
        assert_eq!(audited(&server, "import_template.delete"), "1");
        assert_eq!(name(&family), "");
        visitor.post(&path, &[("name", "Gone")]).expect_page(404, "Import template not found");
        visitor.post(&path, &[("name", "")]).expect_page(404, "Import template not found");
    }

    fn a_refused_name_stands_in_the_list_with_the_problem(server) {
        let family = server.family();
        let path = saved(&family);
        let visitor = server.signed_in(&family);
        visitor.get(LIST).expect_status(200);
        let (long, before) = ("n".repeat(101), name(&family));
        for (sent, problem) in [
            ("", "The name is required"),
            (" ", "The name is required"),
            (&*long, "The name must have at most 100 characters"),
        ] {
            let page = visitor.post(&path, &[("name", sent)]).expect_page(422, problem);
            assert_eq!(page.field("name").as_deref(), Some(sent), "what was typed stays");
            assert!(page.text().contains("aria-invalid=\"true\""), "{}", page.text());
        }
        assert_eq!(name(&family), before);
        assert_eq!(audited(&server, "import_template.rename"), "0");
        visitor.get(&path).expect_redirect(LIST);
        visitor.get(&format!("{LIST}?page=9999")).expect_page(200, &before);
    }

    fn what_another_family_saved_is_nothing(server) {
        let (own, other) = (server.family(), server.family());
        let (path, before) = (saved(&other), name(&other));
        let visitor = server.signed_in(&own);
        visitor.get(LIST).expect_page(200, "Nothing is saved yet");
        visitor.post(&path, &[("name", "taken")]).expect_page(404, "Import template not found");
        visitor.post(&format!("{path}/delete"), &[])
            .expect_page(404, "Import template not found");
        assert_eq!(name(&other), before);
    }
}
