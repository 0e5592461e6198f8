use super::*;

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

fn health_of(html: &str) -> PageHealth {
    health_at("https://a.test/page", "https://a.test/page", &[], html)
}

fn health_at(requested: &str, landed: &str, headers: &[(&str, &str)], html: &str) -> PageHealth {
    let headers: Vec<_> = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let (requested, landed) = (url(requested), url(landed));
    let response = ResponseInfo { status: 200, requested: &requested, url: &landed, headers: &headers, html };
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
        assert_eq!(health_of(html), PageHealth::Refused(NotAPage::Challenge(vendor)), "{html}");
    }
}

#[test]
fn article_about_challenges_is_sound() {
    for (vendor, html) in CHALLENGES {
        let quoted = html.replace('&', "&amp;").replace('<', "&lt;");
        let text = "Here is what such a page looks like, and what its parts are for, one by one. ".repeat(30);
        let article = format!("<title>How {vendor} works</title><h1>{vendor}</h1><p>{text}</p><pre>{quoted}</pre>");
        assert_eq!(health_of(&article), PageHealth::Sound, "{vendor}");
    }
}

#[test]
fn pages_behind_a_vendor_are_sound() {
    let text = "<p>Plenty to read here, and more of it below the fold, for whoever cares to look.</p>".repeat(30);
    for tag in [
        "<script src=/cdn-cgi/challenge-platform/scripts/jsd/main.js></script>",
        "<script src='/_Incapsula_Resource?SWJIYLWA=719d'></script>",
        "<script src=https://js.datadome.co/tags.js></script>",
        "<script>window._pxAppId='PX1'</script>",
        "<form><div class=h-captcha></div><input name=mail></form><script src=https://js.hcaptcha.com/1/api.js></script>",
        "<script src=https://1.edge.sdk.awswaf.com/1/challenge.js></script>",
    ] {
        assert_eq!(health_of(&format!("<title>Shop</title>{tag}{text}")), PageHealth::Sound, "{tag}");
    }
    let contact = "<title>Contact</title><h1>Write to us</h1><form><input name=mail><textarea></textarea><p>Confirm that you are \
                   human</p><div class=h-captcha></div></form><script src=https://js.hcaptcha.com/1/api.js></script>";
    assert_eq!(health_of(contact), PageHealth::Sound);
}

#[test]
fn headers_of_a_challenge_are_enough() {
    for (name, value, vendor) in
        [("cf-mitigated", "challenge", "Cloudflare"), ("x-amzn-waf-action", "CAPTCHA", "AWS WAF")]
    {
        let health = health_at("https://a.test/", "https://a.test/", &[(name, value)], "<h1>x</h1>");
        assert_eq!(health, PageHealth::Refused(NotAPage::Challenge(vendor)));
    }
    assert_eq!(
        health_at("https://a.test/", "https://a.test/", &[("server", "cloudflare")], "<h1>x</h1>"),
        PageHealth::Sound
    );
}

#[test]
fn block_pages_are_recognised() {
    assert_eq!(
        health_of("<title> 403  Forbidden </title><h1>403 Forbidden</h1><hr>nginx"),
        PageHealth::Refused(NotAPage::BlockPage)
    );
    let glossary = format!("<title>403 Forbidden</title><h1>403</h1>{}", "<p>What it means and why.</p>".repeat(80));
    assert_eq!(health_of(&glossary), PageHealth::Sound);
}

#[test]
fn login_walls_are_recognised_by_requested_and_final_url() {
    let form = "<title>Sign in</title><form><input name=user><input type=password></form>";
    let page = format!("<title>News</title><article>{}</article><input type=password>", "<p>Read on.</p>".repeat(400));
    let members =
        "<title>Members</title><p>Please log in to continue.</p><form><input name=user><input type=password></form>";
    let wall = PageHealth::Refused(NotAPage::LoginWall);
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
            PageHealth::Sound,
        ),
        // a bare form, at a requested sign-in URL and on a start page
        ("https://a.test/login", "https://a.test/login", form, wall),
        ("https://a.test/login", "https://a.test/login/", form, wall),
        ("https://login.a.test/", "https://login.a.test/start", form, wall),
        ("https://a.test/", "https://a.test/", form, wall),
        // a page with a form on it
        ("https://a.test/news", "https://a.test/news", &page, PageHealth::Sound),
        ("https://a.test/old", "https://a.test/new", form.replace("Sign in", "Join").as_str(), PageHealth::Sound),
    ] {
        assert_eq!(health_at(requested, landed, &[], html), expected, "{requested} -> {landed}");
    }
}

