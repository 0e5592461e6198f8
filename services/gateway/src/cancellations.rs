//! Cancellation of calls by their caller. Only the MCP server may cancel, on behalf of clients that cancel: it names
//! its calls in a header and cancels them by that name, at any gateway. Disconnecting is not a cancellation.
//!
//! [`crate::execute`] describes what happens to a cancelled call.

use crate::account_directory::Caller;
use crate::error::{CallError, GatewayError};
use futures::future::BoxFuture;
use futures::stream::{self, BoxStream, StreamExt};
use http::{HeaderMap, HeaderName};
use limner_bus::{Bus, Cancellation};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Header with the caller's name of a call. Several calls may have one name: they are cancelled together.
const CANCELLATION_ID: HeaderName = HeaderName::from_static("limner-cancellation-id");
/// The header's name in the previous release, whose MCP servers run during an upgrade.
const PREVIOUS_CANCELLATION_ID: HeaderName = HeaderName::from_static("limner-call");
const MAX_NAME_LEN: usize = 64;
/// Time for which a name is kept after its last use. Longer than a call takes, since it may be cancelled at any moment;
/// and a call may arrive after its cancellation.
const CANCELLATION_TTL: Duration = Duration::from_secs(120);
const MAX_CANCELLABLE_CALLS: u64 = 200_000;

type AnnounceFn = dyn Fn(Cancellation) -> BoxFuture<'static, ()> + Send + Sync;

/// The cancellations of all gateways.
pub struct Cancellations {
    announce: Arc<AnnounceFn>,
    events: BoxStream<'static, Cancellation>,
}

impl Cancellations {
    /// Announces own cancellations by `announce`, and receives those of other gateways.
    pub fn new(
        announce: impl Fn(Cancellation) -> BoxFuture<'static, ()> + Send + Sync + 'static,
        events: BoxStream<'static, Cancellation>,
    ) -> Self {
        Self { announce: Arc::new(announce), events }
    }

    /// Returns the cancellations of a gateway that is the only one.
    pub fn local_only() -> Self {
        Self::new(|_| Box::pin(std::future::ready(())), stream::pending().boxed())
    }

    pub(crate) async fn connect(bus: &Bus) -> Result<Self, GatewayError> {
        let heard = bus.cancellations().await?.boxed();
        let bus = bus.clone();
        let announce = move |cancellation| -> BoxFuture<'static, ()> {
            let bus = bus.clone();
            Box::pin(async move {
                if let Err(cause) = bus.announce_cancellation(&cancellation).await {
                    tracing::warn!(error = %cause, "cannot announce a cancellation: the call continues at other gateways");
                }
            })
        };
        Ok(Self::new(announce, heard))
    }

    pub(crate) fn take_events(&mut self) -> BoxStream<'static, Cancellation> {
        std::mem::replace(&mut self.events, stream::empty().boxed())
    }
}

/// The cancellable calls of this gateway, by name.
#[derive(Clone)]
pub(crate) struct CancellableCalls {
    announce: Arc<AnnounceFn>,
    calls: moka::future::Cache<Cancellation, CancellationToken>,
}

impl CancellableCalls {
    pub(crate) fn new(cancellations: &Cancellations) -> Self {
        let calls =
            moka::future::Cache::builder().max_capacity(MAX_CANCELLABLE_CALLS).time_to_idle(CANCELLATION_TTL).build();
        Self { announce: Arc::clone(&cancellations.announce), calls }
    }

    /// Applies cancellations of other gateways until the stream ends.
    pub(crate) async fn follow(self, mut heard: BoxStream<'static, Cancellation>) {
        while let Some(cancellation) = heard.next().await {
            self.apply_cancellation(cancellation).await;
        }
    }

    /// Returns the cancellation handle of a call with these headers.
    pub(crate) async fn cancel_handle(&self, caller: &Caller, headers: &HeaderMap) -> CancelHandle {
        let name = headers.get(CANCELLATION_ID).or_else(|| headers.get(PREVIOUS_CANCELLATION_ID));
        let name = name.and_then(|name| name.to_str().ok());
        match name.and_then(|name| cancellation(caller, name)) {
            Some(known_as) => CancelHandle { requested: Some(self.token(known_as).await), ..CancelHandle::default() },
            None => CancelHandle::default(),
        }
    }

