//! Names of screenshots.

use crate::SCREENSHOT_TTL;
use std::fmt;
use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use uuid::Uuid;

const EXTENSION: &str = ".png";
/// Number of hexadecimal digits of the time, followed by the random part (122 random bits).
const TIME_DIGITS: usize = 9;
const RANDOM_DIGITS: usize = 32;
const DAY_SECONDS: u64 = 24 * 3_600;

/// The name of a screenshot: its time and a random part. `Display` gives the form in URLs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ScreenshotName {
    made_unix: u64,
    random: Uuid,
}

/// Not the name of a screenshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not the name of a screenshot")]
pub struct InvalidName;

impl ScreenshotName {
    pub(crate) fn new(made: SystemTime) -> Self {
        Self { made_unix: unix(made), random: Uuid::new_v4() }
    }

    /// Returns the remaining lifetime.
    pub fn remaining_ttl(&self, now: SystemTime) -> Duration {
        let ends = Duration::from_secs(self.made_unix) + SCREENSHOT_TTL;
        ends.saturating_sub(Duration::from_secs(unix(now)))
    }

    pub(crate) fn day(&self) -> u64 {
        self.made_unix / DAY_SECONDS
    }
}

/// Returns the day of a time, counted from the epoch.
pub(crate) fn day(moment: SystemTime) -> u64 {
    unix(moment) / DAY_SECONDS
}

fn unix(moment: SystemTime) -> u64 {
    moment.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

impl fmt::Display for ScreenshotName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:0TIME_DIGITS$x}{}{EXTENSION}", self.made_unix, self.random.simple())
    }
}

impl FromStr for ScreenshotName {
    type Err = InvalidName;

    fn from_str(text: &str) -> Result<Self, InvalidName> {
        let digits = text.strip_suffix(EXTENSION).ok_or(InvalidName)?;
        let is_name = digits.len() == TIME_DIGITS + RANDOM_DIGITS
            && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if !is_name {
            return Err(InvalidName);
        }
        let (time, random) = digits.split_at(TIME_DIGITS);
        let made_unix = u64::from_str_radix(time, 16).map_err(|_| InvalidName)?;
        let random = Uuid::parse_str(random).map_err(|_| InvalidName)?;
        Ok(Self { made_unix, random })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_and_others_are_rejected() {
        let name = ScreenshotName::new(SystemTime::now());
        assert_eq!(name.to_string().parse(), Ok(name));
        let whole = name.to_string();
        for broken in
            ["", ".png", "a.png", "../../etc/passwd.png", &whole.to_uppercase(), &whole[1..], &format!("{whole}.png")]
        {
            assert_eq!(broken.parse::<ScreenshotName>(), Err(InvalidName), "{broken}");
        }
    }

    #[test]
    fn name_contains_its_expiry() {
        let now = SystemTime::now();
        assert_eq!(ScreenshotName::new(now).remaining_ttl(now), SCREENSHOT_TTL);
        assert_eq!(ScreenshotName::new(now - SCREENSHOT_TTL).remaining_ttl(now), Duration::ZERO);
        assert!(ScreenshotName::new(now + SCREENSHOT_TTL).remaining_ttl(now) > SCREENSHOT_TTL);
    }
}