#[test]
fn empty_pages_shells_and_small_pages_are_distinguished() {
    let empty = PageHealth::Refused(NotAPage::Empty);
    for (html, expected) in [
        ("", empty),
        ("<html><head><title>x</title></head><body>\u{a0} </body>", empty),
        ("<body><!-- nothing --></body>", empty),
        ("<body><div></div></body>", empty),
        ("<body><div id=root></div></body>", empty),
        ("<p></p><ul><li></li></ul>", empty),
        ("<p>\u{200b}</p>", empty),
        ("<head><style>body{margin:0;background:#fff}</style></head><body></body>", empty),
        ("<style>@font-face{src:url(a.woff)}</style><div></div>", empty),
        ("<head><link rel=stylesheet href=a.css></head><body><div id=root></div></body>", empty),
        ("<noscript>Please enable JavaScript</noscript><div id=app></div>", empty),
        ("<script type=application/json>{}</script>", empty),
        ("<form><input type=hidden name=token></form>", empty),
        ("<img src=count.gif width=1 height=1>", empty),
        ("<p></p><script src=a.js></script>", PageHealth::ClientRendered),
        ("<body onload=start()><div></div>", PageHealth::ClientRendered),
        ("<button></button>", PageHealth::Sound),
        ("<canvas></canvas>", PageHealth::Sound),
        ("<video src=x></video>", PageHealth::Sound),
        ("<svg><path d='M0 0h9v9z'/></svg>", PageHealth::Sound),
        ("<div style='background:url(x)'></div>", PageHealth::Sound),
        ("<h1>Hi</h1>", PageHealth::Sound),
        ("<h1>Hi</h1><p>Text</p>", PageHealth::Sound),
        ("→", PageHealth::Sound),
        ("Hi", PageHealth::Sound),
        ("<img src=x>", PageHealth::Sound),
        ("<style>body{background:url(x)}</style>", PageHealth::Sound),
        ("<frameset><frame src=a></frameset>", PageHealth::Sound),
        ("<script src=a.js></script>", PageHealth::ClientRendered),
        ("<div id=root></div><script type=module src=a.js></script>", PageHealth::ClientRendered),
        ("<div id=App><div class=spinner></div>Loading…</div><script src=a.js></script>", PageHealth::ClientRendered),
        (
            "<noscript>You need to enable JavaScript to run this app.</noscript><div id=x></div><script src=a></script>",
            PageHealth::ClientRendered,
        ),
        ("<app-root></app-root><script src=main.js></script>", PageHealth::ClientRendered),
        ("<div id=root><p>Loading...</p></div><script src=a.js></script>", PageHealth::ClientRendered),
        (
            "<div id=root><h1>My App</h1><p>Wird geladen…</p></div><script src=a.js></script>",
            PageHealth::ClientRendered,
        ),
        (
            "<main id=root><img src=l.svg><p>Please wait</p></main><script src=a.js></script>",
            PageHealth::ClientRendered,
        ),
        ("<div id=root><p>Unloading ships</p></div><script src=a.js></script>", PageHealth::Sound),
        ("<p>Loading docks, a primer</p><script src=a.js></script>", PageHealth::Sound),
        ("<h1>Coming soon</h1><script src=analytics.js></script>", PageHealth::Sound),
        ("<div id=root><h1>Rendered on the server</h1><p>Text.</p></div><script src=a.js></script>", PageHealth::Sound),
        ("<img src=poster.jpg><script src=analytics.js></script>", PageHealth::Sound),
        ("<script type=application/ld+json>{}</script>Text", PageHealth::Sound),
    ] {
        assert_eq!(health_of(html), expected, "{html}");
    }
}

#[test]
fn page_with_long_navigation_and_empty_mount_is_a_shell() {
    let links = "<a href=/docs>Documentation</a>".repeat(17);
    let page = |mount: &str| {
        format!("<header><nav>{links}</nav></header>{mount}<footer>© A</footer><script src=a.js></script>")
    };
    assert_eq!(health_of(&page("<div id=root></div>")), PageHealth::ClientRendered);
    assert_eq!(
        health_of(&page(
            "<main><p>Words that a server wrote, and quite enough of them to read them for a while \
        without a browser.</p><div id=app></div></main>"
        )),
        PageHealth::Sound
    );
}

