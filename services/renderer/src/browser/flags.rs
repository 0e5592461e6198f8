//! Command-line flags of the browser. Each flag fixes a specific problem.

use crate::config::BrowserConfig;
use std::path::Path;

/// Flags of every browser.
const ALWAYS: &[&str] = &[
    "--headless",
    "--remote-debugging-pipe",
    // No window, no sound, no GPU: the CPU rasterizes, with the same result on every machine.
    "--disable-gpu",
    "--mute-audio",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--font-render-hinting=none",
    "--window-size=1440,900",
    // Without this the screen is smaller than the window, and media queries for small devices match.
    "--screen-info={1440x900}",
    // No background activity: no updates, no reports, no suggestions, no extensions.
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
    // Pages run as if they were visible.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-hang-monitor",
    "--disable-prompt-on-repost",
    "--disable-renderer-backgrounding",
    // All traffic through the proxy. QUIC uses UDP, which the proxy does not carry; WebRTC would find other routes.
    "--disable-quic",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    // Without this, loopback and link-local addresses bypass the proxy.
    "--proxy-bypass-list=<-loopback>",
    // Limits a page's script memory: one that needs more crashes alone.
    "--js-flags=--max-old-space-size=1024",
    // A page's frames share its process: together they are one untrusted unit, and processes are the main cost of a
    // page.
    "--disable-site-isolation-trials",
];

/// Disabled features, besides those that contact the browser's vendor.
const DISABLED_FEATURES: &[&str] = &[
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
    // This feature announces names for local addresses to the whole network. Pages learn no local address anyway: see
    // the policy above.
    "WebRtcHideLocalIpsWithMdns",
    "site-per-process",
];

/// The browser's shared memory, and the size that pages with large images need.
const SHARED_MEMORY: &str = "/dev/shm";
const MIN_SHARED_MEMORY: u64 = 256 << 20;

/// Returns the arguments of a browser with its profile at `profile`.
pub(super) fn arguments(config: &BrowserConfig, profile: &Path) -> Vec<String> {
    let mut arguments: Vec<String> = ALWAYS.iter().map(|flag| (*flag).to_owned()).collect();
    arguments.push(format!("--disable-features={}", DISABLED_FEATURES.join(",")));
    arguments.push(format!("--user-data-dir={}", profile.display()));
    arguments.push(format!("--proxy-server=http://{}", config.proxy));
    // Host names are resolved by the proxy. Only the proxy's own name is resolved here.
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
    rustix::fs::statvfs(SHARED_MEMORY).is_ok_and(|fs| fs.f_frsize * fs.f_bavail >= MIN_SHARED_MEMORY)
}
