//! A fake SMTP server: accepts mail, or fails as a test requires.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rcgen::{CertificateParams, KeyPair};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Mutex;
use tokio_rustls::TlsAcceptor;

pub(crate) const USER: &str = "limner";
pub(crate) const SECRET: &str = "s%cret/?";

/// The server's use of TLS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Security {
    None,
    StartTls,
    Wrapped,
}

/// A received mail: envelope and text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Taken {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) text: String,
    pub(crate) encrypted: bool,
    pub(crate) authenticated: bool,
}

struct SmtpState {
    security: Security,
    wants_password: bool,
    acceptor: TlsAcceptor,
    taken: Mutex<Vec<Taken>>,
    /// The response to the following `RCPT` commands.
    to_recipients: AtomicU16,
    is_silent: AtomicUsize,
    conversations: AtomicUsize,
}

pub(crate) struct MailServer {
    inner: Arc<SmtpState>,
    port: u16,
    pub(crate) ca_pem: Vec<u8>,
}

impl MailServer {
    pub(crate) async fn start(security: Security, wants_password: bool) -> Self {
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(vec!["127.0.0.1".to_owned()]).unwrap();
        let certificate = params.self_signed(&key).unwrap();
        let private = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = rustls::ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let config = config.unwrap().with_no_client_auth().with_single_cert(vec![certificate.der().clone()], private);
        let inner = Arc::new(SmtpState {
            security,
            wants_password,
            acceptor: TlsAcceptor::from(Arc::new(config.unwrap())),
            taken: Mutex::default(),
            to_recipients: AtomicU16::new(250),
            is_silent: AtomicUsize::new(0),
            conversations: AtomicUsize::new(0),
        });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let serving = Arc::clone(&inner);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let inner = Arc::clone(&serving);
                // A client that disconnects ends the session; the test only checks the accepted mails.
                tokio::spawn(async move { inner.serve(stream).await });
            }
        });
        Self { inner, port, ca_pem: certificate.pem().into_bytes() }
    }

    /// Returns the URL for the console's settings.
    pub(crate) fn url(&self, with_password: bool) -> String {
        let user = if with_password { "limner:s%25cret%2F%3F@" } else { "" };
        match self.inner.security {
            Security::None => format!("smtp://{user}127.0.0.1:{}", self.port),
            Security::StartTls => format!("smtp://{user}127.0.0.1:{}?tls=required", self.port),
            Security::Wrapped => format!("smtps://{user}127.0.0.1:{}", self.port),
        }
    }

    /// Sets the response to the following `RCPT` commands.
    pub(crate) fn answer_recipients(&self, code: u16) {
        self.inner.to_recipients.store(code, Ordering::SeqCst);
    }

    /// Sets whether it accepts connections without responding.
    pub(crate) fn fall_silent(&self, is_silent: bool) {
        self.inner.is_silent.store(usize::from(is_silent), Ordering::SeqCst);
    }

    /// Waits until that many sessions have started.
    pub(crate) async fn conversations(&self, count: usize) {
        let until = Instant::now() + Duration::from_secs(60);
        while self.inner.conversations.load(Ordering::SeqCst) < count {
            assert!(Instant::now() < until, "fewer than {count} sessions");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Returns the number of sessions so far.
    pub(crate) fn conversations_so_far(&self) -> usize {
        self.inner.conversations.load(Ordering::SeqCst)
    }

    /// Waits until that many mails were received.
    pub(crate) async fn mails(&self, count: usize) -> Vec<Taken> {
        let until = Instant::now() + Duration::from_secs(60);
        loop {
            let taken = self.inner.taken.lock().await.clone();
            if taken.len() >= count {
                return taken;
            }
            assert!(Instant::now() < until, "{} of {count} mails", taken.len());
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

trait Wire: AsyncRead + AsyncWrite + Unpin + Send {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send> Wire for T {}

impl SmtpState {
    async fn serve(&self, stream: TcpStream) -> Option<()> {
        self.conversations.fetch_add(1, Ordering::SeqCst);
        if self.is_silent.load(Ordering::SeqCst) > 0 {
            // Until the client gives up.
            let _ = BufReader::new(stream).lines().next_line().await;
            return None;
        }
        let mut wire: BufReader<Box<dyn Wire>> = match self.security {
            Security::Wrapped => BufReader::new(Box::new(self.acceptor.accept(stream).await.ok()?)),
            _ => BufReader::new(Box::new(stream)),
        };
        let mut encrypted = self.security == Security::Wrapped;
        let (mut authenticated, mut from, mut to) = (false, String::new(), String::new());
        write_line(&mut wire, "220 mail.test ready").await?;
        loop {
            let mut line = String::new();
            if wire.read_line(&mut line).await.ok()? == 0 {
                return None;
            }
            let line = line.trim_end();
            match line.split([' ', ':']).next().unwrap_or_default().to_ascii_uppercase().as_str() {
                "EHLO" if self.security == Security::StartTls && !encrypted => {
                    write_line(&mut wire, "250-mail.test\r\n250 STARTTLS").await?;
                }
                "EHLO" => write_line(&mut wire, "250-mail.test\r\n250 AUTH PLAIN").await?,
                "STARTTLS" => {
                    write_line(&mut wire, "220 go ahead").await?;
                    let secured = self.acceptor.accept(wire.into_inner()).await.ok()?;
                    wire = BufReader::new(Box::new(secured));
                    encrypted = true;
                }
                "AUTH" => {
                    let given = STANDARD.decode(line.rsplit(' ').next().unwrap_or_default()).unwrap_or_default();
                    authenticated = given == format!("\0{USER}\0{SECRET}").as_bytes();
                    write_line(&mut wire, if authenticated { "235 welcome" } else { "535 not you" }).await?;
                }
                "MAIL" if self.wants_password && !authenticated => write_line(&mut wire, "530 sign in first").await?,
                "MAIL" => {
                    from = address(line);
                    write_line(&mut wire, "250 ok").await?;
                }
                "RCPT" => {
                    to = address(line);
                    let code = self.to_recipients.load(Ordering::SeqCst);
                    write_line(&mut wire, &format!("{code} that is the answer")).await?;
                }
                "DATA" => {
                    write_line(&mut wire, "354 go on").await?;
                    let text = self.text(&mut wire).await?;
                    let mail = Taken { from: from.clone(), to: to.clone(), text, encrypted, authenticated };
                    self.taken.lock().await.push(mail);
                    write_line(&mut wire, "250 taken").await?;
                }
                "QUIT" => return write_line(&mut wire, "221 bye").await,
                _ => write_line(&mut wire, "250 ok").await?,
            }
        }
    }

    /// Reads a mail up to the final dot (RFC 5321 §4.5.2).
    async fn text(&self, wire: &mut BufReader<Box<dyn Wire>>) -> Option<String> {
        let mut text = String::new();
        loop {
            let mut line = String::new();
            if wire.read_line(&mut line).await.ok()? == 0 {
                return None;
            }
            if line == ".\r\n" {
                return Some(text);
            }
            text.push_str(line.strip_prefix('.').unwrap_or(&line));
        }
    }
}

async fn write_line(wire: &mut BufReader<Box<dyn Wire>>, line: &str) -> Option<()> {
    wire.write_all(format!("{line}\r\n").as_bytes()).await.ok()?;
    wire.flush().await.ok()
}

fn address(line: &str) -> String {
    line.split_once('<').and_then(|(_, rest)| rest.split_once('>')).map_or_else(String::new, |(it, _)| it.to_owned())
}
