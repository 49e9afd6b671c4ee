//! The description of the interface.

journeys! { Sqlite:
    fn the_description_can_be_read(browser, server) {
        browser.go("/api/docs/");
        browser.wait_for_text("/api/v1/imports/{id}/events");
        browser.assert_fits();
    }
}
