//! Counts a call under Callgrind.

use std::collections::HashMap;
use std::process::Command;

/// The allocating functions of Rust's allocator.
const ALLOCATING: [&str; 3] = ["__rust_alloc", "__rust_realloc", "__rust_alloc_zeroed"];

/// The cost of one call.
#[derive(Debug, Default)]
pub(crate) struct Cost {
    pub(crate) instructions: u64,
    pub(crate) allocations: u64,
    /// Instructions of each function with the functions that it calls, by its name.
    inclusive: HashMap<String, u64>,
}

impl Cost {
    /// Returns the instructions in functions whose names contain one of these, with the functions that they call.
    pub(crate) fn within(&self, names: &[&str]) -> u64 {
        let is_one = |function: &str| names.iter().any(|name| function.contains(name));
        self.inclusive.iter().filter(|(function, _)| is_one(function)).map(|(_, cost)| cost).sum()
    }
}

/// Counts one extraction in a process of this program; `None` without Valgrind. The counts of all threads are those
/// between the beginning of the call and its end: the second of Callgrind's files.
pub(crate) fn count(operation: &str, page: &str, layout: Option<&str>) -> Option<Cost> {
    let folder = std::env::temp_dir().join(format!("limner-cost-{}", std::process::id()));
    std::fs::create_dir_all(&folder).ok()?;
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--dump-before=*counted_call*", "--dump-after=*counted_call*"]);
    valgrind.args(["--compress-strings=no", &format!("--callgrind-out-file={}", folder.join("out").display())]);
    let own = std::env::current_exe().ok()?;
    let ended = valgrind.arg(own).args(["once", operation, page]).args(layout).output();
    let profile = std::fs::read_to_string(folder.join("out.2"));
    let _ = std::fs::remove_dir_all(&folder);
    ended.ok()?.status.success().then_some(parse_profile(&profile.ok()?))
}

/// Parses Callgrind's output: `fn=` begins a function, a line of two numbers is a cost of its own, and `cfn=` with
/// `calls=` precedes a line with the cost of calls of another function.
fn parse_profile(profile: &str) -> Cost {
    let mut cost = Cost::default();
    let (mut callee, mut is_call) = (String::new(), false);
    for line in profile.lines() {
        if let Some(name) = line.strip_prefix("cfn=") {
            name.clone_into(&mut callee);
        } else if let Some(calls) = line.strip_prefix("calls=") {
            is_call = true;
            let count: u64 = calls.split(' ').next().and_then(|count| count.parse().ok()).unwrap_or(0);
            let is_allocation = ALLOCATING.iter().any(|name| callee.ends_with(name));
            cost.allocations += if is_allocation { count } else { 0 };
        } else if let Some(total) = line.strip_prefix("totals: ").or_else(|| line.strip_prefix("summary: ")) {
            cost.instructions = total.trim().parse().unwrap_or(0);
        } else if std::mem::take(&mut is_call) {
            let spent = line.split(' ').nth(1).and_then(|spent| spent.parse().ok()).unwrap_or(0);
            *cost.inclusive.entry(callee.clone()).or_default() += spent;
        }
    }
    cost
}
