//! Layout in child processes, which may die.

use crate::fonts::digit_widths_of_system;
use crate::message::{Question, decode_answer, read_frame, write_frame};
use limner_page::PageSnapshot;
use limner_style::layout::{Boxes, Layout};
use limner_style::{DigitWidths, Environment};
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What fontconfig looks at.
const KEPT_VARIABLES: &[&str] = &["HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "FONTCONFIG_FILE", "FONTCONFIG_PATH"];

/// What children find besides. mimalloc, should they have it, would take 1 GiB of address space before `main`, most or all
/// of what the child allows itself there; so it takes 32 MiB at a time.
const SET_VARIABLES: &[(&str, &str)] = &[("MIMALLOC_ARENA_RESERVE", "32768")];

/// How children are started and what is expected of them.
#[derive(Debug, Clone)]
pub struct ProcessLayoutConfig {
    /// The program that runs [`crate::worker::run`].
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Most children at once; each uses a processor while it works.
    pub children: usize,
    /// Longest wait for the boxes of one page, waiting for a free child included.
    pub patience: Duration,
    /// Pages after which a child is replaced, so that whatever leaks is given back.
    pub pages_per_child: u32,
}

impl ProcessLayoutConfig {
    /// With the defaults for everything but the program.
    pub fn new(program: PathBuf, arguments: Vec<OsString>) -> Self {
        let children = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        Self { program, arguments, children, patience: Duration::from_secs(5), pages_per_child: 500 }
    }
}

/// Lays pages out in child processes: started when they are first needed, kept for the next page, replaced when they
/// die or take too long. A page that kills its child has no boxes; no other page notices.
#[derive(Debug)]
pub struct ProcessLayout {
    config: ProcessLayoutConfig,
    pool: Mutex<Pool>,
    freed: Condvar,
}

#[derive(Debug, Default)]
struct Pool {
    idle: Vec<Worker>,
    /// Children that are idle, at work or about to be started.
    alive: usize,
}

impl ProcessLayout {
    /// Starts nothing yet.
    pub fn new(config: ProcessLayoutConfig) -> Self {
        Self { config, pool: Mutex::new(Pool::default()), freed: Condvar::new() }
    }

    /// An idle child, or a new one; waits while all are at work.
    fn take(&self, deadline: Instant) -> Option<Worker> {
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(worker) = pool.idle.pop() {
                return Some(worker);
            }
            if pool.alive < self.config.children.max(1) {
                pool.alive += 1;
                drop(pool);
                return self.start();
            }
            let left = deadline.checked_duration_since(Instant::now())?;
            pool = self.freed.wait_timeout(pool, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn start(&self) -> Option<Worker> {
        match Worker::start(&self.config) {
            Ok(worker) => Some(worker),
            Err(fault) => {
                tracing::error!(error = %fault, layout.program = %self.config.program.display(), "no child for layout");
                self.give_back(None);
                None
            }
        }
    }

    /// Returns a child that can work on; `None` makes room for another one.
    fn give_back(&self, worker: Option<Worker>) {
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        match worker.filter(|worker| worker.pages < self.config.pages_per_child) {
            Some(worker) => pool.idle.push(worker),
            None => pool.alive -= 1,
        }
        drop(pool);
        self.freed.notify_one();
    }
}

impl Layout for ProcessLayout {
    fn boxes(&self, page: &PageSnapshot, environment: &Environment) -> Option<Boxes> {
        let deadline = Instant::now() + self.config.patience;
        let question = Question::new(page, environment).encode().ok()?;
        let mut worker = self.take(deadline)?;
        match worker.ask(question, deadline) {
            Ok(boxes) => {
                self.give_back(Some(worker));
                boxes
            }
            Err(fault) => {
                tracing::warn!(error = %fault, "a child for layout was lost");
                tracing::debug!(url.full = %page.url, "this page lost it");
                self.give_back(None);
                None
            }
        }
    }

    fn digit_widths(&self) -> DigitWidths {
        digit_widths_of_system()
    }
}

/// A child and the thread that talks to it, since pipes know no deadlines.
#[derive(Debug)]
struct Worker {
    child: Child,
    questions: Sender<Vec<u8>>,
    answers: Receiver<io::Result<Option<Boxes>>>,
    pages: u32,
}

impl Worker {
    fn start(config: &ProcessLayoutConfig) -> io::Result<Self> {
        // A page that takes a child over finds neither secrets nor files.
        let kept = KEPT_VARIABLES.iter().filter_map(|name| Some((name, std::env::var_os(name)?)));
        let mut child = Command::new(&config.program)
            .args(&config.arguments)
            .env_clear()
            .envs(kept)
            .envs(SET_VARIABLES.iter().copied())
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("the child has no streams"));
        };
        let (questions, asked) = channel();
        let (answered, answers) = channel();
        let talk = std::thread::Builder::new().name("layout-pipe".into());
        talk.spawn(move || converse(to, from, &asked, &answered))?;
        Ok(Self { child, questions, answers, pages: 0 })
    }

    fn ask(&mut self, question: Vec<u8>, deadline: Instant) -> io::Result<Option<Boxes>> {
        let gone = || io::Error::new(io::ErrorKind::BrokenPipe, "the child is gone");
        self.pages += 1;
        self.questions.send(question).map_err(|_| gone())?;
        match self.answers.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(answer) => answer,
            Err(RecvTimeoutError::Disconnected) => Err(gone()),
            Err(RecvTimeoutError::Timeout) => Err(io::ErrorKind::TimedOut.into()),
        }
    }
}

impl Drop for Worker {
    /// Ends the child, whatever it does; the thread ends with its pipes.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn converse(
    mut to: ChildStdin,
    mut from: ChildStdout,
    questions: &Receiver<Vec<u8>>,
    answers: &Sender<io::Result<Option<Boxes>>>,
) {
    while let Ok(question) = questions.recv() {
        let answer = write_frame(&mut to, &question).and_then(|()| {
            let frame = read_frame(&mut from)?.ok_or(io::ErrorKind::UnexpectedEof)?;
            decode_answer(&frame)
        });
        let failed = answer.is_err();
        if answers.send(answer).is_err() || failed {
            return;
        }
    }
}
