//! Validation across settings.

use super::layered_reader::LayeredReader;
use super::{QueueStorage, Settings};
use std::path::Path;
use std::time::Duration;

mod servers;

/// Minimum time between the deadline of a call and the expiry of its hold, for a slow commit.
const HOLD_MARGIN: Duration = Duration::from_secs(15);

/// The history also makes charges idempotent.
const MIN_HISTORY_RETENTION: Duration = Duration::from_secs(24 * 60 * 60);

/// Number of replicas with which a queue in memory survives the restart of a server.
const MIN_MEMORY_REPLICAS: usize = 3;

/// Maximum size in a message of the queue (8 MiB), with headers.
const MAX_RESULT_BYTES: usize = 8_000_000;

/// Records every contradiction.
pub(super) fn check(settings: &Settings, reader: &mut LayeredReader) {
    check_times(settings, reader);
    check_egress(settings, reader);
    check_queue(settings, reader);
    servers::check(settings, reader);
    settings.billing.check(reader);
    settings.console.check(reader);
    if settings.cache.snapshot_bytes > settings.cache.snapshot_share {
        reader.record_error(
            "cache.snapshot_bytes",
            "it is more than cache.snapshot_share, which is for all pages together",
        );
    }
    let payload = settings.limits.result_bytes.0;
    if payload > MAX_RESULT_BYTES {
        reader.record_error("limits.result_bytes", "a result larger than 8MB does not fit into a message of the queue");
    }
}

fn check_queue(settings: &Settings, reader: &mut LayeredReader) {
    if settings.nats.storage == QueueStorage::Memory && settings.nats.replicas < MIN_MEMORY_REPLICAS {
        let replicas = settings.nats.replicas;
        reader.record_error(
            "nats.storage",
            format!("memory with nats.replicas {replicas}: a server that restarts would lose the queue; at least {MIN_MEMORY_REPLICAS}"),
        );
    }
}

fn check_times(settings: &Settings, reader: &mut LayeredReader) {
    let (limits, call) = (&settings.limits, settings.limits.call);
    for (key, read) in [
        ("limits.static_read", limits.static_read),
        ("limits.browser_read", limits.browser_read),
        ("limits.queue", limits.queue),
        ("extractor.processor_time", settings.extractor.processor_time),
    ] {
        if read >= call {
            reader.record_error(
                key,
                format!("{} is not shorter than limits.call ({})", format_duration(read), format_duration(call)),
            );
        }
    }
    if settings.nats.ack_wait * 2 > call {
        let ack_wait = format_duration(settings.nats.ack_wait);
        reader.record_error(
            "nats.ack_wait",
            format!(
                "with {ack_wait} a job of a dead worker is not tried again in time: at most half of limits.call ({})",
                format_duration(call)
            ),
        );
    }
    if settings.nats.max_job_age < call {
        let age = format_duration(settings.nats.max_job_age);
        reader.record_error(
            "nats.max_job_age",
            format!("{age} is shorter than limits.call ({}): jobs would be lost", format_duration(call)),
        );
    }
    if settings.metering.hold_life < call + HOLD_MARGIN {
        let (life, least) = (format_duration(settings.metering.hold_life), format_duration(call + HOLD_MARGIN));
        reader.record_error(
            "metering.hold_life",
            format!("{life} is too short for a call: at least limits.call + 15s ({least})"),
        );
    }
    if settings.metering.history_retention < MIN_HISTORY_RETENTION {
        reader.record_error("metering.history_retention", "less than a day: repeated calls could be charged twice");
    }
    if settings.shutdown.grace < call {
        let grace = format_duration(settings.shutdown.grace);
        reader.record_error(
            "shutdown.grace",
            format!("{grace} is shorter than limits.call ({}): calls would be cut off", format_duration(call)),
        );
    }
    if settings.cache.snapshot_ttl > settings.cache.result_ttl {
        reader.record_error(
            "cache.snapshot_ttl",
            "it is longer than cache.result_ttl: results would be older than they say",
        );
    }
}

fn check_egress(settings: &Settings, reader: &mut LayeredReader) {
    for (name, socket) in &settings.egress.hosts {
        if !settings.egress.allow.iter().any(|network| network.contains(&socket.ip())) {
            let network = if socket.is_ipv4() { 32 } else { 128 };
            reader.record_error(
                "egress.hosts",
                format!(
                    "`{name}` leads to {socket}, which is not allowed: add \"{}/{network}\" to egress.allow",
                    socket.ip()
                ),
            );
        }
    }
    check_certificates("egress.extra_ca", settings.egress.extra_ca.as_deref(), reader);
}

fn check_certificates(key: &str, path: Option<&Path>, reader: &mut LayeredReader) {
    let Some(path) = path else { return };
    match std::fs::read_to_string(path) {
        Ok(text) if text.contains("-----BEGIN CERTIFICATE-----") => {}
        Ok(_) => reader.record_error(key, format!("{} has no certificate in PEM form", path.display())),
        Err(cause) => reader.record_error(key, format!("{} cannot be read: {cause}", path.display())),
    }
}

fn format_duration(duration: Duration) -> String {
    use super::values::Setting;
    duration.to_toml().as_str().unwrap_or_default().to_owned()
}
