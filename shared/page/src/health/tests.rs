use super::*;

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

fn health_of(html: &str) -> Health {
    health_at("https://a.test/page", "https://a.test/page", &[], html)
}

fn health_at(requested: &str, landed: &str, headers: &[(&str, &str)], html: &str) -> Health {
    let headers: Vec<_> = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let (requested, landed) = (url(requested), url(landed));
    let response = Response { status: 200, requested: &requested, url: &landed, headers: &headers, html };
    assess(&response, &Document::parse(html))
}

const CHALLENGES: &[(&str, &str)] = &[
    (
        "Cloudflare",
        "<!DOCTYPE html><html lang=en-US><head><title>Just a moment...</title><meta name=robots content=noindex,nofollow>\
         <meta http-equiv=refresh content=390></head><body><div class=main-wrapper role=main><div class=main-content><noscript>\
         <div class=h2><span id=challenge-error-text>Enable JavaScript and cookies to continue</span></div></noscript></div></div>\
         <script>(function(){window._cf_chl_opt={cvId:'3',cZone:'a.test',cType:'managed'};var a=document.createElement('script');\
         a.src='/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1?ray=8';})();</script></body></html>",
    ),
    (
        "Cloudflare",
        "<html><head><title>Attention Required! | Cloudflare</title><link rel=stylesheet href=/cdn-cgi/styles/cf.errors.css>\
         </head><body><div id=cf-wrapper><div id=cf-error-details class='cf-error-details-wrapper'><h1>Sorry, you have been \
         blocked</h1><h2>You are unable to access a.test</h2><p>This website is using a security service.</p></div></div></body>",
    ),
    (
        "Akamai",
        "<HTML><HEAD><TITLE>Access Denied</TITLE></HEAD><BODY><H1>Access Denied</H1>You don't have permission to access \
         \"http&#58;&#47;&#47;a&#46;test\" on this server.<P>Reference&#32;&#35;18&#46;1c<P>https://errors.edgesuite.net/18.1c</BODY>",
    ),
    (
        "Akamai",
        "<html><head><title>&nbsp;</title></head><body><script src=/x/y/z></script><div id=sec-if-cpt-container><div \
         class=behavioral-content></div></div></body></html>",
    ),
    (
        "DataDome",
        "<html lang=en><head><title>a.test</title><style>#cmsg{animation:A 1.5s}</style></head><body style=margin:0><p \
         id=cmsg>Please enable JS and disable any ad blocker</p><script data-cfasync=false>var dd={'rt':'c','cid':'x','hsh':'y',\
         't':'bv','host':'geo.captcha-delivery.com'}</script><script src=https://ct.captcha-delivery.com/c.js></script></body>",
    ),
    (
        "PerimeterX",
        "<html><head><title>Access to this page has been denied</title></head><body><script>window._pxAppId='PX1';</script>\
         <h1>Press &amp; Hold to confirm you are a human (and not a bot).</h1><div id=px-captcha></div></body></html>",
    ),
    (
        "Imperva",
        "<html style=height:100%><head><META NAME=ROBOTS CONTENT=NOINDEX></head><body style='margin:0;height:100%'><iframe \
         id=main-iframe src='/_Incapsula_Resource?SWUDNSAI=31&xinfo=1&incident_id=2' frameborder=0>Request unsuccessful. \
         Incapsula incident ID: 2</iframe></body></html>",
    ),
    (
        "AWS WAF",
        "<html lang=en><head><title></title><script>window.awsWafCookieDomainList=[];window.gokuProps={key:'x'};</script>\
         <script src='https://1.token.awswaf.com/1/challenge.js'></script></head><body><div id=challenge-container></div>\
         <noscript><h1>JavaScript is disabled</h1></noscript></body></html>",
    ),
    (
        "hCaptcha",
        "<html><head><title>a.test</title><script src=https://js.hcaptcha.com/1/api.js async></script></head><body><p>Please \
         confirm that you are a human.</p><form><div class=h-captcha data-sitekey=x></div><input type=submit></form></body>",
    ),
    (
        "Anubis",
        "<!doctype html><html lang=en><head><title>Making sure you&#39;re not a bot!</title><link rel=stylesheet \
         href='/.within.website/x/xess/xess.css'><script id=anubis_version type=application/json>\"v1\"</script><script \
         id=anubis_challenge type=application/json>{\"rules\":{}}</script></head><body><main><h1>Making sure you're not a \
         bot!</h1><img src='/.within.website/x/cmd/anubis/static/img/pensive.webp'><p>You are seeing this because the \
         administrator has set up Anubis to protect the server against AI companies scraping websites.</p></main></body>",
    ),
    (
        "F5",
        "<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Please consult with your \
         administrator.<br><br>Your support ID is: 123<br><a href='javascript:history.back();'>[Go Back]</a></body></html>",
    ),
    (
        "Sucuri",
        "<html><title>You are being redirected...</title><noscript>Javascript is required.</noscript><script>var s={},u,c,U,r,i,\
         l=0,a,e=eval,w=String.fromCharCode,sucuri_cloudproxy_js='',S='cz0i';</script></html>",
    ),
    (
        "SiteGround",
        "<html><head><link rel=icon href=data:;><meta http-equiv=refresh content='0;/.well-known/sgcaptcha/?r=%2F'></head></html>",
    ),
    (
        "Kasada",
        "<!DOCTYPE html><html><head></head><body><script>window.KPSDK={};KPSDK.now=1;</script><script src='/149e9513/2d206a39/ips.js'>\
         </script></body></html>",
    ),
    (
        "reCAPTCHA",
        "<html><head><title>One more step</title></head><body><h2>Please prove that you are not a robot</h2><div \
         class=g-recaptcha></div><script src=https://www.google.com/recaptcha/api.js></script></body></html>",
    ),
];

