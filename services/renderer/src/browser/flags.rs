//! How a browser is started. Each flag is here because something is wrong without it.

use crate::config::BrowserConfig;
use std::path::Path;

/// What every browser is started with.
const ALWAYS: &[&str] = &[
    "--headless",
    "--remote-debugging-pipe",
    // No window, no sound, no GPU: drawing is done by the CPU, and the same everywhere.
    "--disable-gpu",
    "--mute-audio",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--font-render-hinting=none",
    "--window-size=1440,900",
    // Else the screen is smaller than the window, and rules for small devices apply.
    "--screen-info={1440x900}",
    // Nothing on its own account: no updates, no reports, no suggestions, no extensions.
    "--no-first-run",
    "--no-default-browser-check",
    "--no-service-autorun",
    "--no-pings",
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-extensions-with-background-pages",
    "--disable-component-update",
    "--disable-crash-reporter",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-field-trial-config",
    "--disable-sync",
    "--metrics-recording-only",
    "--password-store=basic",
    "--use-mock-keychain",
    // Pages run as if they were looked at.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-hang-monitor",
    "--disable-ipc-flooding-protection",
    "--disable-prompt-on-repost",
    "--disable-renderer-backgrounding",
    // One way out. QUIC is UDP, which no proxy carries; WebRTC would find ways of its own.
    "--disable-quic",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    // Without this, loopback and link-local addresses are asked directly, whatever the proxy.
    "--proxy-bypass-list=<-loopback>",
    // What a page's scripts may hold on to. One that wants more dies alone.
    "--js-flags=--max-old-space-size=1024",
    // A page's frames share its process: they are one hostile thing to us, and processes are what pages cost.
    "--disable-site-isolation-trials",
];

/// Features that are switched off, beside those that talk to the browser's maker.
const WITHOUT: &[&str] = &[
    "AcceptCHFrame",
    "AutofillServerCommunication",
    "BackForwardCache",
    "CertificateTransparencyComponentUpdater",
    "DestroyProfileOnBrowserClose",
    "DialMediaRouteProvider",
    "GlobalMediaControls",
    "HttpsUpgrades",
    "InterestFeedContentSuggestions",
    "IsolateOrigins",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "Prerender2",
    "Translate",
    // Names for local addresses are announced to the whole network. Pages learn of no local address anyway: see the
    // policy above.
    "WebRtcHideLocalIpsWithMdns",
    "site-per-process",
];

/// Where a browser's shared memory is, and how much of it pages with large pictures need.
const SHARED_MEMORY: &str = "/dev/shm";
const ENOUGH_SHARED_MEMORY: u64 = 256 << 20;

/// The arguments of a browser with its profile at `profile`.
pub(super) fn arguments(config: &BrowserConfig, profile: &Path) -> Vec<String> {
    let mut arguments: Vec<String> = ALWAYS.iter().map(|flag| (*flag).to_owned()).collect();
    arguments.push(format!("--disable-features={}", WITHOUT.join(",")));
    arguments.push(format!("--user-data-dir={}", profile.display()));
    arguments.push(format!("--proxy-server=http://{}", config.proxy));
    // Names are the proxy's to resolve. The proxy itself is the one that must be found.
    let proxy_host = config.proxy.rsplit_once(':').map_or(config.proxy.as_str(), |(host, _)| host);
    arguments.push(format!("--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE {proxy_host}"));
    if !has_shared_memory() {
        arguments.push("--disable-dev-shm-usage".to_owned());
    }
    arguments.extend(config.extra_flags.iter().cloned());
    arguments.push("about:blank".to_owned());
    arguments
}

fn has_shared_memory() -> bool {
    rustix::fs::statvfs(SHARED_MEMORY).is_ok_and(|fs| fs.f_frsize * fs.f_bavail >= ENOUGH_SHARED_MEMORY)
}
