//! The export in the settings.

use crate::people::signed_in;

journeys! { Sqlite:
    fn a_file_is_written_and_offered(browser, server) {
        signed_in(browser, &server);
        browser.press("Settings");
        browser.press("Export");
        browser.wait_for_text("No files");
        browser.assert_fits();
        browser.press("Write the file");
        browser.wait_for_text("The file is being written.");
        browser.wait_for_text("Download");
        browser.assert_fits();
    }

    fn a_file_is_written_without_scripts(browser, server) {
        browser.without_scripts();
        signed_in(browser, &server);
        browser.go("/settings/exports");
        browser.press("Write the file");
        browser.wait_for_text("Download");
    }
}
