//! `purser import` and the page of uploads find out which program a file is from; a folder is
//! imported whole.

use serde_json::json;

use crate::both;
use crate::command_line::{fails, file, works};
use crate::imports::{IMPORTS, transactions};
use crate::support::Multipart;

const QIF: &str = "!Account\nNGiro\nTBank\n^\n!Type:Bank\nD13/2/2026\nT-12.50\nPBakery\n^\n";
const CATEGORIES: &str = "name,color,parent_category,lucide_icon\nFood,#336699,,utensils\n";
const MINT: &str = "\"Date\",\"Description\",\"Original Description\",\"Amount\",\
     \"Transaction Type\",\"Category\",\"Account Name\",\"Labels\",\"Notes\"\n\
     \"5/26/2014\",\"Shop\",\"SHOP 1\",\"3.00\",\"debit\",\"Food\",\"Cash\",\"\",\"\"\n";

both! {
    fn a_file_is_read_as_what_it_is(server) {
        let family = server.family();
        let path = file(&server, "export.qif", QIF);
        let shown = works(&server, &["import", "--dry-run", &path]);
        assert!(shown.starts_with("This is what QifImport reads\n"), "{shown}");
        works(&server, &["import", &path]);
        assert_eq!(transactions(&family), ["2026-02-13 -12.50 USD Bakery @Giro"]);
        let named = ["import", &path, "--type", "TransactionImport"];
        fails(&server, &named, 1, &["send it as QifImport"]);
        let default = json!({ "raw_file_content": QIF });
        family.api.post(IMPORTS, &default).expect_error(422, "invalid_file_type");
    }

    fn what_comes_through_a_pipe_is_read_once(server) {
        let family = server.family();
        family.account("Giro", "depository");
        let pipe = file(&server, "pipe", "");
        std::fs::remove_file(&pipe).unwrap();
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        let target = pipe.clone();
        let csv = "Date,Amount,Name\n2026-01-02,-1.50,A\n";
        let writer = std::thread::spawn(move || std::fs::write(target, csv));
        works(&server, &["import", "--account", "Giro", &pipe]);
        writer.join().unwrap().unwrap();
        assert_eq!(transactions(&family), ["2026-01-02 -1.50 USD A @Giro"]);
    }

    fn a_folder_is_imported_whole(server) {
        let family = server.family();
        let first = file(&server, "a.csv", CATEGORIES);
        let folder = std::path::Path::new(&first).parent().unwrap().join("moving");
        std::fs::create_dir(&folder).unwrap();
        for (name, content) in [
            ("1 mint.csv", MINT),
            ("2.qif", QIF),
            ("3 categories.csv", CATEGORIES),
            (".hidden", "no file"),
        ] {
            std::fs::write(folder.join(name), content).unwrap();
        }
        let folder = folder.to_str().unwrap();
        let shown = works(&server, &["import", folder]);
        let places = ["3 categories.csv", "1 mint.csv", "2.qif"].map(|name| shown.find(name));
        assert!(places.is_sorted() && places[0].is_some(), "{shown}");
        assert_eq!(transactions(&family), [
            "2014-05-26 -3.00 USD Shop #Food @Cash",
            "2026-02-13 -12.50 USD Bakery @Giro",
        ]);
        std::fs::write(format!("{folder}/4.bin"), [0, 1, 2, 3]).unwrap();
        fails(&server, &["import", folder], 1, &["1 of 4 files were not imported", "4.bin"]);
        assert_eq!(transactions(&family).len(), 2, "the others are there already");
    }

    fn the_page_finds_out_what_a_file_is(server) {
        let family = server.family();
        let visitor = server.signed_in(&family);
        let page = visitor.get("/imports/new").expect_page(200, "the content shows it");
        drop(page);
        let form = Multipart::new().text("type", "");
        let form = form.file("file", "x.txt", "text/plain", MINT.as_bytes());
        visitor.post_form("/imports/new", form).expect_status(303);
        let listed = family.api.get(IMPORTS).expect_status(200).json();
        assert_eq!(listed["data"][0]["type"], "MintImport", "{listed}");
    }
}
