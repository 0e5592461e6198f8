//! Exit statuses of the process.

use crate::output;
use limner_runtime::Faults;
use std::fmt;
use std::process::ExitCode;

/// The command line or the configuration is wrong (EX_USAGE of sysexits).
pub(crate) const MISUSE: u8 = 64;
/// The command was valid but failed.
const FAILURE: u8 = 1;

/// The reason for an unsuccessful exit.
pub(crate) enum Exit {
    /// The error has been reported already.
    Silent(u8),
    /// Reported on standard error.
    Fault(anyhow::Error),
}

/// The command line is invalid.
#[derive(Debug)]
pub(crate) struct Misuse(pub(crate) String);

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Misuse {}

impl<E: Into<anyhow::Error>> From<E> for Exit {
    fn from(fault: E) -> Self {
        Self::Fault(fault.into())
    }
}

/// Formats an error with its causes. Many errors contain their cause's text; it is not repeated.
pub(crate) fn in_full(fault: &anyhow::Error) -> String {
    let mut text = fault.to_string();
    for cause in fault.chain().skip(1).map(ToString::to_string) {
        if !text.ends_with(&cause) {
            text.push_str(": ");
            text.push_str(&cause);
        }
    }
    text
}

impl Exit {
    /// Reports the error, and returns the status.
    pub(crate) fn report(self) -> ExitCode {
        match self {
            Self::Silent(status) => ExitCode::from(status),
            Self::Fault(fault) => {
                let is_misuse = fault.is::<Faults>() || fault.is::<Misuse>();
                output::complain(&format!("limner: {}", in_full(&fault)));
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
        assert_eq!(in_full(&fault), "gateway.listen: cannot listen: port taken");
    }
}