/// Between a full header and a full footer a loading message is still all there is; a page about loading is not.
#[test]
fn page_whose_content_still_loads_is_a_shell() {
    let around = |content: &str| {
        let links: String = (0..12).map(|n| format!("<a href=/{n}>Boats of kind {n}</a>")).collect();
        let footer = "We repair and store boats of up to fourteen metres, all year round. ".repeat(6);
        format!(
            "<header><nav>{links}</nav></header><main>{content}</main><footer><p>{footer}</p></footer><script src=a.js></script>"
        )
    };
    assert_eq!(health_of(&around("<div class=skeleton><p>Loading…</p></div>")), PageHealth::ClientRendered);
    assert_eq!(health_of(&around("<p>Loading and unloading of boats on the quay.</p>")), PageHealth::Sound);
}

/// The mounts of frameworks hold what a server rendered, with comments and payloads for the scripts.
#[test]
fn mounts_with_server_html_are_pages() {
    let hero = "<main><h1>Trips by boat</h1><p>Every day at nine, with a crew of three and coffee on board.</p></main>";
    for html in [
        format!(
            "<div id=__nuxt><!--[--><div>{hero}</div><!--]--></div><script type=application/json id=__NUXT_DATA__>[1]</script>"
        ),
        format!(
            "<div style='display: contents'><!--[--><!--[0-->{hero}<!--]--><!--]--><script>kit.start(element)</script></div>"
        ),
        format!(
            "<div id=app><astro-island uid=1 ssr client=load>{hero}<!--astro:end--></astro-island></div><script src=a.js></script>"
        ),
    ] {
        assert_eq!(health_of(&html), PageHealth::Sound, "{html}");
    }
    let empty =
        "<div id=__nuxt></div><script type=application/json id=__NUXT_DATA__>[1]</script><script src=a.js></script>";
    assert_eq!(health_of(empty), PageHealth::ClientRendered);
}

#[test]
fn css_drawing_is_a_page() {
    let drawing = format!("<style>i{{float:left;border:9px solid}}</style>{}", "<i></i>".repeat(12));
    assert_eq!(health_of(&drawing), PageHealth::Sound);
}

#[test]
fn unfilled_shells_are_empty_after_rendering() {
    let address = url("https://a.test/");
    let empty = PageHealth::Refused(NotAPage::Empty);
    for (html, expected) in [
        ("<div id=root></div><script src=/missing.js></script>", empty),
        (
            "<div id=__next></div><script id=__NEXT_DATA__ type=application/json>{}</script><script src=a.js></script>",
            empty,
        ),
        ("<app-root></app-root><noscript>Please enable JavaScript</noscript><script src=main.js></script>", empty),
        ("<script async src=https://www.googletagmanager.com/gtag/js?id=G-1></script>", empty),
        ("<div id=root><div class=spinner></div>Loading…</div><script src=a.js></script>", empty),
        (
            "<noscript>You need to enable JavaScript.</noscript><div id=root><h1>Hi</h1></div><script src=a.js></script>",
            PageHealth::Sound,
        ),
        (
            "<div id=root><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i></div><script src=a.js></script>",
            empty,
        ),
        ("<div id=root><canvas></canvas></div><script src=a.js></script>", PageHealth::Sound),
        ("<div id=root><input name=q></div><script src=a.js></script>", PageHealth::Sound),
        ("<div class=bodymovin data-bm-path=data.json></div><script src=lottie.js></script>", PageHealth::Sound),
        ("<div data-animation-type=lottie data-src=data.json></div><script src=lottie.js></script>", PageHealth::Sound),
        ("<div id=a></div><script>lottie.loadAnimation({container: a, path: 'a.json'})</script>", PageHealth::Sound),
        (
            "<div id=a></div><script>var lottie=function(){function loadAnimation(a){manager.loadAnimation(a)}}</script>",
            empty,
        ),
        ("<div id=root><img src=a.png></div><div id=app></div><script src=a.js></script>", PageHealth::Sound),
        ("<title>Access Denied</title><h1>Access Denied</h1>", PageHealth::Refused(NotAPage::BlockPage)),
    ] {
        let response = ResponseInfo { status: 200, requested: &address, url: &address, headers: &[], html };
        assert_eq!(assess_rendered(&response, &Document::parse(html)), expected, "{html}");
    }
}