    /// Cancels the calls of that name at all gateways.
    ///
    /// # Errors
    /// The caller may not cancel, or has no call of such a name: a 404, as for an unknown path.
    pub(crate) async fn cancel(&self, caller: &Caller, name: &str, path: &str) -> Result<(), CallError> {
        let cancellation = cancellation(caller, name).ok_or_else(|| CallError::not_found(path))?;
        metrics::counter!("limner_gateway_cancellations_total").increment(1);
        self.apply_cancellation(cancellation.clone()).await;
        (self.announce)(cancellation).await;
        Ok(())
    }

    async fn apply_cancellation(&self, cancellation: Cancellation) {
        self.token(cancellation).await.cancel();
    }

    async fn token(&self, known_as: Cancellation) -> CancellationToken {
        self.calls.get_with(known_as, async { CancellationToken::new() }).await
    }
}

/// Returns `None` if the key may not cancel, or `name` is not a valid call name.
fn cancellation(caller: &Caller, name: &str) -> Option<Cancellation> {
    let is_name = (1..=MAX_NAME_LEN).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let is_allowed = caller.cancels && is_name;
    is_allowed.then(|| Cancellation { account_id: caller.account_id.clone(), call: name.to_owned() })
}

/// A caller's handle for the cancellation of one call.
#[derive(Clone, Default)]
pub(crate) struct CancelHandle {
    /// Cancelled when the caller requests it; `None`: the call is not cancellable.
    requested: Option<CancellationToken>,
    /// Cancelled when the call has ended for the caller, without charge and result, while its work continues for
    /// others.
    completed: CancellationToken,
}

impl CancelHandle {
    /// Returns true if the call is cancellable.
    pub(crate) fn is_cancellable(&self) -> bool {
        self.requested.is_some()
    }

    /// Returns true if the caller has requested a cancellation.
    pub(crate) fn is_requested(&self) -> bool {
        self.requested.as_ref().is_some_and(CancellationToken::is_cancelled)
    }

    pub(crate) async fn requested(&self) {
        match &self.requested {
            Some(asked) => asked.cancelled().await,
            None => std::future::pending().await,
        }
    }

    /// Returns the output of `work`, or `None` if the caller requests a cancellation first.
    pub(crate) async fn run_until_cancelled<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            () = self.requested() => None,
            done = work => Some(done),
        }
    }

    /// Ends the call for the caller.
    pub(crate) fn complete(&self) {
        self.completed.cancel();
    }

    pub(crate) async fn completed(&self) {
        self.completed.cancelled().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    fn caller(account_id: &str, cancels: bool) -> Caller {
        Caller { account_id: account_id.to_owned(), key_id: "k".to_owned(), cancels }
    }

    fn call_header(name: &str) -> HeaderMap {
        [(CANCELLATION_ID, HeaderValue::from_str(name).unwrap())].into_iter().collect()
    }

    #[tokio::test]
    async fn header_of_the_previous_release_names_a_call() {
        let calls = CancellableCalls::new(&Cancellations::local_only());
        let jane = caller("jane", true);
        let previous = [(HeaderName::from_static("limner-call"), HeaderValue::from_static("a"))].into_iter().collect();
        calls.cancel(&jane, "a", "/").await.unwrap();
        assert!(calls.cancel_handle(&jane, &previous).await.is_requested());
    }

    #[tokio::test]
    async fn name_cancels_calls_of_its_account_at_any_time() {
        let calls = CancellableCalls::new(&Cancellations::local_only());
        let (jane, joe) = (caller("jane", true), caller("joe", true));
        let before = calls.cancel_handle(&jane, &call_header("a")).await;
        let others = [
            calls.cancel_handle(&joe, &call_header("a")).await,
            calls.cancel_handle(&jane, &call_header("b")).await,
            calls.cancel_handle(&jane, &HeaderMap::new()).await,
        ];
        calls.cancel(&jane, "a", "/").await.unwrap();
        let after = calls.cancel_handle(&jane, &call_header("a")).await;
        assert!(before.is_requested() && after.is_requested());
        assert!(others.iter().all(|other| !other.is_requested()));
    }

    #[tokio::test]
    async fn keys_without_the_permission_and_invalid_names_cannot_cancel() {
        let calls = CancellableCalls::new(&Cancellations::local_only());
        let plain = caller("jane", false);
        assert!(!calls.cancel_handle(&plain, &call_header("a")).await.is_cancellable());
        assert_eq!(calls.cancel(&plain, "a", "/x").await, Err(CallError::not_found("/x")));
        let long = "a".repeat(65);
        for name in ["", "a b", "a/b", &long] {
            assert!(!calls.cancel_handle(&caller("jane", true), &call_header(name)).await.is_cancellable(), "{name}");
            assert!(calls.cancel(&caller("jane", true), name, "/").await.is_err());
        }
    }
}