#[test]
fn challenges_are_recognised() {
    for (vendor, html) in CHALLENGES {
        assert_eq!(health_of(html), Health::Refused(Refusal::Challenge(vendor)), "{html}");
    }
}

#[test]
fn an_article_about_challenges_is_no_challenge() {
    for (vendor, html) in CHALLENGES {
        let quoted = html.replace('&', "&amp;").replace('<', "&lt;");
        let text = "Here is what such a page looks like, and what its parts are for, one by one. ".repeat(30);
        let article = format!("<title>How {vendor} works</title><h1>{vendor}</h1><p>{text}</p><pre>{quoted}</pre>");
        assert_eq!(health_of(&article), Health::Sound, "{vendor}");
    }
}

#[test]
fn pages_behind_a_vendor_are_sound_when_they_are_the_page() {
    let text = "<p>Plenty to read here, and more of it below the fold, for whoever cares to look.</p>".repeat(30);
    for tag in [
        "<script src=/cdn-cgi/challenge-platform/scripts/jsd/main.js></script>",
        "<script src='/_Incapsula_Resource?SWJIYLWA=719d'></script>",
        "<script src=https://js.datadome.co/tags.js></script>",
        "<script>window._pxAppId='PX1'</script>",
        "<form><div class=h-captcha></div><input name=mail></form><script src=https://js.hcaptcha.com/1/api.js></script>",
        "<script src=https://1.edge.sdk.awswaf.com/1/challenge.js></script>",
    ] {
        assert_eq!(health_of(&format!("<title>Shop</title>{tag}{text}")), Health::Sound, "{tag}");
    }
    let contact = "<title>Contact</title><h1>Write to us</h1><form><input name=mail><textarea></textarea><p>Confirm that you are \
                   human</p><div class=h-captcha></div></form><script src=https://js.hcaptcha.com/1/api.js></script>";
    assert_eq!(health_of(contact), Health::Sound);
}

#[test]
fn headers_of_a_challenge_are_enough() {
    for (name, value, vendor) in
        [("cf-mitigated", "challenge", "Cloudflare"), ("x-amzn-waf-action", "CAPTCHA", "AWS WAF")]
    {
        let health = health_at("https://a.test/", "https://a.test/", &[(name, value)], "<h1>x</h1>");
        assert_eq!(health, Health::Refused(Refusal::Challenge(vendor)));
    }
    assert_eq!(
        health_at("https://a.test/", "https://a.test/", &[("server", "cloudflare")], "<h1>x</h1>"),
        Health::Sound
    );
}

#[test]
fn block_pages_say_nothing_but_no() {
    assert_eq!(
        health_of("<title> 403  Forbidden </title><h1>403 Forbidden</h1><hr>nginx"),
        Health::Refused(Refusal::BlockPage)
    );
    let glossary = format!("<title>403 Forbidden</title><h1>403</h1>{}", "<p>What it means and why.</p>".repeat(80));
    assert_eq!(health_of(&glossary), Health::Sound);
}

