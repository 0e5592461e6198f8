use super::*;

fn load(file: &str, environment: &[(&str, &str)]) -> Result<Settings, SettingsErrors> {
    let environment = environment.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Settings::from_sources(Some((Path::new("limner.toml"), file)), environment)
}

#[test]
fn defaults_are_valid_and_match_the_contract() {
    let settings = load("", &[]).unwrap();
    let limits = &settings.limits;
    let sizes = (limits.url_bytes.0, limits.html_bytes.0, limits.css_bytes.0, limits.result_bytes.0);
    assert_eq!(sizes, (2_048, 10_000_000, 20_000_000, 8_000_000));
    assert_eq!((limits.redirects, limits.stylesheets), (10, 100));
    let times = (limits.static_read.as_secs(), limits.browser_read.as_secs(), limits.call.as_secs());
    assert_eq!(times, (15, 30, 45));
    assert_eq!(settings.cache.result_ttl.as_secs(), 24 * 3_600);
    assert_eq!(settings.gateway.listen.to_string(), "127.0.0.1:8080");
    assert_eq!(settings.admin.listen.to_string(), "127.0.0.1:9090");
    assert_eq!(settings.public_url.as_str(), "http://127.0.0.1:8080");
    assert_eq!(settings.data_dir, Path::new("/var/lib/limner"));
    assert!(settings.egress.allow.is_empty() && settings.egress.hosts.is_empty());
}

#[test]
fn environment_wins_over_the_file_and_the_file_over_defaults() {
    let file = "[gateway]\nlisten = \"127.0.0.1:1\"\n[admin]\nlisten = \"127.0.0.1:2\"\n[limits]\nhtml_bytes = 1000\n";
    let environment = [
        ("LIMNER__GATEWAY__LISTEN", "127.0.0.1:3"),
        ("LIMNER__EGRESS__ALLOW", "127.0.0.1/32, 10.0.0.0/8"),
        ("LIMNER__EGRESS__HOSTS", "Site.test=127.0.0.1:81"),
        ("LIMNER__CONSOLE__WATCH", "mcp=http://10.0.0.6:9090/, renderer=http://10.0.0.5:9090"),
        ("LIMNER__REDIS__URL", ""),
        ("LIMNER_CONFIG", "ignored"),
        ("PATH", "ignored"),
    ];
    let settings = load(file, &environment).unwrap();
    assert_eq!((settings.gateway.listen.port(), settings.admin.listen.port()), (3, 2));
    assert_eq!(settings.limits.html_bytes.0, 1_000);
    assert_eq!(settings.egress.allow.len(), 2);
    assert_eq!(settings.egress.hosts["site.test"].port(), 81);
    let watched: Vec<_> = settings.console.watch.iter().map(|(role, url)| (*role, url.as_str())).collect();
    let expected = [(WatchedRole::Renderer, "http://10.0.0.5:9090"), (WatchedRole::Mcp, "http://10.0.0.6:9090")];
    assert_eq!(watched, expected);
    assert!(settings.redis.url.is_none());
}

type Environment<'a> = &'a [(&'a str, &'a str)];

