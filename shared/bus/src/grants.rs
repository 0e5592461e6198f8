//! Users of the queue, each with the subjects that its role needs.

use crate::{JobQueue, Stage};
use std::fmt::Write as _;

/// A role's user and its subjects, without the prefix.
struct Grant {
    user: &'static str,
    publish: Vec<String>,
    subscribe: Vec<String>,
}

/// Returns the users of the queue as a part of a configuration file of NATS; passwords are taken from its environment.
///
/// No role reads another one's inbox: jobs of a stage, with the subjects of their replies, reach its workers only.
pub fn nats_users(prefix: &str) -> String {
    let mut text = "authorization {\n  users: [\n".to_owned();
    for Grant { user, publish, subscribe } in grants(prefix) {
        let upper = user.to_uppercase();
        let (publish, subscribe) = (list(&publish), list(&subscribe));
        // A role answers whoever asked it, on the subject of the question.
        let _ = write!(
            text,
            "    {{\n      user: {user}, password: $NATS_{upper}_PASSWORD\n      permissions: {{\n        publish: {{ allow: \
             [{publish}] }}\n        subscribe: {{ allow: [{subscribe}] }}\n        allow_responses: true\n      }}\n    }}\n"
        );
    }
    text.push_str("  ]\n}\n");
    text
}

fn list(subjects: &[String]) -> String {
    subjects.iter().map(|subject| format!("\"{subject}\"")).collect::<Vec<_>>().join(", ")
}

fn grants(prefix: &str) -> Vec<Grant> {
    let own = |subjects: &[&str]| -> Vec<String> { subjects.iter().map(|rest| format!("{prefix}.{rest}")).collect() };
    let with_inbox = |user: &str, subjects: &[&str]| -> Vec<String> {
        own(subjects).into_iter().chain([format!("{}.>", inbox_prefix(&format!("limner-{user}")))]).collect()
    };
    let worker = |stage: Stage, more: &[&str]| -> Vec<String> {
        let stream = stage.stream(prefix);
        let of_queue = |queue: JobQueue| {
            let consumer = stage.consumer(queue);
            let api = ["INFO", "MSG.NEXT"].map(|call| format!("$JS.API.CONSUMER.{call}.{stream}.{consumer}"));
            // A job that has to wait is queued again.
            api.into_iter().chain([format!("$JS.ACK.{stream}.{consumer}.>"), stage.subject(prefix, queue)])
        };
        let queues = JobQueue::ALL.into_iter().flat_map(of_queue);
        own(&["replies.>"]).into_iter().chain(own(more)).chain(queues).collect()
    };
    vec![
        Grant {
            user: "gateway",
            publish: own(&["jobs.>", "calls.cancelled", "renderers.asked"]),
            subscribe: with_inbox("gateway", &["replies.>", "accounts.changed", "calls.cancelled", "renderers.said"]),
        },
        Grant {
            user: "fetcher",
            // A page that needs a browser is handed over to renderers.
            publish: worker(Stage::Fetch, &["jobs.render", "jobs.render.>", "renderers.asked"]),
            subscribe: with_inbox("fetcher", &["calls.cancelled", "renderers.said"]),
        },
        Grant {
            user: "renderer",
            publish: worker(Stage::Render, &["renderers.said"]),
            subscribe: with_inbox("renderer", &["calls.cancelled", "renderers.asked"]),
        },
        Grant { user: "metering", publish: own(&["accounts.changed"]), subscribe: with_inbox("metering", &[]) },
        Grant { user: "migrate", publish: vec!["$JS.API.>".to_owned()], subscribe: with_inbox("migrate", &[]) },
    ]
}

/// Returns the prefix of a client's inboxes: permissions are by prefix, and the usual one is everybody's.
pub(crate) fn inbox_prefix(client: &str) -> String {
    format!("_INBOX.{client}")
}
