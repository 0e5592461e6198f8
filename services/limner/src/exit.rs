//! How the process ends.

use limner_runtime::Faults;
use std::fmt;
use std::process::ExitCode;

/// The command line or the configuration is wrong (EX_USAGE of sysexits).
pub(crate) const MISUSE: u8 = 64;
/// It was understood and did not work.
const FAILURE: u8 = 1;

/// Why the process ends other than with success.
pub(crate) enum Exit {
    /// Everything was said already.
    Silent(u8),
    /// Says why, on standard error.
    Fault(anyhow::Error),
}

/// The command line asks for something that makes no sense.
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

impl Exit {
    /// Says why, and gives the status.
    pub(crate) fn report(self) -> ExitCode {
        match self {
            Self::Silent(status) => ExitCode::from(status),
            Self::Fault(fault) => {
                let is_misuse = fault.is::<Faults>() || fault.is::<Misuse>();
                eprintln!("limner: {fault:#}");
                ExitCode::from(if is_misuse { MISUSE } else { FAILURE })
            }
        }
    }
}
