//! Capabilities that pages are denied: permissions, service workers, windows, downloads, and data of earlier pages.

use crate::support::Kit;
use limner_testkit::{CannedResponse, OriginServer};
use limner_types::Operation;

/// Returns a kit whose site is served over TLS: most permissions require a secure context.
async fn secure() -> Kit {
    let site = OriginServer::start_tls(&["site.test"]).await;
    let authority = Some(site.ca_pem().to_owned());
    Kit::start_on(site, |config| config.extra_ca_pem = authority).await
}

/// A page that requests every permission and records the outcomes. A request for the screen may stay unanswered, which
/// grants nothing either.
const ASKS: &str = r#"<!DOCTYPE html><title>t</title><p>A page that wants everything.</p><iframe id=frame srcdoc="<p>in a frame"></iframe>
<script>
const note = (name, outcome) => document.body.append(`[${name}: ${outcome}]`);
const ask = async (name, run) => {
  try { note(name, await run()); } catch (fault) { note(name, fault.name ?? 'refused by ' + fault.code); }
};
const bare = document.body.appendChild(document.createElement('iframe'));
// A page that does not change any more is read, and one request stays unanswered for longer than that.
const asking = setInterval(() => document.body.append('.'), 100);
note('secure', isSecureContext);
note('workers', [window, bare.contentWindow].map(w => typeof w.navigator.serviceWorker));
addEventListener('load', async () => {
  await Promise.all([
    ...['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read', 'midi', 'persistent-storage', 'background-sync',
      'screen-wake-lock', 'window-management', 'local-fonts', 'storage-access', 'payment-handler', 'periodic-background-sync',
      'accelerometer', 'idle-detection'].map(name =>
      ask(`state ${name}`, async () => (await navigator.permissions.query({ name })).state)),
    ask('notify', () => Notification.requestPermission()),
    ask('place', () => new Promise((found, not) => navigator.geolocation.getCurrentPosition(found, not))),
    ask('camera', () => navigator.mediaDevices.getUserMedia({ video: true })),
    ask('clipboard', () => navigator.clipboard.readText()),
    ask('persist', () => navigator.storage.persist()),
    ask('fonts', async () => (await queryLocalFonts()).length),
    ask('register', () => frame.contentWindow.navigator.serviceWorker.register('/worker.js')),
    ask('window', async () => String(window.open('/opened'))),
    ask('download', async () => Object.assign(document.createElement('a'), { href: '/file', download: 'x' }).click()),
  ]);
  const patience = new Promise(done => setTimeout(done, 1000, 'no answer'));
  await ask('screen', () => Promise.race([navigator.mediaDevices.getDisplayMedia(), patience]));
  clearInterval(asking);
  note('asked', 'all');
});
</script>"#;

#[tokio::test]
async fn page_gets_no_permissions() {
    let kit = secure().await;
    kit.site.on("/", CannedResponse::html(ASKS));
    kit.site.on("/worker.js", CannedResponse::new("text/javascript", "addEventListener('fetch', () => 0)"));
    kit.site.on("/file", CannedResponse::new("application/zip", "PK").header("content-disposition", "attachment"));
    let read = kit.visit_for("https://site.test/", Operation::Images).await.unwrap().html;
    let notes: Vec<(&str, &str)> =
        read.split('[').skip(1).filter_map(|note| note.split_once(']')?.0.split_once(": ")).collect();
    let outcome = |name: &str| notes.iter().find(|note| note.0 == name).map(|note| note.1);
    assert_eq!((outcome("secure"), outcome("asked")), (Some("true"), Some("all")), "{read}");
    assert_eq!(outcome("workers"), Some("undefined,undefined"));
    assert_eq!(notes.iter().filter(|(name, _)| name.starts_with("state ")).count(), 16);
    for (name, outcome) in &notes {
        assert_ne!(*outcome, "granted", "{name}");
    }
    for (name, refusals) in [
        ("notify", &["denied"][..]),
        ("place", &["refused by 1", "GeolocationPositionError"]),
        ("camera", &["NotAllowedError", "NotFoundError"]),
        ("screen", &["NotAllowedError", "InvalidStateError", "no answer"]),
        ("clipboard", &["NotAllowedError"]),
        ("persist", &["false"]),
        ("fonts", &["0", "NotAllowedError", "SecurityError"]),
        ("register", &["TypeError"]),
        ("window", &["null"]),
    ] {
        assert!(refusals.contains(&outcome(name).unwrap()), "{name}: {:?}", outcome(name));
    }
    assert_eq!(kit.site.count("/worker.js") + kit.site.count("/opened"), 0);
    let profiles = walk(kit.profiles.path());
    assert!(!profiles.iter().any(|file| file.ends_with(".zip") || file.ends_with("/x")), "{profiles:#?}");
}

/// Returns all files below a directory.
fn walk(folder: &std::path::Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let files = entries.flat_map(|entry| match entry.path().is_dir() {
        true => walk(&entry.path()),
        false => vec![entry.path().display().to_string()],
    });
    files.collect()
}

/// A page that looks for data of an earlier visit, stores its own, and checks that it was stored.
const LEAVES: &str = r#"<!DOCTYPE html><title>t</title><p>A page that wants to be remembered.</p>
<script>
const database = () => new Promise((found, not) => {
  const opening = indexedDB.open('kept', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore('store');
  opening.onsuccess = () => found(opening.result);
  opening.onerror = not;
});
const stored = async () => {
  const kept = (await database()).transaction('store').objectStore('store').count();
  return new Promise(found => kept.onsuccess = () => found(kept.result));
};
const look = async () => [document.cookie.split('; ').sort().join('+'), localStorage.length, sessionStorage.length, (await caches.keys()).length,
  await stored(), (await fetch('/remembered')).headers.get('x-time')].join();
addEventListener('load', async () => {
  const before = await look();
  document.cookie = 'script=1; max-age=9999';
  localStorage.kept = sessionStorage.kept = 1;
  await caches.open('kept');
  const writing = (await database()).transaction('store', 'readwrite');
  writing.objectStore('store').put(1, 1);
  await new Promise(done => writing.oncomplete = done);
  document.body.append(`before ${before}; after ${await look()}.`);
});
</script>"#;

#[tokio::test]
async fn page_leaves_no_data_for_the_next() {
    let kit = secure().await;
    kit.site
        .on("/", CannedResponse::html(LEAVES).header("set-cookie", "served=1; Max-Age=9999; Secure; SameSite=None"));
    let remembered = CannedResponse::new("text/plain", "x").header("cache-control", "max-age=9999, immutable");
    for (visit, time) in ["first", "second"].into_iter().enumerate() {
        kit.site.on("/remembered", remembered.clone().header("x-time", time));
        let read = kit.visit_for("https://site.test/", Operation::Images).await.unwrap().html;
        let expected = format!("before served=1,0,0,0,0,{time}; after script=1+served=1,1,1,1,1,{time}.");
        assert!(read.contains(&expected), "{expected}: {}", &read[read.len() - 200..]);
        let pages: Vec<_> = kit.site.requests().into_iter().filter(|request| request.path == "/").collect();
        assert_eq!(pages.len(), visit + 1);
        assert!(pages.iter().all(|request| request.header("cookie").is_empty()), "no cookie is sent");
    }
}
