//! Pages of many kinds of sites, each with the brand that a designer would write down.

use super::brand_of;
use limner_page_view::PageView;
use limner_test_pages::{add_resource, page, request};
use limner_types::Operation;
use serde_json::{Value, json};

/// A page of `sites/` and the expected result.
struct Site {
    html: &'static str,
    /// Colours: primary, background, text.
    colors: [Option<&'static str>; 3],
    /// Families: primary, mono, heading.
    fonts: [Option<&'static str>; 3],
    site_name: Option<&'static str>,
    theme: &'static str,
    /// End of the logo's URL; `data:` for inline markup.
    logo: Option<&'static str>,
    /// URLs of profiles, without `https://`.
    socials: &'static [&'static str],
}

macro_rules! site {
    ($name:literal) => {
        include_str!(concat!("sites/", $name, ".html"))
    };
}

const SITES: &[Site] = &[
    Site {
        html: site!("bootstrap"),
        colors: [Some("#d6336c"), Some("#ffffff"), Some("#212529")],
        fonts: [Some("Nunito"), None, None],
        site_name: Some("Harbour Cycles"),
        theme: "light",
        logo: Some("/img/harbour.svg"),
        socials: &["www.facebook.com/harbourcycles", "www.instagram.com/harbourcycles"],
    },
    Site {
        html: site!("tailwind"),
        colors: [Some("#4f46e5"), Some("#ffffff"), Some("#111827")],
        fonts: [Some("Inter"), None, None],
        site_name: Some("Relay"),
        theme: "light",
        logo: Some("data:"),
        socials: &["x.com/relayinbox", "github.com/relay-inbox"],
    },
    Site {
        html: site!("material"),
        colors: [Some("#00695c"), Some("#fafafa"), Some("#000000de")],
        fonts: [Some("Roboto"), None, None],
        site_name: None,
        theme: "light",
        logo: Some("/static/fernlog-white.png"),
        socials: &[],
    },
    Site {
        html: site!("dark"),
        colors: [Some("#22d3ee"), Some("#0b0f19"), Some("#e5e7eb")],
        fonts: [Some("Space Grotesk"), Some("Fira Code"), None],
        site_name: None,
        theme: "dark",
        logo: Some("/brand/nightjar-light.svg"),
        socials: &["discord.gg/nightjar", "github.com/nightjar/nightjar"],
    },
    Site {
        html: site!("wordpress"),
        colors: [Some("#a4501f"), Some("#fffaf3"), Some("#3b2f2a")],
        fonts: [Some("Source Sans Pro"), None, Some("Playfair Display")],
        site_name: Some("Bäckerei Sommer"),
        theme: "light",
        logo: Some("/wp-content/uploads/sommer.png"),
        socials: &["www.facebook.com/baeckereisommer", "www.instagram.com/baeckerei.sommer"],
    },
    Site {
        html: site!("docs"),
        colors: [Some("#b4530a"), Some("#ffffff"), Some("#1c1e21")],
        fonts: [Some("IBM Plex Sans"), Some("IBM Plex Mono"), None],
        site_name: Some("Quarry"),
        theme: "light",
        logo: Some("/img/quarry.svg"),
        socials: &["github.com/quarry/quarry"],
    },
    Site {
        html: site!("shop"),
        colors: [Some("#14532d"), Some("#ffffff"), Some("#1f2937")],
        fonts: [Some("DM Sans"), None, None],
        site_name: Some("Fir & Finch"),
        theme: "light",
        logo: Some("/files/fir-and-finch.png?v=1614"),
        socials: &["www.pinterest.com/firandfinch", "www.instagram.com/firandfinch", "www.tiktok.com/@firandfinch"],
    },
    Site {
        html: site!("news"),
        colors: [Some("#9b1c1c"), Some("#ffffff"), Some("#121212")],
        fonts: [Some("Merriweather"), None, Some("Work Sans")],
        site_name: Some("The Estuary Post"),
        theme: "light",
        logo: Some("data:"),
        socials: &[
            "www.facebook.com/estuarypost",
            "x.com/estuarypost",
            "bsky.app/profile/estuarypost.example",
            "www.youtube.com/user/estuarypost",
        ],
    },
    Site {
        html: site!("widgets"),
        colors: [Some("#6d28d9"), Some("#ffffff"), Some("#27272a")],
        fonts: [Some("Karla"), None, None],
        site_name: None,
        theme: "light",
        logo: Some("/media/lumen-physio.png"),
        socials: &[],
    },
    Site {
        html: site!("customers"),
        colors: [Some("#0e7490"), Some("#ffffff"), Some("#0f172a")],
        fonts: [Some("Manrope"), None, None],
        site_name: None,
        theme: "light",
        logo: Some("data:"),
        socials: &["www.linkedin.com/company/tally-ledger", "www.youtube.com/@tallyledger"],
    },
    Site {
        html: site!("pair"),
        colors: [Some("#0ea5a4"), Some("#ffffff"), Some("#18181b")],
        fonts: [Some("Public Sans"), None, None],
        site_name: Some("Pebble"),
        theme: "light",
        logo: Some("/pebble-black.svg"),
        socials: &[],
    },
    Site {
        html: site!("person"),
        colors: [None, Some("#fdfdfc"), Some("#1c1917")],
        fonts: [Some("EB Garamond"), None, None],
        site_name: None,
        theme: "light",
        logo: None,
        socials: &[
            "bsky.app/profile/lindqvist.example",
            "social.lindqvist.example/@mara",
            "github.com/maralindqvist",
            "www.instagram.com/mara.draws",
        ],
    },
    Site {
        html: site!("university"),
        colors: [Some("#7b1113"), Some("#ffffff"), Some("#333333")],
        fonts: [Some("Open Sans"), None, None],
        site_name: None,
        theme: "light",
        logo: Some("/images/northmoor_crest.png"),
        socials: &[
            "www.facebook.com/northmooruni",
            "www.linkedin.com/school/northmoor-university",
            "www.youtube.com/channel/UCnorthmoor",
        ],
    },
    Site {
        html: site!("restaurant"),
        colors: [Some("#b08d57"), Some("#faf7f2"), Some("#2d2a26")],
        fonts: [Some("Lato"), None, Some("Cormorant Garamond")],
        site_name: None,
        theme: "light",
        logo: Some("/img/olmo-bianco.svg"),
        socials: &[
            "www.instagram.com/trattoria.olmo",
            "www.facebook.com/pages/Trattoria-Olmo/123456",
            "www.yelp.com/biz/trattoria-olmo-torino",
        ],
    },
    Site {
        html: site!("gradient"),
        colors: [Some("#7c3aed"), Some("#ffffff"), Some("#1e1b4b")],
        fonts: [Some("Sora"), None, None],
        site_name: Some("Orbitly"),
        theme: "light",
        logo: Some("data:"),
        socials: &[],
    },
    Site {
        html: site!("shell"),
        colors: [Some("#c2570c"), Some("#fffdf8"), Some("#33281e")],
        fonts: [Some("Rubik"), None, None],
        site_name: Some("Kettle"),
        theme: "light",
        logo: None,
        socials: &[],
    },
    Site {
        html: site!("japanese"),
        colors: [Some("#1f5f5b"), Some("#fbfaf5"), Some("#2f2f2f")],
        fonts: [Some("Noto Sans JP"), None, None],
        site_name: Some("星の営業所"),
        theme: "light",
        logo: Some("/images/common/logo_hoshi.png"),
        socials: &["lin.ee/AbCdEf", "x.com/hoshi_bungu", "note.com/hoshi"],
    },
];

fn result(site: &Site) -> Value {
    let mut page = page(site.html);
    page.url = "https://page.example/".to_owned();
    for (path, name) in [("site.webmanifest", "Pebble"), ("manifest.json", "Kettle")] {
        let manifest = json!({ "name": name, "icons": [] }).to_string();
        add_resource(&mut page, &format!("https://page.example/{path}"), "application/manifest+json", &manifest);
    }
    brand_of(&page)
}

#[test]
fn results_match_the_labels_of_designers() {
    let mut wrong = Vec::new();
    for site in SITES {
        let result = result(site);
        let title = result["title"].as_str().unwrap_or_default();
        let mut check = |what: &str, found: &Value, expected: Value| {
            if *found != expected {
                let why = &result["evidence"][what];
                wrong.push(format!("{title}: {what} is {found}, not {expected}; {why}"));
            }
        };
        for (role, expected) in ["primary", "background", "text"].iter().zip(site.colors) {
            check(&format!("colors.{role}"), &result["colors"][role], json!(expected));
        }
        for (role, expected) in ["primary", "mono", "heading"].iter().zip(site.fonts) {
            check(&format!("fonts.{role}"), &result["fonts"][role], json!(expected));
        }
        check("siteName", &result["siteName"], json!(site.site_name));
        check("theme", &result["theme"], json!(site.theme));
        let logo = result["logo"].as_str();
        let is_right = match site.logo {
            Some("data:") => logo.is_some_and(|logo| logo.starts_with("data:image/svg+xml")),
            Some(end) => logo.is_some_and(|logo| logo.ends_with(end)),
            None => logo.is_none(),
        };
        if !is_right {
            check("logo", &json!(logo.map(|logo| logo.get(..60).unwrap_or(logo))), json!(site.logo));
        }
        let urls = result["socials"].as_array().into_iter().flatten().map(|social| social["url"].clone());
        let expected = site.socials.iter().map(|address| json!(format!("https://{address}")));
        check("socials", &urls.collect(), expected.collect());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn results_are_deterministic() {
    for site in SITES {
        let page = page(site.html);
        let run = || crate::extract(&PageView::new(&page), &request(Operation::Brand)).unwrap().body;
        let first = run();
        assert!((0..3).all(|_| run() == first), "{}", &site.html[..80]);
    }
}

#[test]
fn texts_are_decoded_and_collapsed() {
    let find = |title: &str| SITES.iter().map(result).find(|result| result["title"] == title);
    assert!(find("Fir & Finch – Home goods").is_some());
    let bakery = find("Bäckerei Sommer – Brot & Brötchen aus Freiburg").unwrap();
    assert_eq!(bakery["description"], "Brot aus dem Holzofen, „wie früher“.");
    let stationer = find("星の営業所｜手しごとの文具").unwrap();
    assert_eq!(stationer["description"], "紙と インクの 小さな店");
}
