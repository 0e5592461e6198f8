//! A TCP proxy on one address behind which servers change or fall silent, like a virtual address or a load balancer.

use std::net::SocketAddr;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// A proxy on one address. It has a thread of its own, so a test may block.
pub struct TcpProxy {
    address: SocketAddr,
    route: watch::Sender<Route>,
}

#[derive(Clone, Copy)]
struct Route {
    /// The server of new connections; `None`: they are accepted and never answered.
    server: Option<SocketAddr>,
    /// Connections of an earlier generation are no longer forwarded.
    generation: u64,
}

impl TcpProxy {
    /// Starts a proxy in front of `server`.
    ///
    /// # Panics
    /// Panics if there is no free port.
    pub fn start(server: SocketAddr) -> Self {
        let (route, routes) = watch::channel(Route { server: Some(server), generation: 0 });
        let listener = std::net::TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, 0)).expect("a free loopback port");
        listener.set_nonblocking(true).expect("a socket can be non-blocking");
        let address = listener.local_addr().expect("a bound listener has an address");
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(serve(listener, routes));
        });
        Self { address, route }
    }

    /// Returns the address for clients.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Leads new connections to `server`. Existing ones continue with their server.
    pub fn lead_to(&self, server: SocketAddr) {
        self.route.send_modify(|route| route.server = Some(server));
    }

    /// Falls silent: bytes on existing connections are acknowledged and neither forwarded nor answered, and the
    /// connections stay open. New connections are served.
    pub fn silence_existing(&self) {
        self.route.send_modify(|route| route.generation += 1);
    }

    /// Falls silent for existing and new connections until [`TcpProxy::lead_to`]; those opened before stay silent.
    pub fn silence(&self) {
        self.route.send_modify(|route| *route = Route { server: None, generation: route.generation + 1 });
    }
}

/// Serves until the proxy is dropped.
async fn serve(listener: std::net::TcpListener, mut routes: watch::Receiver<Route>) {
    let listener = TcpListener::from_std(listener).expect("a non-blocking listener");
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                if let Ok((client, _)) = accepted {
                    tokio::spawn(forward(client, routes.clone()));
                }
            }
            changed = routes.changed() => if changed.is_err() { return },
        }
    }
}

async fn forward(mut client: TcpStream, mut routes: watch::Receiver<Route>) {
    let Route { server, generation } = *routes.borrow_and_update();
    let Some(server) = server else { return swallow(client).await };
    let Ok(mut server) = TcpStream::connect(server).await else { return };
    let _ = (client.set_nodelay(true), server.set_nodelay(true));
    let is_silent = async { routes.wait_for(|route| route.generation > generation).await.map(drop) };
    tokio::select! {
        // Either side may end the connection.
        _ = tokio::io::copy_bidirectional(&mut client, &mut server) => {}
        Ok(()) = is_silent => swallow(client).await,
    }
}

/// Reads until the client gives up.
async fn swallow(mut client: TcpStream) {
    let _ = tokio::io::copy(&mut client, &mut tokio::io::sink()).await;
}
