//! The built-in site of `limner up`: two small pages with something for every operation, so that a first call works
//! without the Internet. Commands that read pages themselves serve it to themselves.

use crate::service_configs;
use axum::Router;
use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use limner_netguard::EgressPolicy;
use limner_runtime::Settings;
use std::net::{Ipv4Addr, SocketAddr};
use tokio::net::TcpListener;
use tokio::sync::OnceCell;
use tokio_util::sync::CancellationToken;
use url::Url;

/// Host name of the site, resolved in this process only: names under `.test` do not exist on the Internet.
pub(crate) const HOST: &str = "demo.limner.test";

/// A file of the site.
struct File {
    path: &'static str,
    content_type: &'static str,
    body: &'static [u8],
}

/// The animations of the first page are played by the console's player.
const PLAYER: &[u8] = include_bytes!("../../console/assets/lottie_light.min.js");

macro_rules! files {
    ($($path:literal $content_type:literal),+ $(,)?) => {
        &[$(File { path: $path, content_type: $content_type, body: include_bytes!(concat!("../demo/", $path)) }),+]
    };
}

const FILES: &[File] = files![
    "index.html" "text/html; charset=utf-8",
    "styles/main.css" "text/css; charset=utf-8",
    "styles/tokens.css" "text/css; charset=utf-8",
    "stjerne.html" "text/html; charset=utf-8",
    "styles/stjerne.css" "text/css; charset=utf-8",
    "stjerne.svg" "image/svg+xml",
    "feed.xml" "application/rss+xml",
    "fonts/nordlys-folded.woff2" "font/woff2",
    "media/glow.webm" "video/webm",
    "media/bell.wav" "audio/wav",
    "motion/unfolding.json" "application/json",
    "site.webmanifest" "application/manifest+json",
    "sprite.svg" "image/svg+xml",
    "favicon.svg" "image/svg+xml",
    "mask-icon.svg" "image/svg+xml",
    "favicon-32.png" "image/png",
    "touch-icon-180.png" "image/png",
    "icon-192.png" "image/png",
    "icon-512.png" "image/png",
    "images/folds.svg" "image/svg+xml",
    "images/fibres.png" "image/png",
    "images/evening-600.png" "image/png",
    "images/evening-1200.png" "image/png",
    "images/night-600.png" "image/png",
    "images/night-1200.png" "image/png",
    "images/alba-320.png" "image/png",
    "images/alba-640.png" "image/png",
    "images/rav-320.png" "image/png",
    "images/rav-640.png" "image/png",
    "images/hav-320.png" "image/png",
];

/// The site, bound to a free loopback port, but not yet serving.
pub(crate) struct DemoSite {
    listener: TcpListener,
    address: SocketAddr,
}

impl DemoSite {
    /// Binds a port.
    pub(crate) async fn bind() -> std::io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address })
    }

    /// Returns the listening address.
    pub(crate) fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `shutdown`.
    pub(crate) async fn run(self, shutdown: CancellationToken) -> std::io::Result<()> {
        axum::serve(self.listener, router()).with_graceful_shutdown(shutdown.cancelled_owned()).await
    }
}

/// Returns the configured policy for reading URLs. If one of them is the site's, this process serves the site until it
/// ends: only `limner up` knows where its own copy is.
pub(crate) async fn policy_for(settings: &Settings, urls: &[&Url]) -> std::io::Result<EgressPolicy> {
    static SERVED: OnceCell<SocketAddr> = OnceCell::const_new();
    let mut policy = service_configs::policy(settings);
    if settings.demo.enabled && urls.iter().any(|url| url.host_str() == Some(HOST)) {
        let served = SERVED.get_or_try_init(|| async {
            let site = DemoSite::bind().await?;
            let address = site.local_addr();
            tokio::spawn(async {
                if let Err(cause) = site.run(CancellationToken::new()).await {
                    tracing::warn!(error = %cause, "the demo site has ended");
                }
            });
            Ok::<_, std::io::Error>(address)
        });
        policy.own_sites.insert(HOST.to_owned(), *served.await?);
    }
    Ok(policy)
}

/// Returns the routes of all files; pages also have an address without `.html`.
pub(crate) fn router() -> Router {
    Router::new().route("/", get(|| file(Path("index.html".to_owned())))).route("/{*path}", get(file))
}

async fn file(Path(path): Path<String>) -> Response {
    let found = FILES.iter().find(|file| file.path == path || file.path.strip_suffix(".html") == Some(&path));
    let (content_type, body) = match found {
        Some(file) => (file.content_type, file.body),
        None if path == "scripts/lottie.js" => ("text/javascript; charset=utf-8", PLAYER),
        None => {
            let missing = [(header::CONTENT_TYPE, "text/plain")];
            return (StatusCode::NOT_FOUND, missing, "There is nothing here.\n").into_response();
        }
    };
    ([(header::CONTENT_TYPE, content_type)], body).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the local files that an attribute or a `url()` of the text names.
    fn named_files(text: &'static str) -> Vec<&'static str> {
        let words = text.split(['"', '\'', ' ', ',', '(', ')', '\n']);
        let path = |word: &'static str| word.strip_prefix("http://demo.limner.test/").or(word.strip_prefix('/'));
        let paths = words.filter_map(path).filter_map(|path| path.split('#').next());
        paths.filter(|path| path.contains('.') && !path.starts_with('/')).collect()
    }

    #[tokio::test]
    async fn every_file_that_a_page_names_exists() {
        let mut named = 0;
        for text in
            [include_str!("../demo/index.html"), include_str!("../demo/stjerne.html"), include_str!("../demo/feed.xml")]
        {
            for path in named_files(text) {
                named += 1;
                assert_eq!(file(Path(path.to_owned())).await.status(), StatusCode::OK, "{path}");
            }
        }
        assert!(named > 25, "{named}");
        assert_eq!(file(Path("stjerne".to_owned())).await.status(), StatusCode::OK);
        assert_eq!(file(Path("feed".to_owned())).await.status(), StatusCode::NOT_FOUND);
    }
}
