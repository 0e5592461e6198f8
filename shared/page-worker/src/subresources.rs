//! Subresources: files besides page and stylesheets that an operation reads.
//!
//! Nine operations share one snapshot of a page. The files that an operation gets depend only on the page, never on
//! other operations' earlier requests: the same call gives the same result.

use crate::PageError;
use crate::bounded_reading::{ReadingError, read_within};
use futures::{Stream, StreamExt};
use limner_page::{Degradation, PageSnapshot, Resource, WorkBudget};
use limner_page_view::ExtractError;
use limner_types::Operation;
use std::collections::{BTreeMap, HashSet};
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use tokio::time::Instant;
use url::Url;

/// Limits of one operation's subresources.
#[derive(Debug, Clone)]
pub struct SubresourceLimits {
    /// Maximum number of rounds in which the operation requests files.
    pub rounds: usize,
    /// Maximum number of files.
    pub resources: usize,
    /// Maximum size of one file in bytes: larger than the largest animation and the largest feed that are read.
    pub resource_bytes: usize,
    /// Maximum size of all files together, in bytes.
    pub bytes: usize,
    /// Maximum number of concurrent loads.
    pub parallel: usize,
    /// Maximum number of images whose first bytes are read for their size.
    pub pictures: usize,
    /// Number of first bytes that are read of an image.
    pub picture_bytes: usize,
    /// Maximum time for reading all of those.
    pub picture_time: Duration,
}

impl Default for SubresourceLimits {
    fn default() -> Self {
        Self {
            rounds: 3,
            resources: 40,
            resource_bytes: 10 << 20,
            bytes: 24 << 20,
            parallel: 8,
            pictures: 32,
            picture_bytes: 64 << 10,
            picture_time: Duration::from_secs(3),
        }
    }
}

/// Loads files: the fetcher's client, or a browser.
pub trait SubresourceLoader: Sync {
    /// Loads a file, or its first `most` bytes.
    fn load(&self, url: Url, most: usize) -> impl Future<Output = LoadedSubresource> + Send;
}

/// The outcome of loading a file.
#[derive(Debug)]
pub struct LoadedSubresource {
    /// The file. A file that is not available has status 0.
    pub resource: Resource,
    /// True if a retry may succeed: it timed out, or its server had an error.
    pub may_come_later: bool,
    /// True if its time was over before its server had answered. That depends on the load of this machine as well.
    pub is_late: bool,
}

impl LoadedSubresource {
    /// Returns the outcome of a response. Bodies of error pages are dropped.
    pub fn from_response(mut resource: Resource) -> Self {
        let may_come_later = matches!(resource.status, 408 | 425 | 429 | 500..);
        if !(200..300).contains(&resource.status) {
            (resource.body, resource.truncated) = (Vec::new(), false);
        }
        Self { resource, may_come_later, is_late: false }
    }

    /// Returns the outcome without a response.
    pub fn nothing(url: &Url, may_come_later: bool) -> Self {
        let resource = Resource { url: key(url), ..Resource::default() };
        Self { resource, may_come_later, is_late: false }
    }

    /// Returns the outcome of a load whose time was over.
    pub fn late(url: &Url) -> Self {
        Self { is_late: true, ..Self::nothing(url, true) }
    }
}

/// The known files of a page.
#[derive(Debug)]
pub struct KnownSubresources {
    /// By URL, without those that a retry may get.
    pub resources: BTreeMap<String, Resource>,
    /// True if one of them is new.
    pub is_new: bool,
    /// True if the operation lacks one that a retry may get: the page's servers, or this machine, were slow.
    pub lacks_some: bool,
}

impl KnownSubresources {
    /// Adds files until the limit of an operation's bytes is reached.
    fn add(&mut self, files: Vec<(String, Resource)>, limits: &SubresourceLimits) {
        let bytes = self.resources.values().map(|known| known.body.len()).sum::<usize>();
        let mut left = limits.bytes.saturating_sub(bytes);
        for (address, file) in files {
            if file.body.len() <= left {
                left -= file.body.len();
                self.resources.insert(address, file);
                self.is_new = true;
            }
        }
    }
}

