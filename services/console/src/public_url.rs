//! The console's public URL.

use crate::error::ConsoleError;
use url::Url;

/// The public URL, without trailing slash.
#[derive(Debug, Clone)]
pub(crate) struct PublicUrl {
    url: String,
    origin: String,
}

impl PublicUrl {
    /// # Errors
    /// The text is not a URL.
    pub(crate) fn parse(url: String) -> Result<Self, ConsoleError> {
        let parsed =
            Url::parse(&url).map_err(|cause| ConsoleError::Config(format!("the console's address: {cause}")))?;
        Ok(Self { origin: parsed.origin().ascii_serialization(), url })
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.url
    }

    /// Returns scheme and authority.
    pub(crate) fn origin(&self) -> &str {
        &self.origin
    }

    /// Returns true if the URL uses TLS.
    pub(crate) fn is_https(&self) -> bool {
        self.origin.starts_with("https://")
    }

    /// Returns the absolute URL of a path of ours.
    pub(crate) fn link(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }
}
