//! `limner diff`: what has changed between two pages, or between an earlier result and a page.

mod color;
mod comparison;
mod fields;
mod looks;
mod members;
mod operand;
mod tokens;
mod view;

use crate::cli::{DiffArgs, OperationName};
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
    check_parameters(args, operation)?;
    let source = Source::new(settings, &args.read)?;
    let (after_kept, before_kept) = (after.kept(), before.kept());
    let (mut one, mut other) = tokio::try_join!(
        before.result(&source, args, operation, after_kept),
        after.result(&source, args, operation, before_kept)
    )?;
    let fields = fields::narrow(operation, args.parameters.fields().as_deref(), &mut one, &mut other)?;
    let differences = match operation {
        Operation::Extract => tokens::compare(&one, &other, Tolerance(args.tolerance)),
        Operation::Brand => members::compare(&one, &other, Tolerance(args.tolerance)),
        _ => looks::compare(&one, &other, Tolerance(args.tolerance)),
    };
    Ok(Comparison { operation, before: args.before.clone(), after: args.after.clone(), fields, differences })
}

/// Returns the operation whose results are compared: the one that was named, or that of the files.
fn operation(args: &DiffArgs, before: &Operand, after: &Operand) -> Result<Operation, ExitReason> {
    let named = args.operation.map(|name| ("--op is".to_owned(), name.0));
    let kept = [(&args.before, before), (&args.after, after)]
        .into_iter()
        .filter_map(|(file, side)| Some((format!("{file} is a result of"), side.operation()?)));
    let known: Vec<(String, Operation)> = named.into_iter().chain(kept).collect();
    let Some((first, operation)) = known.first() else { return Ok(Operation::Extract) };
    if let Some((second, other)) = known.iter().find(|(_, other)| other != operation) {
        let (name, other) = (OperationName(*operation), OperationName(*other));
        let message = format!("{first} `{name}`, but {second} `{other}`: only results of one operation are compared");
        return Err(UsageError(message).into());
    }
    Ok(*operation)
}

/// Checks that pages are not read in a form that cannot be compared.
fn check_parameters(args: &DiffArgs, operation: Operation) -> Result<(), UsageError> {
    let parameters = args.parameters.pairs();
    let is_other = |name: &str, only: &str| parameters.iter().any(|(own, value)| own == name && value != only);
    if is_other("format", "json") {
        return Err(UsageError("only results in JSON are compared: leave out --format".to_owned()));
    }
    if operation == Operation::Code && is_other("framework", "html") {
        return Err(UsageError("the looks of a section are compared in HTML: leave out --framework".to_owned()));
    }
    Ok(())
}