/// Loads the files that `operation` reads and `snapshot` lacks, and keeps in the snapshot only those that this
/// operation requested. Returns all known files of the page. Files that are not listed by the deadline are missing.
///
/// # Errors
/// Returns [`PageError::TooCostly`] if listing the files takes more work than a page may. The snapshot is then incomplete.
pub async fn load_subresources(
    snapshot: &mut PageSnapshot,
    operation: Operation,
    limits: &SubresourceLimits,
    loader: &impl SubresourceLoader,
    deadline: Instant,
) -> Result<KnownSubresources, PageError> {
    let mut known =
        KnownSubresources { resources: std::mem::take(&mut snapshot.resources), is_new: false, lacks_some: false };
    // A URL that is itself a file is its own first resource.
    if let Some(itself) = known.resources.get(&snapshot.url) {
        snapshot.resources.insert(snapshot.url.clone(), itself.clone());
    }
    let (mut room, mut left) = (limits.resources, limits.bytes);
    let mut asked = HashSet::new();
    for _ in 0..limits.rounds {
        let mut wanted = list_urls(snapshot, operation, limner_subresources::required_subresources, deadline).await?;
        wanted.retain(|url| asked.insert(key(url)));
        wanted.truncate(room);
        if wanted.is_empty() {
            break;
        }
        room -= wanted.len();
        let (new, lacks_some) = add_files(snapshot, wanted, &mut left, limits, &known.resources, loader).await;
        known.add(new, limits);
        known.lacks_some |= lacks_some;
    }
    measure_pictures(snapshot, operation, limits, &mut known, loader, deadline).await?;
    Ok(known)
}

/// Adds files to a snapshot until `left` bytes are used up, and returns those that were not known, and true if a retry may
/// get one that is missing.
async fn add_files(
    snapshot: &mut PageSnapshot,
    wanted: Vec<Url>,
    left: &mut usize,
    limits: &SubresourceLimits,
    known: &BTreeMap<String, Resource>,
    loader: &impl SubresourceLoader,
) -> (Vec<(String, Resource)>, bool) {
    let room = AtomicUsize::new(*left);
    let most = || limits.resource_bytes.min(room.load(Ordering::Relaxed));
    let mut files = pin!(loaded(wanted, &most, limits.parallel, known, loader));
    let (mut new, mut lacks_some) = (Vec::new(), false);
    while let Some(NamedResource { address, loaded, most, was_known }) = files.next().await {
        let LoadedSubresource { mut resource, may_come_later, .. } = loaded;
        let is_cut_short = resource.truncated && most < limits.resource_bytes;
        let is_too_much = is_cut_short || resource.body.len() > *left;
        if may_come_later {
            lacks_some = true;
            report_missing_files(snapshot);
        } else if !was_known && !is_too_much {
            new.push((address.clone(), resource.clone()));
        }
        if is_too_much {
            (resource.body, resource.truncated) = (Vec::new(), true);
        }
        *left -= resource.body.len();
        room.store(*left, Ordering::Relaxed);
        snapshot.resources.insert(address, resource);
    }
    (new, lacks_some)
}

/// Reports that files are missing, unless more is: a page that is cut says so elsewhere, too. Of a page that its scripts
/// fill, only the missing content is told ([`KnownSubresources::lacks_some`] has both).
fn report_missing_files(snapshot: &mut PageSnapshot) {
    if snapshot.degradation.is_none_or(|known| known == Degradation::Truncated) {
        snapshot.degradation = Some(Degradation::MissingFiles);
    }
}

/// Adds the first bytes of images whose size the layout needs. Images that are not available are omitted from the
/// layout; for those that are late, the result says so and is cached for minutes only, since the next one may have them.
async fn measure_pictures(
    snapshot: &mut PageSnapshot,
    operation: Operation,
    limits: &SubresourceLimits,
    known: &mut KnownSubresources,
    loader: &impl SubresourceLoader,
    deadline: Instant,
) -> Result<(), PageError> {
    let mut wanted = list_urls(snapshot, operation, limner_subresources::required_images, deadline).await?;
    wanted.truncate(limits.pictures);
    let loader = DeadlineLoader { loader, deadline: Instant::now() + limits.picture_time };
    let most = || limits.picture_bytes;
    let files: Vec<NamedResource> = loaded(wanted, &most, limits.parallel, &known.resources, &loader).collect().await;
    if files.iter().any(|file| file.loaded.is_late) {
        known.lacks_some = true;
        report_missing_files(snapshot);
    }
    let new = files.iter().filter(|file| !file.was_known && !file.loaded.may_come_later);
    known.add(new.map(|file| (file.address.clone(), file.loaded.resource.clone())).collect(), limits);
    snapshot.resources.extend(files.into_iter().map(|file| (file.address, file.loaded.resource)));
    Ok(())
}

