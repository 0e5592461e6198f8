//! Cancellation of calls by their caller. Only the MCP server may cancel, on behalf of clients that cancel: it names
//! its calls in a header and cancels them by that name, at any gateway. Disconnecting is not a cancellation.
//!
//! [`crate::miss`] describes what happens to a cancelled call.

use crate::GatewayError;
use crate::directory::Caller;
use crate::error::CallError;
use futures::future::BoxFuture;
use futures::stream::{self, BoxStream, StreamExt};
use http::{HeaderMap, HeaderName};
use limner_bus::{Bus, Cancellation};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Header with the caller's name of a call. Several calls may have one name: they are cancelled together.
const CALL: HeaderName = HeaderName::from_static("limner-call");
const LONGEST_NAME: usize = 64;
/// Time for which a name is kept after its last use. Longer than a call takes, since it may be cancelled at any moment;
/// and a call may arrive after its cancellation.
const MEMORY: Duration = Duration::from_secs(120);
const MOST_KNOWN: u64 = 200_000;

type Announce = dyn Fn(Cancellation) -> BoxFuture<'static, ()> + Send + Sync;

/// The cancellations of all gateways.
pub struct Cancellations {
    announce: Arc<Announce>,
    heard: BoxStream<'static, Cancellation>,
}

impl Cancellations {
    /// Announces own cancellations by `announce`, and receives those of other gateways.
    pub fn new(
        announce: impl Fn(Cancellation) -> BoxFuture<'static, ()> + Send + Sync + 'static,
        heard: BoxStream<'static, Cancellation>,
    ) -> Self {
        Self { announce: Arc::new(announce), heard }
    }

    /// Returns the cancellations of a gateway that is the only one.
    pub fn of_one() -> Self {
        Self::new(|_| Box::pin(std::future::ready(())), stream::pending().boxed())
    }

    pub(crate) async fn over(bus: &Bus) -> Result<Self, GatewayError> {
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

    pub(crate) fn take_heard(&mut self) -> BoxStream<'static, Cancellation> {
        std::mem::replace(&mut self.heard, stream::empty().boxed())
    }
}

/// The cancellable calls of this gateway, by name.
#[derive(Clone)]
pub(crate) struct CallsByName {
    announce: Arc<Announce>,
    calls: moka::future::Cache<Cancellation, CancellationToken>,
}

impl CallsByName {
    pub(crate) fn new(cancellations: &Cancellations) -> Self {
        let calls = moka::future::Cache::builder().max_capacity(MOST_KNOWN).time_to_idle(MEMORY).build();
        Self { announce: Arc::clone(&cancellations.announce), calls }
    }

    /// Applies cancellations of other gateways until the stream ends.
    pub(crate) async fn follow(self, mut heard: BoxStream<'static, Cancellation>) {
        while let Some(cancellation) = heard.next().await {
            self.give_up(cancellation).await;
        }
    }

    /// Returns the cancellation handle of a call with these headers.
    pub(crate) async fn way_out(&self, caller: &Caller, headers: &HeaderMap) -> WayOut {
        let name = headers.get(CALL).and_then(|name| name.to_str().ok());
        match name.and_then(|name| cancellation(caller, name)) {
            Some(known_as) => WayOut { asked: Some(self.token(known_as).await), ..WayOut::default() },
            None => WayOut::default(),
        }
    }

    /// Cancels the calls of that name at all gateways.
    ///
    /// # Errors
    /// The caller may not cancel, or has no call of such a name: a 404, as for an unknown path.
    pub(crate) async fn cancel(&self, caller: &Caller, name: &str, path: &str) -> Result<(), CallError> {
        let cancellation = cancellation(caller, name).ok_or_else(|| CallError::not_found(path))?;
        metrics::counter!("limner_gateway_cancellations_total").increment(1);
        self.give_up(cancellation.clone()).await;
        (self.announce)(cancellation).await;
        Ok(())
    }

    async fn give_up(&self, cancellation: Cancellation) {
        self.token(cancellation).await.cancel();
    }

    async fn token(&self, known_as: Cancellation) -> CancellationToken {
        self.calls.get_with(known_as, async { CancellationToken::new() }).await
    }
}

/// Returns `None` if the key may not cancel, or `name` is not a valid call name.
fn cancellation(caller: &Caller, name: &str) -> Option<Cancellation> {
    let is_name = (1..=LONGEST_NAME).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let is_allowed = caller.cancels && is_name;
    is_allowed.then(|| Cancellation { account_id: caller.account_id.clone(), call: name.to_owned() })
}

/// A caller's handle for the cancellation of one call.
#[derive(Clone, Default)]
pub(crate) struct WayOut {
    /// Cancelled when the caller requests it; `None`: the call is not cancellable.
    asked: Option<CancellationToken>,
    /// Cancelled when the call has ended for the caller, without charge and result, while its work continues for
    /// others.
    taken: CancellationToken,
}

impl WayOut {
    /// Returns true if the call is cancellable.
    pub(crate) fn is_there(&self) -> bool {
        self.asked.is_some()
    }

    /// Returns true if the caller has requested a cancellation.
    pub(crate) fn is_asked(&self) -> bool {
        self.asked.as_ref().is_some_and(CancellationToken::is_cancelled)
    }

    pub(crate) async fn asked(&self) {
        match &self.asked {
            Some(asked) => asked.cancelled().await,
            None => std::future::pending().await,
        }
    }

    /// Returns the output of `work`, or `None` if the caller requests a cancellation first.
    pub(crate) async fn unless_asked<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            () = self.asked() => None,
            done = work => Some(done),
        }
    }

    /// Ends the call for the caller.
    pub(crate) fn take(&self) {
        self.taken.cancel();
    }

    pub(crate) async fn taken(&self) {
        self.taken.cancelled().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    fn caller(account_id: &str, cancels: bool) -> Caller {
        Caller { account_id: account_id.to_owned(), key_id: "k".to_owned(), cancels }
    }

    fn named(name: &str) -> HeaderMap {
        [(CALL, HeaderValue::from_str(name).unwrap())].into_iter().collect()
    }

    #[tokio::test]
    async fn a_name_cancels_calls_of_its_account_at_any_time() {
        let calls = CallsByName::new(&Cancellations::of_one());
        let (jane, joe) = (caller("jane", true), caller("joe", true));
        let before = calls.way_out(&jane, &named("a")).await;
        let others = [
            calls.way_out(&joe, &named("a")).await,
            calls.way_out(&jane, &named("b")).await,
            calls.way_out(&jane, &HeaderMap::new()).await,
        ];
        calls.cancel(&jane, "a", "/").await.unwrap();
        let after = calls.way_out(&jane, &named("a")).await;
        assert!(before.is_asked() && after.is_asked());
        assert!(others.iter().all(|other| !other.is_asked()));
    }

    #[tokio::test]
    async fn other_keys_and_invalid_names_cannot_cancel() {
        let calls = CallsByName::new(&Cancellations::of_one());
        let plain = caller("jane", false);
        assert!(!calls.way_out(&plain, &named("a")).await.is_there());
        assert_eq!(calls.cancel(&plain, "a", "/x").await, Err(CallError::not_found("/x")));
        let long = "a".repeat(65);
        for name in ["", "a b", "a/b", &long] {
            assert!(!calls.way_out(&caller("jane", true), &named(name)).await.is_there(), "{name}");
            assert!(calls.cancel(&caller("jane", true), name, "/").await.is_err());
        }
    }
}
