//! What can go wrong with shared state.

use thiserror::Error;

/// A fault of the cache. The text is for operators; no caller is ever refused because of one.
#[derive(Debug, Error)]
pub enum CacheError {
    /// Redis is away, or did not answer in time.
    #[error("Redis is unavailable: {0}")]
    Unavailable(String),
    /// Redis refused the command.
    #[error("Redis refused {command}: {cause}")]
    Refused {
        /// What was asked.
        command: &'static str,
        /// Why not.
        cause: String,
    },
    /// The value is larger than what is kept.
    #[error("{bytes} bytes are more than the {max} that are kept")]
    TooLarge {
        /// Its size.
        bytes: usize,
        /// The limit.
        max: usize,
    },
    /// Compression failed, or compressed bytes are broken or larger than allowed.
    #[error("compression: {0}")]
    Compression(#[from] std::io::Error),
    /// The address can't be parsed.
    #[error("the address of Redis is not valid: {0}")]
    Configuration(String),
}

impl CacheError {
    /// Whether Redis itself is away, rather than one command being at fault.
    pub fn is_unavailable(&self) -> bool {
        matches!(self, Self::Unavailable(_))
    }
}