/// A loader that omits files which arrive too late.
struct DeadlineLoader<'a, L> {
    loader: &'a L,
    deadline: Instant,
}

impl<L: SubresourceLoader> SubresourceLoader for DeadlineLoader<'_, L> {
    async fn load(&self, url: Url, most: usize) -> LoadedSubresource {
        let in_time = tokio::time::timeout_at(self.deadline, self.loader.load(url.clone(), most)).await;
        in_time.unwrap_or_else(|_| LoadedSubresource::late(&url))
    }
}

/// A file with its name among the resources.
struct NamedResource {
    address: String,
    loaded: LoadedSubresource,
    /// Number of requested bytes.
    most: usize,
    was_known: bool,
}

/// Streams the first bytes of files in order, as many as `most` allows at their turn; known ones are taken from
/// `known`.
fn loaded<'a>(
    wanted: Vec<Url>,
    most: &'a (impl Fn() -> usize + Sync),
    parallel: usize,
    known: &'a BTreeMap<String, Resource>,
    loader: &'a impl SubresourceLoader,
) -> impl Stream<Item = NamedResource> + Send + 'a {
    let files = futures::stream::iter(wanted).map(move |url| {
        let (address, most) = (key(&url), most());
        let file = known.get(&address).and_then(|resource| first_bytes(resource, most));
        async move {
            let was_known = file.is_some();
            let loaded = match file {
                Some(resource) => LoadedSubresource { resource, may_come_later: false, is_late: false },
                None => loader.load(url, most).await,
            };
            NamedResource { address, loaded, most, was_known }
        }
    });
    files.buffered(parallel.max(1))
}

/// Returns the first `most` bytes of a file; `None` if fewer were read of it.
fn first_bytes(resource: &Resource, most: usize) -> Option<Resource> {
    if resource.truncated && resource.body.len() < most {
        return None;
    }
    let mut first = resource.clone();
    first.truncated |= first.body.len() > most;
    first.body.truncate(most);
    Some(first)
}

/// Returns the snapshot as [`load_subresources`] would leave it if nothing is missing that `operation` reads; `None` if
/// something has to be loaded.
///
/// # Errors
/// See [`load_subresources`].
pub async fn completed(
    snapshot: &PageSnapshot,
    operation: Operation,
    limits: &SubresourceLimits,
    deadline: Instant,
) -> Result<Option<PageSnapshot>, PageError> {
    let recorder = RecordingLoader::default();
    let mut own = snapshot.clone();
    load_subresources(&mut own, operation, limits, &recorder, deadline).await?;
    Ok((!recorder.was_asked.into_inner()).then_some(own))
}

/// A loader that loads nothing and records that it was called.
#[derive(Debug, Default)]
struct RecordingLoader {
    was_asked: AtomicBool,
}

impl SubresourceLoader for RecordingLoader {
    async fn load(&self, url: Url, _: usize) -> LoadedSubresource {
        self.was_asked.store(true, Ordering::Relaxed);
        LoadedSubresource::nothing(&url, true)
    }
}

/// A list of URLs that an operation needs.
type UrlLister = fn(Operation, &PageSnapshot, &WorkBudget) -> Result<Vec<String>, ExtractError>;

/// Returns the URLs that `list` gives for the page by the deadline, as far as they can be loaded at all.
async fn list_urls(
    snapshot: &mut PageSnapshot,
    operation: Operation,
    list: UrlLister,
    deadline: Instant,
) -> Result<Vec<Url>, PageError> {
    let shared = Arc::new(std::mem::take(snapshot));
    let page = Arc::clone(&shared);
    let listed = read_within(deadline, move |budget| list(operation, &page, budget)).await;
    *snapshot = Arc::unwrap_or_clone(shared);
    let required = match listed {
        Ok(listed) => listed.unwrap_or_default(),
        Err(ReadingError::TooCostly) => return Err(PageError::TooCostly),
        Err(fault @ (ReadingError::OutOfTime | ReadingError::Panicked(_))) => {
            tracing::error!(error = %fault, "cannot list a page's subresources");
            snapshot.degradation.get_or_insert(Degradation::MissingFiles);
            Vec::new()
        }
    };
    let urls = required.iter().filter_map(|address| Url::parse(address).ok());
    Ok(urls.filter(|url| matches!(url.scheme(), "http" | "https")).collect())
}