const SIGN_IN_FORMS: &[&str] = &[
    "<h1>Single Sign-On</h1><form><input type=email placeholder='Work email'><button>Continue with SSO</button></form>",
    "<title>Sign in - Acme</title><h1>Sign in</h1><form><label>E-mail <input type=email></label><label>Password <input type=password>\
     </label><button>Sign in</button></form>",
    "<title>Members</title><form><input name=user><input type=password><button>Enter</button></form>",
    "<title>Members</title><h1>Members</h1><form>Email <input name=user> Password <input type=password><button>Log in</button></form>",
    "<title>Welcome back</title><h1>Welcome back</h1><p>Enter your details.</p><form><input name=user><input type=password></form>",
    "<title>Acme</title><h1>Acme</h1><form><input type=email><input type=password><input type=submit value='Log in'></form>\
     <a href=/forgot>Forgot password?</a><footer>© Acme <a href=/terms>Terms</a></footer>",
    "<title>Log in · Acme</title><header><a href=/><svg><path d=M0></svg></a></header><main><h1>Log in to Acme</h1><p>All of your \
     projects in one place.</p><form><input type=email><input type=password><button>Continue</button></form><p>New here? \
     <a href=/signup>Create an account</a></p></main><footer><a href=/terms>Terms</a><a href=/help>Help</a></footer>",
    "<title>Members only</title><p>You must be logged in to view this page.</p><a href=/login>Log in</a>",
    "<title>Acme</title><h1>Sign in to continue</h1><p>You need an account to read this.</p><a href=/signin>Sign in</a>",
    "<title>Sign in</title><h1>Sign in</h1><form><input type=email name=email><button>Next</button></form>",
    "<title>Log in to Acme</title><h1>Log in to Acme</h1><button>Continue with Google</button><button>Continue with Apple</button>",
    "<title>Acme</title><h1>Log in to Acme</h1><a href=/o/g>Google</a> <a href=/o/a>Apple</a>",
    "<title>Anmelden</title><form>Benutzer <input name=user> Passwort <input type=password><button>Anmelden</button></form>",
];

#[test]
fn bare_sign_in_form_is_a_login_wall_at_any_url() {
    for html in SIGN_IN_FORMS {
        for path in ["/", "/wall", "/login", "/login.html", "/signin", "/account/login", "/auth/wall"] {
            let address = format!("https://a.test{path}");
            let health = health_at(&address, &address, &[], html);
            assert_eq!(health, PageHealth::Refused(NotAPage::LoginWall), "{path}: {html}");
        }
    }
}

#[test]
fn pages_with_optional_sign_in_are_sound() {
    let in_header = "<title>Acme</title><header><form><input name=user><input type=password><button>Log in</button></form></header>\
                     <h1>Lamps</h1><p>Brass lamps.</p>";
    let in_box = "<title>Acme</title><div><form><input name=user><input type=password><button>Log in</button></form></div>\
                  <h1>Lamps of brass</h1><p>Made by hand since 1900, one after the other.</p>";
    let sign_up = "<title>Acme: sign up</title><h1>Create your account</h1><ul><li>Free for ever<li>No card</ul><form><input type=email>\
                   <input type=password><button>Sign up</button></form><p>Already have an account? <a href=/login>Log in</a></p>";
    let bare_sign_up = "<title>Acme</title><h1>Acme</h1><form><input type=email><input type=password autocomplete=new-password>\
                        <button>Go</button></form>";
    let marketing = format!(
        "<title>Acme</title><nav><a href=/login>Log in</a><a href=/join>Sign up</a></nav><h1>Lamps</h1>{}<form><input type=email>\
         <button>Get started</button></form>",
        "<section><h2>Bright</h2><p>So bright that all the neighbours come.</p></section>".repeat(3)
    );
    let newsletter = "<title>News</title><h1>Our letter</h1><p>Once a month.</p><form><input type=email><button>Subscribe</button></form>";
    let comments = "<title>Lamps</title><h1>Lamps</h1><p>A short note.</p><p>You must be logged in to post a comment.</p>\
                    <a href=/wp-login.php>Log in</a>";
    let links = "<title>Acme</title><h1>Hi</h1><p>Text</p><a href=/login>Log in</a>";
    let help = "<title>How to log in</title><h1>How to log in</h1><p>Open the door, then take the key out.</p>";
    let demo = "<title>Single sign-on | Acme</title><h1>Sign in once</h1><p>Then work.</p><form><input type=email><button>Get a demo\
                </button></form>";
    let full = format!(
        "<title>Log in or read on</title><h1>Log in</h1><form><input type=email><input type=password></form>{}",
        "<p>There is a lot to read below the form, for everyone.</p>".repeat(40)
    );
    for html in [in_header, in_box, sign_up, bare_sign_up, &marketing, newsletter, comments, links, help, demo, &full] {
        for address in ["https://a.test/", "https://a.test/page", "https://a.test/login"] {
            let health = health_at(address, address, &[], html);
            assert_eq!(health, PageHealth::Sound, "{address}: {html}");
        }
    }
}

