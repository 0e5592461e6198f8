//! The built-in site of `limner up`: a small page with every kind of image, so that a first call works without the
//! Internet.

use axum::Router;
use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::net::{Ipv4Addr, SocketAddr};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// Host name of the site, resolved in this process only: names under `.test` do not exist on the Internet.
pub(crate) const HOST: &str = "demo.limner.test";

/// A file of the site.
struct File {
    path: &'static str,
    content_type: &'static str,
    body: &'static [u8],
}

macro_rules! files {
    ($($path:literal $content_type:literal),+ $(,)?) => {
        &[$(File { path: $path, content_type: $content_type, body: include_bytes!(concat!("../demo/", $path)) }),+]
    };
}

const FILES: &[File] = files![
    "index.html" "text/html; charset=utf-8",
    "styles/main.css" "text/css; charset=utf-8",
    "styles/tokens.css" "text/css; charset=utf-8",
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
        let router = Router::new().route("/", get(|| file(Path("index.html".to_owned())))).route("/{*path}", get(file));
        axum::serve(self.listener, router).with_graceful_shutdown(shutdown.cancelled_owned()).await
    }
}

async fn file(Path(path): Path<String>) -> Response {
    match FILES.iter().find(|file| file.path == path) {
        Some(file) => ([(header::CONTENT_TYPE, file.content_type)], file.body).into_response(),
        None => {
            (StatusCode::NOT_FOUND, [(header::CONTENT_TYPE, "text/plain")], "There is nothing here.\n").into_response()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_that_the_page_names_exists() {
        let page = include_str!("../demo/index.html");
        let named = page.split('"').flat_map(|part| part.split([' ', ','])).filter_map(|word| word.strip_prefix('/'));
        let files: Vec<&str> = named.filter(|path| path.contains('.') && *path != "feed.xml").collect();
        assert!(files.len() > 15, "{files:?}");
        for path in files {
            let path = path.split('#').next().unwrap();
            assert!(FILES.iter().any(|file| file.path == path), "{path}");
        }
    }
}