/// Each case: a configuration, and the text that its error message must contain.
#[test]
fn errors_name_the_place_and_the_expected_value() {
    let table: &[(&str, Environment<'_>, &str)] = &[
        ("[gateway]\nlisten = 8080", &[], "limner.toml: gateway.listen: `8080` is not an address with a port"),
        ("", &[("LIMNER__GATEWAY__LISTEN", "localhost")], "LIMNER__GATEWAY__LISTEN: `localhost` is not an address"),
        ("[gateway]\nlissten = \"127.0.0.1:1\"", &[], "no setting `gateway.lissten`; did you mean `gateway.listen`?"),
        ("[gatway]\nlisten = \"127.0.0.1:1\"", &[], "did you mean `gateway.listen`?"),
        ("", &[("LIMNER__LIMITS__HTML_BYTE", "1")], "LIMNER__LIMITS__HTML_BYTE: there is no setting"),
        ("zzz = 1", &[], "there is no setting `zzz`; `limner config dump` lists all"),
        ("gateway = 3", &[], "there is no setting `gateway`"),
        ("[gateway\n", &[], "limner.toml: TOML parse error"),
        ("public_url = \"127.0.0.1:8080\"", &[], "public_url"),
        ("public_url = \"http://a.test/v1\"", &[], "is not an address such as"),
        ("[limits]\nstatic_read = 15", &[], "limits.static_read: `15` is not a duration"),
        ("[limits]\nstatic_read = \"0s\"", &[], "is not a duration"),
        ("[limits]\nhtml_bytes = -1", &[], "is not a size"),
        ("[limits]\nhtml_bytes = \"10 furlongs\"", &[], "is not a size"),
        ("[limits]\nredirects = 0", &[], "a whole number from 1"),
        ("[limits]\nresult_bytes = \"8MiB\"", &[], "does not fit"),
        ("[renderer]\nenabled = \"yes\"", &[], "true or false"),
        ("[log]\nformat = \"xml\"", &[], "auto, json, pretty"),
        ("[log]\nlevel = \"loud\"", &[], "a level"),
        ("[objects]\nurl = \"ftp://x\"", &[], "s3://bucket"),
        ("[egress]\nallow = [\"10.0.0.0/40\"]", &[], "a list of networks"),
        ("[egress.hosts]\n\"site.test\" = \"nowhere\"", &[], "names with sockets"),
        ("[egress.hosts]\n\"site.test\" = \"127.0.0.1:81\"", &[], "add \"127.0.0.1/32\" to egress.allow"),
        (
            "[console.watch]\ngateway = \"http://127.0.0.1:9090\"",
            &[],
            "is not fetcher, renderer, extractor and mcp with URLs",
        ),
        ("", &[("LIMNER__CONSOLE__WATCH", "fetcher=127.0.0.1:9090")], "is not fetcher, renderer, extractor and mcp"),
        ("[egress]\nextra_ca = \"/no/such/file\"", &[], "egress.extra_ca: /no/such/file cannot be read"),
        ("[limits]\nstatic_read = \"45s\"", &[], "limits.static_read: 45s is not shorter than limits.call (45s)"),
        ("[limits]\nbrowser_read = \"1m\"", &[], "limits.browser_read: 1m is not shorter"),
        ("[nats]\nack_wait = \"30s\"", &[], "nats.ack_wait"),
        ("[nats]\nmax_job_age = \"10s\"", &[], "nats.max_job_age"),
        ("[limits]\nqueue = \"50s\"", &[], "limits.queue: 50s is not shorter than limits.call (45s)"),
        ("[metering]\nhold_life = \"45s\"", &[], "at least limits.call + 15s (1m)"),
        ("[shutdown]\ngrace = \"5s\"", &[], "shutdown.grace: 5s is shorter than limits.call (45s)"),
        ("[cache]\nsnapshot_ttl = \"2d\"", &[], "cache.snapshot_ttl"),
        ("[cache]\nsnapshot_bytes = \"65MB\"", &[], "it is more than cache.snapshot_share"),
        ("[nats]\nstorage = \"memory\"", &[], "nats.storage: memory with nats.replicas 1"),
        ("[nats]\nstorage = \"tape\"", &[], "one of file, memory"),
        ("[metering]\nhistory_retention = \"23h\"", &[], "metering.history_retention: less than a day"),
        ("[billing]\nprovider = \"barter\"", &[], "one of manual, stripe"),
        ("[billing]\ncurrency = \"gbp\"", &[], "one of eur, usd"),
        ("[billing]\ntax_code = \"saas\"", &[], "txcd_10103001"),
        (
            "[billing]\nprovider = \"stripe\"",
            &[],
            "billing.stripe_webhook_secret: billing.provider = \"stripe\" needs it",
        ),
        ("[billing.prices]\ngrowth = 79", &[], "names with prices"),
        ("", &[("LIMNER__POSTGRES__URL_FILE", "/no/such/file")], "LIMNER__POSTGRES__URL_FILE: /no/such/file cannot"),
        ("", &[("LIMNER__GATEWAY__LISTEN_FILE", "/etc/hostname")], "LIMNER__GATEWAY__LISTEN_FILE: there is no setting"),
    ];
    for (file, environment, says) in table {
        let faults = load(file, environment).unwrap_err();
        assert!(faults.to_string().contains(says), "{file:?} {environment:?}:\n{faults}");
    }
}

#[test]
fn all_errors_are_listed_at_once() {
    let file = "[gateway]\nlisten = 1\n[limits]\ncall = \"1s\"\n[nope]\nx = 1";
    let faults = load(file, &[("LIMNER__ADMIN__LISTEN", "x")]).unwrap_err();
    assert!(faults.0.len() >= 6, "{faults}");
    assert!(faults.to_string().starts_with("The configuration has "));
}

#[test]
fn nats_credentials_are_a_file_or_a_seed() {
    let seed = format!("SU{}", "A".repeat(56));
    let file = format!(
        "-----BEGIN NATS USER JWT-----\nx\n------END NATS USER JWT------\n-----BEGIN USER NKEY SEED-----\n{seed}\n"
    );
    for (text, is_valid) in [(seed.as_str(), true), (&file, true), ("SUSHI", false), ("user:password", false)] {
        let loaded = load("", &[("LIMNER__NATS__CREDENTIALS", text)]);
        assert_eq!(loaded.is_ok(), is_valid, "{text}");
        let shown = loaded.map_or_else(|faults| faults.to_string(), |settings| settings.dump());
        assert!(!shown.contains(text.trim()), "{shown}");
    }
    let path = std::env::temp_dir().join(format!("limner-settings-{}.creds", std::process::id()));
    std::fs::write(&path, &file).unwrap();
    let settings = load("", &[("LIMNER__NATS__CREDENTIALS_FILE", path.to_str().unwrap())]).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(settings.nats.credentials.unwrap().expose(), file.trim());
}

#[test]
fn paths_come_from_variables_that_end_like_those_of_files() {
    let settings = load("", &[("LIMNER__CONSOLE__SMTP_CA_FILE", "/etc/ca.pem")]).unwrap();
    assert_eq!(settings.console.smtp_ca_file.as_deref(), Some(std::path::Path::new("/etc/ca.pem")));
}

#[test]
fn secrets_come_from_files_and_never_show() {
    let secret = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(secret.path(), "postgres://limner:geheim@db/limner\n").unwrap();
    let path = secret.path().to_str().unwrap();
    let settings = load("", &[("LIMNER__POSTGRES__URL_FILE", path)]).unwrap();
    assert_eq!(settings.postgres.url.as_ref().unwrap().expose(), "postgres://limner:geheim@db/limner");
    assert!(settings.dump().contains("postgres://***@db/limner"));

    let both = [("LIMNER__POSTGRES__URL_FILE", path), ("LIMNER__POSTGRES__URL", "postgres://x:geheim@db/y")];
    let broken = [("LIMNER__REDIS__URL", "geheim")];
    for environment in [both.as_slice(), broken.as_slice()] {
        let faults = load("", environment).unwrap_err().to_string();
        assert!(!faults.contains("geheim"), "{faults}");
    }
    assert!(!format!("{settings:?}{}", settings.dump()).contains("geheim"));
}

#[test]
fn secret_may_end_with_a_newline() {
    for (variable, text) in [
        ("LIMNER__POSTGRES__URL", "postgres://limner:geheim@one:5432,two:5432/limner"),
        ("LIMNER__POSTGRES__URL", "postgres://limner:ge,heim@db/limner"),
        ("LIMNER__REDIS__URL", "redis://:geheim@cache"),
        ("LIMNER__NATS__URL", "nats://limner:geheim@one:4222,nats://limner:geheim@two:4222"),
        ("LIMNER__EGRESS__SECRET", "proxy and renderers of a test know this"),
        ("LIMNER__METERING__TOKEN", "metering and its clients of a test know this"),
        ("LIMNER__BILLING__STRIPE_SECRET_KEY", "sk_test_1"),
        ("LIMNER__BILLING__STRIPE_WEBHOOK_SECRET", "whsec_1,whsec_2"),
    ] {
        let read = |variable: &str, value: &str| {
            let settings = load("", &[(variable, value)]).unwrap();
            format!("{:?}", secrets_of(&settings))
        };
        let plain = read(variable, text);
        for end in ["\n", "\r\n", " \n\n"] {
            let value = format!("{text}{end}");
            assert_eq!(read(variable, &value), plain, "{variable}");
            let file = tempfile::NamedTempFile::new().unwrap();
            std::fs::write(file.path(), &value).unwrap();
            assert_eq!(read(&format!("{variable}_FILE"), file.path().to_str().unwrap()), plain, "{variable}_FILE");
        }
        assert!(plain.contains(text.split(',').next().unwrap()), "{variable}: {plain}");
    }
}

/// Returns secrets in clear.
fn secrets_of(settings: &Settings) -> Vec<&str> {
    let urls = [&settings.postgres.url, &settings.redis.url, &settings.nats.url];
    let shared = [&settings.egress.secret, &settings.metering.token];
    let billing = [&settings.billing.stripe_secret_key, &settings.billing.stripe_webhook_secret];
    let shared = shared.into_iter().flatten().flat_map(SharedSecret::accepted);
    let plain = urls.into_iter().flatten().chain(shared).map(|secret| secret.expose());
    plain.chain(billing.into_iter().flatten().map(|secret| secret.expose())).collect()
}

/// Sets every setting to URLs with credentials, valid and malformed ones, in the environment and in a file.
#[test]
fn credentials_in_urls_are_never_shown_for_any_setting() {
    let keys: Vec<&str> = load("", &[]).unwrap().effective.iter().map(|setting| setting.key).collect();
    let (mut accepted, mut refused) = (0, 0);
    for key in keys {
        let variable = format!("LIMNER__{}", key.replace('.', "__").to_uppercase());
        for value in [
            "postgres://geheim:geheim@host:5432/x",
            "https://geheim@host.example",
            "https://geheim:geheim@host.example/path",
            "https://host.example?key=geheim",
            "https://host.example/#geheim",
            "https://host.example:port:geheim@x",
            "s3://geheim:geheim@bucket",
            "s4://geheim:geheim@bucket",
            "https:/geheim:geheim@host.example",
            "https:geheim:geheim@host.example",
            "https://u:geheim geheim@host.example",
            "nats://a:geheim@one,nats://b:geheim@two",
        ] {
            let quoted = format!("{value:?}");
            let (section, name) = key.rsplit_once('.').unwrap_or(("", key));
            let header = if section.is_empty() { String::new() } else { format!("[{section}]\n") };
            let file = format!("{header}{name} = {quoted}\n");
            let cut = format!("{header}{name} = {}\n", quoted.trim_end_matches('"'));
            for (file, environment) in [("", Some(value)), (file.as_str(), None), (cut.as_str(), None)] {
                let environment: Vec<_> = environment.iter().map(|value| (variable.as_str(), *value)).collect();
                let shown = match load(file, &environment) {
                    Ok(settings) => {
                        accepted += 1;
                        format!("{}{settings:?}", settings.dump())
                    }
                    Err(faults) => {
                        refused += 1;
                        format!("{faults}{faults:?}")
                    }
                };
                // A path may have any name.
                let is_path = key.ends_with("_dir")
                    || key.ends_with("_file")
                    || ["renderer.chromium", "egress.extra_ca", "nats.extra_ca"].contains(&key);
                assert!(is_path || !shown.contains("geheim"), "{key} = {value}: {shown}");
            }
        }
    }
    assert!(accepted > 50 && refused > 500, "{accepted} {refused}");
}

#[test]
fn dump_is_a_configuration_with_the_same_meaning() {
    let file = "[egress]\nallow = [\"127.0.0.1/32\"]\n[egress.hosts]\n\"site.test\" = \"127.0.0.1:81\"\n";
    let settings = load(file, &[]).unwrap();
    let again = load(&settings.dump(), &[]).unwrap();
    assert_eq!(again.effective, settings.effective);
    assert!(settings.dump().contains("call = \"45s\""));
}

#[test]
fn missing_servers_are_all_named() {
    let settings = load("[redis]\nurl = \"redis://cache:6379\"", &[]).unwrap();
    let faults = settings.require(&[Server::Postgres, Server::Redis, Server::Nats]).unwrap_err();
    let places: Vec<&str> = faults.0.iter().map(|fault| fault.location.as_str()).collect();
    assert_eq!(places, ["postgres.url", "nats.url"]);
}