#[test]
fn block_pages_are_recognised_by_title_heading_or_first_words() {
    for html in [
        "<title>Access Denied | Acme</title><h1>Access Denied</h1><p>You do not have permission to view this page.</p>",
        "<title>Acme</title><h1>Access Denied</h1><p>You don't have permission to access this server.</p>",
        "<title>Acme</title><p>Access Denied. You don’t have permission to access this server.</p>",
        "<title>Just a moment</title><p>Checking if the site connection is secure</p>",
        "<title>Please wait...</title><p>Checking your browser before accessing example.com</p>",
        "<title>Checking your browser - Acme</title><p>One second.</p>",
        "<title>Verify</title><p>Please verify you are a human</p>",
        "<title>Access to this page has been denied.</title><p>Press &amp; Hold to confirm you are a human</p>",
        "<title>Error</title><p>The owner of this website (a.test) has banned your access based on your browser. Ray ID: 8</p>",
        "<title>Not Acceptable!</title><h1>Not Acceptable!</h1><p>An appropriate representation of the requested resource could not \
         be found on this server. This error was generated by Mod_Security.</p>",
        "<title>403</title><h1>403 Forbidden</h1>",
        "<h1>401 Unauthorized</h1>",
        "<h1>Too many requests</h1><p>Slow down.</p>",
        "<h1>Forbidden</h1><p>You don't have permission to access this resource.</p>",
        "<h1>Forbidden. You don't have permission to access / on this server.</h1>",
        "<title>Acme</title><h1>You are now in line</h1><p>You will have ten minutes to enter.</p>",
        "<title>a.test</title><p>a.test needs to review the security of your connection before proceeding.</p>",
    ] {
        assert_eq!(health_of(html), PageHealth::Refused(NotAPage::BlockPage), "{html}");
    }
}

#[test]
fn bare_captchas_are_challenges() {
    for (vendor, html) in [
        (
            "hCaptcha",
            "<title>One more step</title><h1>One more step</h1><p>Please complete the security check to access a.test</p><div \
             class=h-captcha></div><script src=https://js.hcaptcha.com/1/api.js></script>",
        ),
        ("Turnstile", "<h1>Verify that it is you</h1><div class=cf-turnstile data-sitekey=x></div>"),
        ("reCAPTCHA", "<title>Verify</title><form><div class=g-recaptcha></div><button>Submit</button></form>"),
        ("hCaptcha", "<h2>Verify you are human</h2><div class=h-captcha></div>"),
        (
            "captcha",
            "<p>Complete the captcha to continue</p><form><img src=/captcha.png><input name=code><button>Go</button></form>",
        ),
        ("GeeTest", "<p>Slide to verify</p><div class=geetest_holder></div>"),
        (
            "DataDome",
            "<title>a.test</title><p>Please enable JS and disable any ad blocker</p><script>var dd={'host':'geo.captcha-delivery.com'}\
             </script>",
        ),
    ] {
        assert_eq!(health_of(html), PageHealth::Refused(NotAPage::Challenge(vendor)), "{html}");
    }
}

