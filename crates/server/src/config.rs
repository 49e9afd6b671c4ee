//! Every setting, declared once: name on the command line, name in the environment, default, help.
//!
//! Settings come in three groups, because commands need different ones: where the data is
//! ([`Storage`], for all commands), what imports may do ([`Imports`]), and how the server behaves
//! ([`Server`]). Secrets can also be given as a file (`…_FILE`), which is how containers pass them.

mod objects;
mod providers;
mod secrets;
mod webhooks;

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use purser_app::Secret;
use purser_app::data::Location;
use purser_app::feeds::address::{FeedTemplate, FeedUrl};
use purser_app::network::Network;
use purser_app::secrets::SecretKeys;
use purser_core::error::Error;

use self::objects::ObjectStoreArgs;
pub(crate) use self::providers::ProviderArgs;
use self::secrets::SecretKeyArgs;
pub(crate) use self::webhooks::WebhookArgs;
use crate::limits::{BYTES_IN_FLIGHT_MAX, REQUEST_BYTES};
pub(crate) use backups::Backups;
pub(crate) use inbox::Inbox;

mod backups;
mod inbox;

/// Where the data is.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Data")]
pub(crate) struct Storage {
    /// Folder of the SQLite database and of uploaded files
    #[arg(long, global = true, env = "PURSER_DATA_DIR", default_value = "./purser-data")]
    pub(crate) data_dir: PathBuf,
    /// PostgreSQL to use instead of SQLite: postgres://user:password@host/database
    #[arg(long, global = true, env = "PURSER_DATABASE_URL", hide_env_values = true)]
    database_url: Option<Secret>,
    /// File that holds the database URL
    #[arg(
        long,
        global = true,
        env = "PURSER_DATABASE_URL_FILE",
        conflicts_with = "database_url",
        value_name = "PATH"
    )]
    database_url_file: Option<PathBuf>,
    /// Accept a PostgreSQL role that is a superuser or has BYPASSRLS, to which row-level security
    /// doesn't apply
    #[arg(
        long,
        global = true,
        env = "PURSER_DATABASE_ALLOW_SUPERUSER",
        value_parser = switch,
        default_value = "false",
        default_missing_value = "true",
        num_args = 0..=1,
        require_equals = true
    )]
    database_allow_superuser: bool,
    // Not in the environment, where it would stay.
    /// Begin with an empty database although the folder has uploaded files of another one
    #[arg(long, global = true)]
    new_database: bool,
    #[command(flatten)]
    secret_key: SecretKeyArgs,
    #[command(flatten)]
    object_store: ObjectStoreArgs,
}

impl Storage {
    /// The database URL, read from its file if it was given as one; `None` means SQLite.
    fn database_url(&self) -> std::io::Result<Option<Secret>> {
        secrets::given(&self.database_url, self.database_url_file.as_ref())
    }

    /// The keys that encrypt what families keep secret.
    pub(crate) fn secret_keys(&self) -> Result<SecretKeys, Error> {
        self.secret_key.keys(&self.location()?)
    }

    /// The same for who opens the data; a database URL that was given as a file is read.
    pub(crate) fn location(&self) -> Result<Location, Error> {
        let database_url = self
            .database_url()
            .map_err(|error| Error::internal(format!("can't read the database URL: {error}")))?;
        let (data_dir, new_database) = (self.data_dir.clone(), self.new_database);
        let allow_superuser = self.database_allow_superuser;
        let object_store = self.object_store.object_store()?;
        Ok(Location { data_dir, database_url, allow_superuser, new_database, object_store })
    }
}

/// What imports may do.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Imports")]
pub(crate) struct Imports {
    /// Largest CSV file, in bytes; statements, QIF and spreadsheets may have 32 MiB, a PDF 25 MiB,
    /// a file in the server's own format 256 MiB
    #[arg(
        long,
        env = "PURSER_MAX_CSV_BYTES",
        default_value_t = purser_core::limits::CSV_BYTES_MAX,
        value_parser = clap::value_parser!(u64).range(1..=CSV_BYTES_CEILING)
    )]
    pub(crate) max_csv_bytes: u64,
}

/// Where rates and prices come from. Addresses may hold a key, so help doesn't show them.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Feeds")]
pub(crate) struct Feeds {
    /// Address of exchange rates that is asked once a day: the European Central Bank's file as XML
    /// or CSV, or a CSV with the columns date, base, quote, rate
    #[arg(long, env = "PURSER_RATES_URL", hide_env_values = true, value_name = "URL")]
    rates_url: Option<UnlessBlank<FeedUrl>>,
    /// Address of the prices of a security, with {symbol} in it, that is asked once a day for each
    /// that is held: a CSV with the columns date, close, or the same as JSON
    #[arg(long, env = "PURSER_PRICES_URL", hide_env_values = true, value_name = "URL")]
    prices_url: Option<UnlessBlank<FeedTemplate>>,
    /// Inner addresses or networks, separated by commas, that the names in these two addresses may
    /// lead to, such as 172.18.0.0/16
    #[arg(long, env = "PURSER_FEED_NETWORKS", value_delimiter = ',', value_parser = networks)]
    feed_networks: Vec<Option<Network>>,
}