/// Returns the name of a file among the resources.
fn key(url: &Url) -> String {
    let mut url = url.clone();
    url.set_fragment(None);
    url.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use std::sync::Mutex;

    /// A fake loader of files by URL, which records requests.
    #[derive(Default)]
    struct FakeSite {
        files: HashMap<&'static str, &'static str>,
        busy: bool,
        asked: Mutex<Vec<String>>,
    }

    impl SubresourceLoader for FakeSite {
        async fn load(&self, url: Url, most: usize) -> LoadedSubresource {
            self.asked.lock().unwrap().push(url.path().to_owned());
            let status = if self.busy { 503 } else { 200 };
            let Some(body) = self.files.get(url.path()) else {
                return LoadedSubresource::from_response(Resource {
                    url: url.into(),
                    status: 404,
                    ..Resource::default()
                });
            };
            let kept = &body.as_bytes()[..body.len().min(most)];
            let truncated = kept.len() < body.len();
            LoadedSubresource::from_response(Resource {
                url: url.into(),
                status,
                body: kept.to_vec(),
                truncated,
                ..Resource::default()
            })
        }
    }

    fn in_time() -> Instant {
        Instant::now() + Duration::from_secs(60)
    }

    const ANIMATION: &str = r#"{"v":"5","w":1,"h":1,"fr":30,"ip":0,"op":30,"layers":[]}"#;

    fn page(html: &str) -> PageSnapshot {
        PageSnapshot {
            url: "http://site.test/".to_owned(),
            content_type: "text/html".to_owned(),
            html: html.to_owned(),
            ..PageSnapshot::default()
        }
    }

    fn names(snapshot: &PageSnapshot) -> Vec<&str> {
        snapshot.resources.keys().map(|address| address.trim_start_matches("http://site.test")).collect()
    }

    /// Returns a page with more animations than the limit, a manifest and a feed.
    fn crowded() -> PageSnapshot {
        let players: String = (0..60).map(|n| format!("<lottie-player src=/{n:02}.json></lottie-player>")).collect();
        page(&format!(
            "<link rel=manifest href=/m.webmanifest><link rel=alternate type=application/rss+xml href=/feed>{players}"
        ))
    }

    #[tokio::test]
    async fn results_do_not_depend_on_other_operations() {
        let site = FakeSite {
            files: HashMap::from([("/m.webmanifest", "{}"), ("/00.json", ANIMATION)]),
            ..FakeSite::default()
        };
        let limits = SubresourceLimits::default();
        for order in [
            [Operation::Lottie, Operation::Images, Operation::Audio],
            [Operation::Audio, Operation::Images, Operation::Lottie],
            [Operation::Images, Operation::Lottie, Operation::Lottie],
        ] {
            let mut known = BTreeMap::new();
            for operation in order {
                let mut alone = crowded();
                load_subresources(&mut alone, operation, &limits, &site, in_time()).await.unwrap();
                let mut shared = PageSnapshot { resources: known, ..crowded() };
                known = load_subresources(&mut shared, operation, &limits, &site, in_time()).await.unwrap().resources;
                assert_eq!(shared, alone, "{operation} in {order:?}");
                assert_eq!(shared.resources.len(), if operation == Operation::Lottie { limits.resources } else { 1 });
            }
        }
    }

    #[tokio::test]
    async fn known_files_are_not_loaded_again() {
        let site = FakeSite { files: HashMap::from([("/m.webmanifest", "{}")]), ..FakeSite::default() };
        let limits = SubresourceLimits::default();
        let mut first = crowded();
        assert_eq!(completed(&first, Operation::Images, &limits, in_time()).await.unwrap(), None);
        let known = load_subresources(&mut first, Operation::Images, &limits, &site, in_time()).await.unwrap();
        assert!(known.is_new);
        let mut second = PageSnapshot { resources: known.resources, ..crowded() };
        assert_eq!(completed(&second, Operation::Images, &limits, in_time()).await.unwrap().as_ref(), Some(&first));
        assert!(!load_subresources(&mut second, Operation::Images, &limits, &site, in_time()).await.unwrap().is_new);
        assert_eq!(*site.asked.lock().unwrap(), ["/m.webmanifest"]);
    }

    #[tokio::test]
    async fn unsized_images_are_measured_by_their_first_bytes() {
        let files = HashMap::from([("/a.png", "a picture"), ("/b.png", "b picture"), ("/c.png", "c picture")]);
        let site = FakeSite { files, ..FakeSite::default() };
        let limits = SubresourceLimits { pictures: 2, picture_bytes: 3, ..SubresourceLimits::default() };
        let html = "<img src=/a.png><img src=/sized.png width=4 height=3><img src=/b.png><img src=/c.png>";
        let mut code = page(html);
        let known = load_subresources(&mut code, Operation::Code, &limits, &site, in_time()).await.unwrap();
        assert_eq!(names(&code), ["/a.png", "/b.png"]);
        assert!(code.resources.values().all(|picture| picture.body.len() == 3 && picture.truncated));
        assert_eq!(code.degradation, None);

        // If the whole file is known, it gives the same bytes; the first bytes are not stored as the whole file.
        let whole = Resource { body: b"a picture".to_vec(), status: 200, ..Resource::default() };
        let address = "http://site.test/a.png".to_owned();
        assert_eq!(first_bytes(&whole, 3).unwrap().body, known.resources[&address].body);
        assert_eq!(first_bytes(&known.resources[&address], 9), None);

        let mut again = PageSnapshot { resources: known.resources, ..page(html) };
        assert_eq!(completed(&again, Operation::Code, &limits, in_time()).await.unwrap().as_ref(), Some(&code));
        load_subresources(&mut again, Operation::Images, &limits, &site, in_time()).await.unwrap();
        assert_eq!(names(&again), [] as [&str; 0]);
    }

    #[tokio::test(start_paused = true)]
    async fn late_image_is_reported_and_does_not_affect_others() {
        let limits = SubresourceLimits::default();
        let mut code = page("<img src=/late.png><img src=/a.png>");
        code.degradation = Some(Degradation::Truncated);
        let known = load_subresources(&mut code, Operation::Code, &limits, &SlowLoader, in_time()).await.unwrap();
        assert_eq!(code.resources["http://site.test/a.png"].body, b"in time");
        assert_eq!(code.resources["http://site.test/late.png"].status, 0);
        assert_eq!(known.resources.len(), 1, "a retry may succeed");
        assert_eq!(code.degradation, Some(Degradation::MissingFiles));
    }

    #[tokio::test]
    async fn images_that_their_server_refuses_are_no_degradation() {
        for site in
            [FakeSite::default(), FakeSite { files: [("/a.png", "x")].into(), busy: true, ..FakeSite::default() }]
        {
            let mut code = page("<img src=/a.png>");
            load_subresources(&mut code, Operation::Code, &SubresourceLimits::default(), &site, in_time())
                .await
                .unwrap();
            assert_eq!((code.degradation, names(&code)), (None, vec!["/a.png"]), "the server's answer is the page's");
        }
    }

    /// Answers at once, except for one file.
    struct SlowLoader;

    impl SubresourceLoader for SlowLoader {
        async fn load(&self, url: Url, _: usize) -> LoadedSubresource {
            if url.path() == "/late.png" {
                std::future::pending::<()>().await;
            }
            let (url, body) = (url.to_string(), b"in time".to_vec());
            LoadedSubresource::from_response(Resource { url, status: 200, body, ..Resource::default() })
        }
    }

    #[tokio::test]
    async fn retryable_files_are_requested_again_and_reported() {
        let mut site = FakeSite { files: HashMap::from([("/m.webmanifest", "{}")]), busy: true, ..FakeSite::default() };
        let limits = SubresourceLimits::default();
        let mut snapshot = crowded();
        let known = load_subresources(&mut snapshot, Operation::Images, &limits, &site, in_time()).await.unwrap();
        assert_eq!((snapshot.degradation, known.is_new), (Some(Degradation::MissingFiles), false));
        site.busy = false;
        let mut snapshot = PageSnapshot { resources: known.resources, ..crowded() };
        assert!(load_subresources(&mut snapshot, Operation::Images, &limits, &site, in_time()).await.unwrap().is_new);
        assert_eq!((snapshot.degradation, names(&snapshot)), (None, vec!["/m.webmanifest"]));
    }

    #[tokio::test]
    async fn files_beyond_the_limits_are_cut() {
        let files = HashMap::from([("/00.json", ANIMATION), ("/01.json", ANIMATION), ("/02.json", ANIMATION)]);
        let site = FakeSite { files, ..FakeSite::default() };
        let limits = SubresourceLimits { resources: 3, resource_bytes: 40, bytes: 90, ..SubresourceLimits::default() };
        let mut snapshot = crowded();
        let known =
            load_subresources(&mut snapshot, Operation::Lottie, &limits, &site, in_time()).await.unwrap().resources;
        let cut: Vec<_> = snapshot.resources.values().map(|file| (file.body.len(), file.truncated)).collect();
        assert_eq!(cut, [(40, true), (40, true), (0, true)]);
        assert_eq!(known.len(), 2);
    }

    #[tokio::test]
    async fn no_more_bytes_are_held_than_are_read() {
        let site = EndlessLoader::default();
        let limits =
            SubresourceLimits { resource_bytes: 1_000, bytes: 2_500, parallel: 2, ..SubresourceLimits::default() };
        let mut snapshot = crowded();
        let known =
            load_subresources(&mut snapshot, Operation::Lottie, &limits, &site, in_time()).await.unwrap().resources;
        for resources in [&snapshot.resources, &known] {
            assert_eq!(resources.values().map(|file| file.body.len()).sum::<usize>(), 2_000);
        }
        // The third would exceed the limit, and no request is for more than half of it.
        let asked = site.asked.lock().unwrap();
        assert_eq!((asked.len(), &asked[..2]), (limits.resources, &[1_000, 1_000][..]));
        assert!(asked[4..].iter().all(|most| *most == 500), "{asked:?}");
    }

    /// A loader of endless files.
    #[derive(Default)]
    struct EndlessLoader {
        asked: Mutex<Vec<usize>>,
    }

    impl SubresourceLoader for EndlessLoader {
        async fn load(&self, url: Url, most: usize) -> LoadedSubresource {
            self.asked.lock().unwrap().push(most);
            let (url, body) = (url.to_string(), vec![b' '; most]);
            LoadedSubresource::from_response(Resource {
                url,
                status: 200,
                body,
                truncated: true,
                ..Resource::default()
            })
        }
    }

    #[tokio::test]
    async fn file_url_keeps_its_file() {
        let mut snapshot = page("");
        snapshot.resources.insert(snapshot.url.clone(), Resource { status: 200, ..Resource::default() });
        snapshot.resources.insert("http://site.test/other".to_owned(), Resource::default());
        let known = load_subresources(
            &mut snapshot,
            Operation::Images,
            &SubresourceLimits::default(),
            &FakeSite::default(),
            in_time(),
        )
        .await
        .unwrap();
        assert_eq!((names(&snapshot), known.resources.len()), (vec!["/"], 2));
    }

    /// The fetcher reads no page of that size, so its budget suffices for all that it does read.
    #[tokio::test]
    async fn page_whose_files_take_too_much_work_to_list_is_too_costly() {
        let steps = usize::try_from(limner_page::work_budget::MAX_READING_STEPS).unwrap();
        let mut costly = page(&format!("<!--{}", "x".repeat(steps)));
        let limits = SubresourceLimits::default();
        let outcome = load_subresources(&mut costly, Operation::Brand, &limits, &FakeSite::default(), in_time()).await;
        assert_eq!(outcome.map(|known| known.is_new), Err(PageError::TooCostly));
    }

    #[tokio::test]
    async fn files_not_listed_by_the_deadline_are_missing() {
        let mut late = crowded();
        let limits = SubresourceLimits::default();
        // More than the timer's resolution ago, or a quick reader would still be in time.
        let passed = Instant::now().checked_sub(Duration::from_secs(1)).unwrap();
        let known = load_subresources(&mut late, Operation::Lottie, &limits, &FakeSite::default(), passed).await;
        assert!(!known.unwrap().is_new && late.resources.is_empty());
        assert_eq!(late.degradation, Some(Degradation::MissingFiles));
        assert_eq!(late.html, crowded().html, "the page itself is kept");
    }
}