#[test]
fn pages_about_denials_and_forms_with_captchas_are_sound() {
    for html in [
        "<title>\"Access denied\" errors | Blog</title><h1>What \"Access denied\" tells you</h1><p>The server says \"You don't have \
         permission to access\" when a rule forbids it.</p>",
        "<title>403 Forbidden - Glossary</title><h1>403 Forbidden</h1><p>This status code means that the server refuses.</p>",
        "<title>How captchas work</title><h1>How captchas work</h1><p>They ask you to verify you are human.</p><img src=captcha.png>",
        "<title>Contact</title><h1>Contact</h1><form><input name=mail><textarea></textarea><div class=cf-turnstile></div></form>",
        "<title>Contact</title><h1>Contact</h1><p>Please complete the form.</p><form><input name=name><input type=email><textarea>\
         </textarea><div class=g-recaptcha></div></form><p>Protected by reCAPTCHA.</p>",
        "<title>Solver</title><h1>Captcha solving as a service</h1><p>Robots welcome.</p><img src=/captcha-logo.png>",
        "<title>Board</title><h1>Board</h1><h2>Blocked</h2><p>Paint the lamp</p><h2>Done</h2>",
        "<title>Blocked | Films</title><h1>Blocked</h1><p>A film of 2019.</p>",
        "<title>Errors</title><h1>Errors</h1><ul><li>Access denied<li>Too many requests</ul>",
        "<title>Shop</title><h1>Lamps</h1><p>We verify each lamp.</p><script src=https://www.google.com/recaptcha/api.js?render=x></script>",
    ] {
        assert_eq!(health_of(html), PageHealth::Sound, "{html}");
    }
}

#[test]
fn hostile_markup_is_classified_in_linear_time() {
    let mounts = "<div id=app>".repeat(100_000);
    let _ = health_of(&mounts);
    let _ = health_of(&"<a href=x>".repeat(100_000));
}

/// The demo site and the pages of brands, of which one is filled by scripts.
#[test]
fn pages_of_the_repository_are_sound() {
    let mut judged = 0;
    for folder in ["../../services/limner/demo", "../brand/src/tests/sites"] {
        for file in std::fs::read_dir(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap() {
            let file = file.unwrap().path();
            if file.extension().is_some_and(|kind| kind == "html") {
                judged += 1;
                let is_shell = file.ends_with("shell.html");
                let expected = if is_shell { PageHealth::ClientRendered } else { PageHealth::Sound };
                assert_eq!(health_of(&std::fs::read_to_string(&file).unwrap()), expected, "{}", file.display());
            }
        }
    }
    assert!(judged > 10, "only {judged} pages");
}

/// Returns the folder of saved real pages. Without it, a test says that it has compared nothing.
fn corpus() -> Option<String> {
    let corpus = std::env::var("LIMNER_CORPUS").ok();
    if corpus.is_none() {
        eprintln!("LIMNER_CORPUS is not set: no real page was classified");
    }
    corpus
}

/// Classifies saved real pages (`LIMNER_CORPUS`): only those that scripts fill, and parser tests with an empty body,
/// may be other than sound.
#[test]
fn pages_of_the_corpus_are_sound() {
    let Some(corpus) = corpus() else { return };
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
                PageHealth::Sound => true,
                PageHealth::ClientRendered => is_shell,
                PageHealth::Refused(refusal) => refusal == NotAPage::Empty && site.ends_with("html5lib"),
            };
            if !allowed {
                wrong.push(format!("{}/{page}: {health:?}", site.display()));
            }
        }
    }
    assert!(judged > 0, "no page in {corpus}");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Classifies saved real pages (`LIMNER_CORPUS`) with the browser's version of each: all those with almost no content
/// until scripts run are recognised.
#[test]
fn shells_of_the_corpus_are_recognised() {
    let Some(corpus) = corpus() else { return };
    let corpus = std::path::Path::new(&corpus);
    let mut shells = 0;
    for truth in std::fs::read_dir(corpus.join("truth")).unwrap() {
        let truth: serde_json::Value = serde_json::from_slice(&std::fs::read(truth.unwrap().path()).unwrap()).unwrap();
        let site = corpus.join("sites").join(truth["name"].as_str().unwrap());
        for page in truth["pages"].as_array().unwrap() {
            let said = |run: &str| page[run]["counts"]["textChars"].as_u64().unwrap();
            let headings = page["jsOff"]["counts"]["headings"].as_u64().unwrap();
            if said("jsOn") >= 40 && said("jsOn") > 4 * said("jsOff") && headings == 0 {
                let file = site.join(page["path"].as_str().unwrap());
                let html = String::from_utf8_lossy(&std::fs::read(&file).unwrap()).into_owned();
                assert_eq!(health_of(&html), PageHealth::ClientRendered, "{}", file.display());
                shells += 1;
            }
        }
    }
    assert!(shells > 0, "no shell in {}", corpus.display());
}