impl From<Feeds> for purser_app::settings::Feeds {
    fn from(feeds: Feeds) -> Self {
        Self {
            rates_url: feeds.rates_url.and_then(|url| url.0),
            prices_url: feeds.prices_url.and_then(|url| url.0),
            networks: feeds.feed_networks.into_iter().flatten().collect(),
        }
    }
}

/// Offsets into a file are 32-bit numbers, so no operator can raise the limit beyond them.
const CSV_BYTES_CEILING: u64 = u32::MAX as u64;

/// How the server behaves.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Server")]
pub(crate) struct Server {
    /// Address and port to listen on; port 0 takes any free one
    #[arg(long, env = "PURSER_LISTEN", default_value = "127.0.0.1:8080")]
    pub(crate) listen: SocketAddr,
    /// Requests per minute and API key, in the long run; 0 means no limit [default: 600]
    #[arg(long, env = "PURSER_RATE_LIMIT")]
    pub(crate) rate_limit: Option<u32>,
    /// Requests that an API key may send at once before the limit per minute holds it back; 0 means
    /// no limit [default: 10000, or the limit per minute if only that is given]
    #[arg(long, env = "PURSER_RATE_BURST")]
    pub(crate) rate_burst: Option<u32>,
    /// SQLite: rows of one commit of a publish or undo; larger ones are cut up, and others can
    /// write in between [default: 20000]
    #[arg(long, env = "PURSER_PUBLISH_PART_ROWS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) publish_part_rows: Option<u64>,
    /// Open connections, in total; half of them at most that haven't been authenticated
    #[arg(
        long,
        env = "PURSER_MAX_CONNECTIONS",
        default_value_t = 512,
        value_parser = clap::value_parser!(u32).range(1..=65_536)
    )]
    pub(crate) max_connections: u32,
    /// Open connections of one IP address, or of 64 bits of IPv6; trusted proxies are exempt
    #[arg(
        long,
        env = "PURSER_MAX_CONNECTIONS_PER_IP",
        default_value_t = 256,
        value_parser = clap::value_parser!(u32).range(1..=65_536)
    )]
    pub(crate) max_connections_per_ip: u32,
    /// Memory in bytes that requests in flight may take together: bodies and answers that aren't
    /// sent yet. One family may take half of it; beyond, requests wait and are then refused
    #[arg(
        long,
        env = "PURSER_MAX_BYTES_IN_FLIGHT",
        default_value_t = BYTES_IN_FLIGHT_MAX,
        value_parser = clap::value_parser!(u64).range(REQUEST_BYTES..)
    )]
    pub(crate) max_bytes_in_flight: u64,
    /// Proxies: addresses or networks, separated by commas. Their connections have no limit per
    /// address, nothing that they pass on is local, and their headers are believed: X-Forwarded-For
    /// for the address of the client, X-Forwarded-Proto for whether it came over https
    #[arg(long, env = "PURSER_TRUSTED_PROXIES", value_delimiter = ',', value_parser = networks)]
    trusted_proxies: Vec<Option<Network>>,
    /// Who may read /metrics
    #[arg(long, env = "PURSER_METRICS", value_enum, default_value_t = MetricsAccess::Loopback)]
    pub(crate) metrics: MetricsAccess,
    /// Who may make a family of their own on the web pages
    #[arg(long = "signup", env = "PURSER_SIGNUP", value_enum, default_value_t = SignUp::First)]
    pub(crate) sign_up: SignUp,
}

impl Server {
    /// Whether any proxy is named.
    pub(crate) fn has_trusted_proxies(&self) -> bool {
        self.trusted_proxies.iter().flatten().next().is_some()
    }

    /// Whether a peer is one of the proxies.
    pub(crate) fn trusts(&self, peer: IpAddr) -> bool {
        self.trusted_proxies.iter().flatten().any(|network| network.contains(peer))
    }
}

/// How the log is written.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Log")]
pub(crate) struct Log {
    /// What is logged: a level, or a filter such as info,purser=debug [default: info for the
    /// server, warn for other commands]
    #[arg(long = "log", global = true, env = "PURSER_LOG")]
    pub(crate) filter: Option<String>,
    /// The form of the log
    #[arg(
        long = "log-format",
        global = true,
        env = "PURSER_LOG_FORMAT",
        value_enum,
        default_value_t = LogFormat::Text
    )]
    pub(crate) format: LogFormat,
}

/// The form of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// One readable line per event
    Text,
    /// One JSON object per event
    Json,
}

/// Who may read the metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MetricsAccess {
    /// The machine that the server runs on
    Loopback,
    /// Everybody who reaches the port
    Open,
    /// Nobody may read them
    Off,
}

