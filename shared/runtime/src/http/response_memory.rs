//! Middleware that counts the memory of responses against a server's budget.

use super::memory_budget::MemoryBudget;
use axum::Router;
use axum::body::HttpBody;
use axum::extract::{Request, State};
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use std::time::Duration;

/// Maximum size of a response that is not counted, in bytes: the number of connections and streams bounds these.
const SMALL_BYTES: u64 = 16 * 1_024;
/// Value of `Retry-After` if no memory was released, in seconds.
const RETRY_SECONDS: &str = "5";

/// A memory budget of responses, and how long one waits for it.
#[derive(Debug, Clone)]
pub struct ResponseMemory {
    budget: MemoryBudget,
    timeout: Duration,
}

impl ResponseMemory {
    /// Creates a budget of `bytes`.
    pub fn new(bytes: usize, timeout: Duration) -> Self {
        Self { budget: MemoryBudget::new(bytes), timeout }
    }

    /// Returns the budget, for the server's [`HttpLimits`](super::HttpLimits).
    pub fn budget(&self) -> MemoryBudget {
        self.budget.clone()
    }

    /// Returns the router with its responses charged to the budget until they are sent or dropped. While a response
    /// waits, slow readers of others are cut off earlier. A response for which no memory is released in time is replaced
    /// by 503. Bodies of unknown size are streamed and pass.
    pub fn limit(&self, router: Router) -> Router {
        router.layer(from_fn_with_state(self.clone(), reserve_response_memory))
    }
}

async fn reserve_response_memory(State(memory): State<ResponseMemory>, request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    let Some(bytes) = response.body().size_hint().exact().filter(|bytes| *bytes > SMALL_BYTES) else {
        return response;
    };
    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
    match memory.budget.reserve_for_request(bytes, memory.timeout).await {
        Ok(reservation) => response.map(|body| reservation.hold_body(body)),
        Err(exhausted) => {
            let retry = [(RETRY_AFTER, HeaderValue::from_static(RETRY_SECONDS))];
            (StatusCode::SERVICE_UNAVAILABLE, retry, exhausted.to_string()).into_response()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;
    use axum::routing::get;
    use tower::ServiceExt;

    const LARGE_BYTES: usize = 600 * 1_024;

    async fn ask(router: &Router, path: &str) -> Response {
        router.clone().oneshot(Request::get(path).body(Body::empty()).unwrap()).await.unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn responses_beyond_the_budget_wait_and_are_then_refused() {
        let memory = ResponseMemory::new(1 << 20, Duration::from_secs(20));
        let router = Router::new()
            .route("/large", get(|| async { vec![b'x'; LARGE_BYTES] }))
            .route("/small", get(|| async { "small" }))
            .route("/stream", get(|| async { Body::from_stream(futures::stream::iter([Ok::<_, String>("part")])) }));
        let router = memory.limit(router);
        let unread = ask(&router, "/large").await;
        assert_eq!(unread.status(), 200);
        let refused = ask(&router, "/large").await;
        assert_eq!((refused.status().as_u16(), &refused.headers()[RETRY_AFTER]), (503, &HeaderValue::from_static("5")));
        for path in ["/small", "/stream"] {
            assert_eq!(ask(&router, path).await.status(), 200, "{path}");
        }
        let (waited, ()) = tokio::join!(ask(&router, "/large"), async {
            tokio::time::sleep(Duration::from_secs(10)).await;
            drop(unread);
        });
        assert_eq!(waited.status(), 200);
        let body = axum::body::to_bytes(waited.into_body(), usize::MAX).await.unwrap();
        assert_eq!(body.len(), LARGE_BYTES);
        assert_eq!(ask(&router, "/large").await.status(), 200, "the memory of a body that was sent is free");
    }
}
