//! The family's settings and one's own.

use super::visitor::PASSWORD;
use crate::both;

both! {
    fn the_family_gets_another_name_zone_and_setting_for_transfers(server) {
        let family = server.family();
        let visitor = server.signed_in(&family);
        visitor.get("/settings").expect_page(200, "USD");
        let wrong = [("family", ""), ("time_zone", "Mars"), ("transfer_matching", "maybe")];
        let page = visitor.post("/settings", &wrong).expect_page(422, "Choose a time zone");
        assert!(page.text().contains("transfer_matching-problem"));
        let wrong = [("family", " "), ("time_zone", "UTC"), ("transfer_matching", "off")];
        visitor.post("/settings", &wrong).expect_page(422, "The family name must have");
        let fields =
            [("family", "Smith"), ("time_zone", "asia/tokyo"), ("transfer_matching", "propose")];
        visitor.post("/settings", &fields).expect_redirect("/settings?done=family-saved");
        let settings = family.api.get("/api/v1/family_settings").expect_status(200).json();
        assert_eq!(settings["name"], "Smith");
        assert_eq!(settings["timezone"], "Asia/Tokyo");
        assert_eq!(settings["transfer_matching"], "propose");
    }

    fn a_new_password_signs_everybody_else_out(server) {
        let family = server.family();
        let (here, elsewhere) = (server.signed_in(&family), server.signed_in(&family));
        let fields = |present: &'static str, new: &'static str, again: &'static str| {
            [("present_password", present), ("new_password", new), ("new_password_again", again)]
        };
        let change = |fields: &[(&str, &str)]| here.post("/settings/password", fields);
        change(&fields("wrong", "long enough", "long enough"))
            .expect_page(422, "not your present password");
        change(&fields(PASSWORD, "short", "short")).expect_page(422, "at least 8 characters");
        change(&fields(PASSWORD, "long enough", "long")).expect_page(422, "differ");
        elsewhere.get("/accounts").expect_status(200);
        let before = here.cookie("purser_session");
        change(&fields(PASSWORD, "long enough", "long enough"))
            .expect_redirect("/settings/profile?done=password-changed");
        assert_ne!(here.cookie("purser_session"), before);
        here.get("/accounts").expect_status(200);
        // A refusal leaves this address in the browser.
        here.get("/settings/password").expect_redirect("/settings/profile");
        elsewhere.get("/accounts").expect_status(303);
        elsewhere.sign_in(&family.email, PASSWORD).expect_status(422);
        elsewhere.sign_in(&family.email, "long enough").expect_redirect("/accounts");
        family.api.get("/api/v1/accounts").expect_status(200);
    }

    fn ones_own_name_is_changed(server) {
        let visitor = server.signed_in(&server.family());
        visitor.post("/settings/profile", &[("name", "")]).expect_page(422, "name must have");
        visitor.post("/settings/profile", &[("name", "Ann")]).expect_status(303);
        visitor.get("/settings/profile").expect_page(200, "value=\"Ann\"");
    }
}
