//! `limner diff`: what has changed between two pages, or between an earlier result and a page.

mod color;
mod comparison;
mod looks;
mod members;
mod operand;
mod tokens;
mod view;

use crate::cli::DiffArgs;
use crate::exit::{ExitReason, UsageError};
use crate::extract::Source;
use crate::output;
use comparison::{Comparison, Tolerance};
use limner_runtime::Settings;
use limner_types::Operation;
use operand::Operand;

/// Exit status if there are more differences than the threshold.
const DRIFT: u8 = 1;
/// Exit status if one side cannot be read or compared.
const FAILURE: u8 = 2;

/// Runs the command.
pub(crate) async fn run(settings: &Settings, args: DiffArgs) -> Result<(), ExitReason> {
    let comparison = compare(settings, &args).await.map_err(|fault| fault.with_status(FAILURE))?;
    let is_drift = comparison.differences.len() > args.threshold;
    let printed = match args.json {
        true => output::print_json(&view::json(&comparison, args.threshold)),
        false => output::print(view::text(&comparison, args.threshold).trim_end()),
    };
    printed.map_err(|fault| ExitReason::from(fault).with_status(FAILURE))?;
    if is_drift { Err(ExitReason::Silent(DRIFT)) } else { Ok(()) }
}

async fn compare(settings: &Settings, args: &DiffArgs) -> Result<Comparison, ExitReason> {
    let (before, after) = (Operand::new(&args.before)?, Operand::new(&args.after)?);
    let operation = operation(args, &before, &after)?;
    let source = Source::new(settings, &args.read)?;
    let (after_kept, before_kept) = (after.kept(), before.kept());
    let (one, other) = tokio::try_join!(
        before.result(&source, args, operation, after_kept),
        after.result(&source, args, operation, before_kept)
    )?;
    let differences = match operation {
        Operation::Extract => tokens::compare(&one, &other, Tolerance(args.tolerance)),
        Operation::Brand => members::compare(&one, &other, Tolerance(args.tolerance)),
        _ => looks::compare(&one, &other, Tolerance(args.tolerance)),
    };
    Ok(Comparison { operation, before: args.before.clone(), after: args.after.clone(), differences })
}

/// Returns the operation whose results are compared: the one that was named, or that of the files.
fn operation(args: &DiffArgs, before: &Operand, after: &Operand) -> Result<Operation, ExitReason> {
    let named = args.operation.map(|name| name.0);
    let known: Vec<Operation> = named.into_iter().chain(before.operation()).chain(after.operation()).collect();
    let operation = known.first().copied().unwrap_or(Operation::Extract);
    if known.iter().any(|other| *other != operation) {
        return Err(
            UsageError("the sides are results of different operations, which cannot be compared".to_owned()).into()
        );
    }
    match operation {
        Operation::Extract | Operation::Brand | Operation::Code => Ok(operation),
        other => Err(UsageError(format!("`{other}` is not compared; --op can be tokens, brand or code")).into()),
    }
}
