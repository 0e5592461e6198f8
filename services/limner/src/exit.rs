//! Exit statuses of the process.

use crate::output;
use limner_runtime::SettingsErrors;
use std::fmt;
use std::process::ExitCode;

/// The command line or the configuration is wrong (EX_USAGE of sysexits).
pub(crate) const MISUSE: u8 = 64;
/// The command was valid but failed.
const FAILURE: u8 = 1;

/// The reason for an unsuccessful exit.
pub(crate) enum ExitReason {
    /// The error has been reported already.
    Silent(u8),
    /// Reported on standard error.
    Error(anyhow::Error),
}

/// The command line is invalid.
#[derive(Debug)]
pub(crate) struct UsageError(pub(crate) String);

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}

impl<E: Into<anyhow::Error>> From<E> for ExitReason {
    fn from(fault: E) -> Self {
        Self::Error(fault.into())
    }
}

/// Formats an error with its causes. Many errors contain their cause's text; it is not repeated.
pub(crate) fn with_causes(fault: &anyhow::Error) -> String {
    let mut text = fault.to_string();
    for cause in fault.chain().skip(1).map(ToString::to_string) {
        if !text.ends_with(&cause) {
            text.push_str(": ");
            text.push_str(&cause);
        }
    }
    text
}

impl ExitReason {
    /// Reports the error, and returns a reason with this status.
    pub(crate) fn with_status(self, status: u8) -> Self {
        self.report();
        Self::Silent(status)
    }

    /// Reports the error, and returns the status.
    pub(crate) fn report(self) -> ExitCode {
        match self {
            Self::Silent(status) => ExitCode::from(status),
            Self::Error(fault) => {
                let is_misuse = fault.is::<SettingsErrors>() || fault.is::<UsageError>();
                output::complain(&format!("limner: {}", with_causes(&fault)));
                ExitCode::from(if is_misuse { MISUSE } else { FAILURE })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::anyhow;

    #[test]
    fn causes_are_reported_once() {
        let fault = anyhow!("port taken").context("cannot listen: port taken").context("gateway.listen");
        assert_eq!(with_causes(&fault), "gateway.listen: cannot listen: port taken");
    }
}