/// Who may make a family of their own on the web pages. The command line always can.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SignUp {
    /// Everybody who reaches the port
    Open,
    /// The first who comes, while there is no user
    First,
    /// Nobody can sign up
    Closed,
}

/// One item of a list that may be empty: an empty variable is an empty list.
fn networks(text: &str) -> Result<Option<Network>, String> {
    match text.trim() {
        "" => Ok(None),
        item => item.parse().map(Some),
    }
}

/// A value, or none: an empty variable is how some tools write one that isn't set.
#[derive(Debug, Clone)]
struct UnlessBlank<T>(Option<T>);

impl<T: FromStr> FromStr for UnlessBlank<T> {
    type Err = T::Err;

    fn from_str(text: &str) -> Result<Self, T::Err> {
        if text.trim().is_empty() { Ok(Self(None)) } else { text.parse().map(|it| Self(Some(it))) }
    }
}

/// A switch by its words, whatever their case. An empty variable is off.
fn switch(text: &str) -> Result<bool, &'static str> {
    match text.trim().to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" | "on" => Ok(true),
        "" | "0" | "false" | "no" | "off" => Ok(false),
        _ => Err("must be 1, true, yes or on, or 0, false, no or off"),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use purser_app::settings;

    use super::*;

    #[derive(Debug, Parser)]
    struct Program {
        #[command(flatten)]
        storage: Storage,
        #[command(flatten)]
        server: Server,
        #[command(flatten)]
        feeds: Feeds,
    }

    #[test]
    fn feeds_are_off_unless_they_have_an_address_that_is_never_printed() {
        let feeds_of =
            |arguments: &[&str]| settings::Feeds::from(Program::parse_from(arguments).feeds);
        let none = feeds_of(&["purser", "--rates-url="]);
        assert!(none.rates_url.is_none() && none.prices_url.is_none());
        let arguments = [
            "purser",
            "--rates-url=https://a.example/canary",
            "--prices-url=http://b/{symbol}/canary",
        ];
        let feeds = feeds_of(&arguments);
        assert!(feeds.rates_url.is_some() && feeds.prices_url.is_some());
        assert!(!format!("{feeds:?}").contains("canary"));
        for wrong in ["--rates-url=file:///x", "--prices-url=https://a.example/"] {
            assert!(Program::try_parse_from(["purser", wrong]).is_err(), "{wrong}");
        }
    }

    #[test]
    fn switches_know_their_words_only() {
        assert_eq!(["1", "true", "TRUE", "Yes", " yes ", "on"].map(switch), [Ok(true); 6]);
        assert_eq!(["", "0", "false", "No", "off"].map(switch), [Ok(false); 5]);
        assert!(["2", "truee", "enabled"].iter().all(|wrong| switch(wrong).is_err()));
    }

    #[test]
    fn proxies_are_a_list_and_none_by_default() {
        let program = Program::parse_from(["purser", "--trusted-proxies", "10.0.0.1, fd00::/8"]);
        assert!(program.server.trusts("10.0.0.1".parse().unwrap()));
        assert!(program.server.trusts("fd12::1".parse().unwrap()));
        assert!(!program.server.trusts("10.0.0.2".parse().unwrap()));
        let program = Program::parse_from(["purser", "--trusted-proxies="]);
        assert!(!program.server.trusts("127.0.0.1".parse().unwrap()));
    }

    #[test]
    fn signing_up_is_for_the_first_by_default() {
        use clap::CommandFactory as _;

        let help = Program::command().render_long_help().to_string();
        assert!(help.contains("PURSER_SIGNUP"));
        assert_eq!(Program::parse_from(["purser"]).server.sign_up, SignUp::First);
        assert!(Program::try_parse_from(["purser", "--signup=all"]).is_err());
        let allows = |arguments: &[&str]| {
            Program::parse_from(arguments).storage.location().unwrap().allow_superuser
        };
        assert!(!allows(&["purser"]) && allows(&["purser", "--database-allow-superuser"]));
    }

    #[test]
    fn the_secret_key_is_long_enough_and_never_printed() {
        let key = "canary-0123456789abcdef0123456789";
        let program = Program::parse_from(["purser", "--secret-key", key]);
        assert!(program.storage.secret_keys().is_ok());
        assert!(!format!("{program:?}").contains("canary"));
        let short = Program::parse_from(["purser", "--secret-key", "canary"]).storage;
        let error = short.secret_keys().unwrap_err().to_string();
        assert!(error.contains("32 characters") && !error.contains("canary"), "{error}");
    }

    #[test]
    fn the_database_url_can_be_a_file_and_is_never_printed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("url");
        std::fs::write(&path, "postgres://canary\n").unwrap();
        let program =
            Program::parse_from(["purser", "--database-url-file", path.to_str().unwrap()]);
        let url = program.storage.database_url().unwrap().unwrap();
        assert_eq!(url.reveal(), "postgres://canary");
        let program = Program::parse_from(["purser", "--database-url", "postgres://canary"]);
        assert!(!format!("{program:?}").contains("canary"));
    }
}