#[test]
fn login_walls_stand_where_something_else_was_asked_for() {
    let form = "<title>Sign in</title><form><input name=user><input type=password></form>";
    let page = format!("<title>News</title><article>{}</article><input type=password>", "<p>Read on.</p>".repeat(400));
    let members =
        "<title>Members</title><p>Please log in to continue.</p><form><input name=user><input type=password></form>";
    let wall = Health::Refused(Refusal::LoginWall);
    for (requested, landed, html, expected) in [
        ("https://a.test/feed", "https://a.test/login?next=/feed", form, wall),
        ("https://a.test/", "https://a.test/users/sign_in", form, wall),
        ("https://a.test/doc", "https://accounts.google.com/v3/signin", "<title>x</title><script></script>", wall),
        ("https://app.a.test/", "https://login.a.test/u/x", form, wall),
        ("https://a.test/settings", "https://a.test/settings", form, wall),
        ("https://a.test/report", "https://a.test/report", members, wall),
        (
            "https://a.test/shop",
            "https://a.test/shop",
            &members.replace("Please log in to continue.", "Lamps"),
            Health::Sound,
        ),
        // the sign-in page itself was asked for
        ("https://a.test/login", "https://a.test/login", form, Health::Sound),
        ("https://a.test/login", "https://a.test/login/", form, Health::Sound),
        ("https://login.a.test/", "https://login.a.test/start", form, Health::Sound),
        // a start page that offers to sign in
        ("https://a.test/", "https://a.test/", form, Health::Sound),
        // a page with a form on it
        ("https://a.test/news", "https://a.test/news", &page, Health::Sound),
        ("https://a.test/old", "https://a.test/new", form.replace("Sign in", "Join").as_str(), Health::Sound),
    ] {
        assert_eq!(health_at(requested, landed, &[], html), expected, "{requested} -> {landed}");
    }
}

#[test]
fn empty_pages_shells_and_small_pages_are_told_apart() {
    let empty = Health::Refused(Refusal::Empty);
    for (html, expected) in [
        ("", empty),
        ("<html><head><title>x</title></head><body>\u{a0} </body>", empty),
        ("<body><!-- nothing --></body>", empty),
        ("<body><div></div></body>", Health::Sound),
        ("Hi", Health::Sound),
        ("<img src=x>", Health::Sound),
        ("<style>body{background:url(x)}</style>", Health::Sound),
        ("<frameset><frame src=a></frameset>", Health::Sound),
        ("<script src=a.js></script>", Health::ClientRendered),
        ("<div id=root></div><script type=module src=a.js></script>", Health::ClientRendered),
        ("<div id=App><div class=spinner></div>Loading…</div><script src=a.js></script>", Health::ClientRendered),
        (
            "<noscript>You need to enable JavaScript to run this app.</noscript><div id=x></div><script src=a></script>",
            Health::ClientRendered,
        ),
        ("<app-root></app-root><script src=main.js></script>", Health::ClientRendered),
        ("<h1>Coming soon</h1><script src=analytics.js></script>", Health::Sound),
        ("<div id=root><h1>Rendered on the server</h1><p>Text.</p></div><script src=a.js></script>", Health::Sound),
        ("<img src=poster.jpg><script src=analytics.js></script>", Health::Sound),
        ("<script type=application/ld+json>{}</script>Text", Health::Sound),
    ] {
        assert_eq!(health_of(html), expected, "{html}");
    }
}

#[test]
fn hostile_markup_is_judged_in_time() {
    let mounts = "<div id=app>".repeat(100_000);
    let _ = health_of(&mounts);
    let _ = health_of(&"<a href=x>".repeat(100_000));
}

/// Saved real pages (`LIMNER_CORPUS`): only those that scripts fill may be anything but sound,
/// and parser tests whose body is empty.
#[test]
fn no_page_of_the_corpus_that_reads_well_is_flagged() {
    let Ok(corpus) = std::env::var("LIMNER_CORPUS") else { return };
    let shells = ["todoreact", "swaggerui", "todomvc", "newsnext", "eslintinspector", "lottieweb"];
    let (mut judged, mut wrong) = (0, Vec::new());
    for site in std::fs::read_dir(std::path::Path::new(&corpus).join("sites")).unwrap() {
        let site = site.unwrap().path();
        let about: serde_json::Value = serde_json::from_slice(&std::fs::read(site.join("site.json")).unwrap()).unwrap();
        let pages = about["pages"].as_array().into_iter().flatten().chain([&about["entry"]]);
        for page in pages.map(|page| page.as_str().unwrap()) {
            judged += 1;
            let health = health_of(&String::from_utf8_lossy(&std::fs::read(site.join(page)).unwrap()));
            let is_shell = shells.iter().any(|shell| site.ends_with(shell));
            let allowed = match health {
                Health::Sound => true,
                Health::ClientRendered => is_shell,
                Health::Refused(refusal) => refusal == Refusal::Empty && site.ends_with("html5lib"),
            };
            if !allowed {
                wrong.push(format!("{}/{page}: {health:?}", site.display()));
            }
        }
    }
    assert!(judged > 0, "no page in {corpus}");
    assert!(wrong.is_empty(), "{wrong:#?}");
}
