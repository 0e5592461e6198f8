//! Errors of the cache.

use thiserror::Error;

/// An error of the cache. The text is for operators; no call is ever refused because of one.
#[derive(Debug, Error)]
pub enum CacheError {
    /// Redis is unavailable, or did not answer in time.
    #[error("Redis is unavailable: {0}")]
    Unavailable(String),
    /// Redis rejected the command.
    #[error("Redis refused {command}: {cause}")]
    Refused {
        /// The command.
        command: &'static str,
        /// The error.
        cause: String,
    },
    /// The value is larger than the limit.
    #[error("{bytes} bytes are more than the {max} that are kept")]
    TooLarge {
        /// Its size.
        bytes: usize,
        /// The limit.
        max: usize,
    },
    /// Compression failed, or compressed data is corrupt or larger than allowed.
    #[error("compression: {0}")]
    Compression(#[from] std::io::Error),
    /// The URL is invalid.
    #[error("the address of Redis is not valid: {0}")]
    Configuration(String),
}

impl CacheError {
    /// Returns true if Redis itself is unavailable, false if a single command failed.
    pub fn is_unavailable(&self) -> bool {
        matches!(self, Self::Unavailable(_))
    }
}
