//! Simulates the production values' autoscalers over a day with a peak of ten thousand calls per second. Callers notice
//! the waiting time of jobs.
//!
//! The simulation uses discrete events: jobs arrive at random at the rate of the hour, occupy a slot of a ready pod or
//! wait for one, and take a time distributed like measured ones. Every fifteen seconds the autoscaler reads KEDA's view
//! of the queue (waiting and running jobs) and applies the chart's behaviour.

use crate::chart;
use serde_json::Value;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::fmt;

/// A day's curve in two hours: loads rise twelve times as fast as in reality.
const DAY: f64 = 2.0 * 3_600.0;
/// Calls per second at the peak; at night a tenth of it.
const PEAK: f64 = 10_000.0;
/// Interval at which Kubernetes evaluates autoscalers.
const SYNC: f64 = 15.0;
/// Tolerance around the target within which nothing changes (the default of Kubernetes).
const TOLERANCE: f64 = 0.1;

/// Time limit of a static read (`limits.static_read`): how long pages of sites that hardly answer take.
const SLOW_READ: f64 = 15.0;
/// Wait of a job after which its call fails (`limits.queue`).
const QUEUE_LIMIT: f64 = 20.0;

/// A kind of work.
#[derive(Clone, Copy)]
struct Work {
    role: &'static str,
    /// Share of all calls that need it.
    share: f64,
    /// Number of concurrent jobs per pod.
    places: usize,
    /// Mean duration of a job in seconds, mostly spent waiting for sites.
    seconds: f64,
    /// Share of the jobs that take [`SLOW_READ`] instead.
    slow: f64,
    /// Seconds from the decision for a pod to its readiness: a node is available and has the image.
    startup: f64,
}

/// Every fifth call is a miss.
const FETCHES: Work = Work { role: "fetcher", share: 0.2, places: 32, seconds: 0.8, slow: 0.0, startup: 15.0 };
/// One call in a hundred is read in a browser.
const RENDERS: Work = Work { role: "renderer", share: 0.01, places: 4, seconds: 4.0, slow: 0.0, startup: 25.0 };

/// The autoscaler's settings in the chart.
#[derive(Clone, Copy)]
struct Scaling {
    least: usize,
    most: usize,
    /// Jobs per pod.
    lag: f64,
    /// Per cent that may be added within a number of seconds.
    up: (f64, f64),
    /// Per cent that may be removed within a number of seconds, and the stabilization window.
    down: (f64, f64),
    patience: f64,
}

impl Scaling {
    /// Returns the settings in the production values.
    fn for_role(role: &str) -> Self {
        let objects = chart::objects("production");
        let name = format!("limner-{role}");
        let scaled =
            objects.iter().find(|object| object["kind"] == "ScaledObject" && object["metadata"]["name"] == name);
        let spec = &scaled.unwrap()["spec"];
        let behavior = &spec["advanced"]["horizontalPodAutoscalerConfig"]["behavior"];
        let policy = |direction: &str| {
            let policy = &behavior[direction]["policies"][0];
            assert_eq!(policy["type"], "Percent");
            (number(&policy["value"]), number(&policy["periodSeconds"]))
        };
        Self {
            least: number(&spec["minReplicaCount"]) as usize,
            most: number(&spec["maxReplicaCount"]) as usize,
            lag: spec["triggers"][0]["metadata"]["lagThreshold"].as_str().unwrap().parse().unwrap(),
            up: policy("scaleUp"),
            down: policy("scaleDown"),
            patience: number(&behavior["scaleDown"]["stabilizationWindowSeconds"]),
        }
    }
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// Returns the calls per second at a time of the day.
fn rate(time: f64) -> f64 {
    let height = (1.0 - (time / DAY * std::f64::consts::TAU).cos()) / 2.0;
    PEAK * (0.1 + 0.9 * height)
}

/// A deterministic random number generator (splitmix64).
struct Dice(u64);

impl Dice {
    /// Returns a number above 0, up to 1.
    fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (((mixed ^ (mixed >> 31)) >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }

    /// Returns an exponentially distributed time with mean `mean`.
    fn exponential(&mut self, mean: f64) -> f64 {
        -self.share().ln() * mean
    }
}

/// The autoscaler's state.
struct Autoscaler {
    scaling: Scaling,
    /// Desired numbers of pods with their times, for the stabilization window.
    wanted: VecDeque<(f64, usize)>,
    /// Past numbers of pods with their times.
    had: VecDeque<(f64, usize)>,
    pods: usize,
}

impl Autoscaler {
    fn new(scaling: Scaling) -> Self {
        Self { scaling, wanted: VecDeque::new(), had: VecDeque::from([(0.0, scaling.least)]), pods: scaling.least }
    }

    /// Returns the number of pods `seconds` ago.
    fn pods_before(&self, time: f64, seconds: f64) -> usize {
        self.had.iter().rev().find(|(at, _)| *at <= time - seconds).or(self.had.front()).map_or(self.pods, |had| had.1)
    }

    fn evaluate(&mut self, time: f64, jobs: usize) -> usize {
        let Scaling { least, most, lag, up, down, patience } = self.scaling;
        let ratio = jobs as f64 / (lag * self.pods as f64);
        let wanted = if (ratio - 1.0).abs() <= TOLERANCE { self.pods } else { (jobs as f64 / lag).ceil() as usize };
        self.wanted.push_back((time, wanted));
        self.wanted.retain(|(at, _)| *at >= time - patience);
        let lasting = self.wanted.iter().map(|(_, wanted)| *wanted).max().unwrap_or(wanted);
        let highest = (self.pods_before(time, up.1) as f64 * (1.0 + up.0 / 100.0)).ceil() as usize;
        let lowest = (self.pods_before(time, down.1) as f64 * (1.0 - down.0 / 100.0)).floor() as usize;
        let next = if wanted > self.pods { wanted.min(highest) } else { lasting.min(self.pods).max(lowest) };
        self.pods = next.clamp(least, most);
        self.had.push_back((time, self.pods));
        self.had.retain(|(at, _)| *at >= time - 2.0 * down.1.max(up.1));
        self.pods
    }
}

/// The result of a day.
struct Day {
    jobs: usize,
    /// Median, 99th percentile and maximum of the jobs' waiting time, in seconds.
    median: f64,
    p99: f64,
    longest: f64,
    /// Share of the jobs that waited longer than [`QUEUE_LIMIT`].
    late: f64,
    most_pods: usize,
    mean_pods: f64,
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { jobs, median, p99, longest, late, most_pods, mean_pods } = self;
        write!(
            f,
            "{jobs} jobs waited {median:.3} s in the middle, {p99:.3} s at the 99th percentile, {longest:.1} s at most, \
             {:.2} % too long, for {mean_pods:.0} pods in the mean and {most_pods} at most",
            late * 100.0
        )
    }
}

fn simulate(work: Work, scaling: Scaling) -> Day {
    let (mut dice, mut autoscaler) = (Dice(1), Autoscaler::new(scaling));
    // Pods with the time of their readiness; running jobs with their end; waiting jobs with their arrival.
    let mut ready = scaling.least;
    let mut starting = VecDeque::<(f64, usize)>::new();
    let mut running = BinaryHeap::<Reverse<u64>>::new();
    let mut waiting = VecDeque::<f64>::new();
    let mut waits = Vec::<f32>::new();
    let (mut look_at, mut most_pods, mut pod_seconds) = (SYNC, 0, 0.0);
    let mut arrives = dice.exponential(1.0 / (rate(0.0) * work.share));
    while arrives < DAY {
        let ends = running.peek().map_or(f64::INFINITY, |end| micros(end.0));
        let starts = starting.front().map_or(f64::INFINITY, |start| start.0);
        let time = arrives.min(ends).min(starts).min(look_at);
        if time == ends {
            running.pop();
        } else if time == starts {
            ready += starting.pop_front().map_or(0, |start| start.1);
        } else if time == look_at {
            let pods = autoscaler.evaluate(time, waiting.len() + running.len());
            let coming: usize = starting.iter().map(|start| start.1).sum();
            if pods > ready + coming {
                starting.push_back((time + work.startup, pods - ready - coming));
            } else {
                // Pods that are not ready yet are removed first; jobs in the others are finished.
                let mut surplus = ready + coming - pods;
                while surplus > 0
                    && let Some(last) = starting.back_mut()
                {
                    let gone = surplus.min(last.1);
                    last.1 -= gone;
                    surplus -= gone;
                    if last.1 == 0 {
                        starting.pop_back();
                    }
                }
                ready -= surplus;
            }
            most_pods = most_pods.max(pods);
            pod_seconds += pods as f64 * SYNC;
            look_at += SYNC;
        } else {
            waiting.push_back(time);
            arrives = time + dice.exponential(1.0 / (rate(time) * work.share));
        }
        while running.len() < ready * work.places
            && let Some(since) = waiting.pop_front()
        {
            waits.push((time - since) as f32);
            let takes =
                if work.slow > 0.0 && dice.share() <= work.slow { SLOW_READ } else { dice.exponential(work.seconds) };
            running.push(Reverse(((time + takes) * 1e6) as u64));
        }
    }
    waits.sort_unstable_by(f32::total_cmp);
    let of = |share: f64| f64::from(waits[((waits.len() - 1) as f64 * share) as usize]);
    let mean_pods = pod_seconds / DAY;
    let late = waits.iter().filter(|wait| f64::from(**wait) > QUEUE_LIMIT).count() as f64 / waits.len() as f64;
    Day { jobs: waits.len(), median: of(0.5), p99: of(0.99), longest: of(1.0), late, most_pods, mean_pods }
}

fn micros(time: u64) -> f64 {
    time as f64 / 1e6
}

#[test]
fn production_values_hold_a_day_of_ten_thousand_calls_a_second() {
    for (work, p99) in [(FETCHES, 0.1), (RENDERS, 1.0)] {
        let scaling = Scaling::for_role(work.role);
        let day = simulate(work, scaling);
        println!("{}: {day}", work.role);
        assert!(day.p99 <= p99, "{}: {day}", work.role);
        assert!(day.most_pods < scaling.most, "{}: no capacity is left above the peak: {day}", work.role);
    }
}

/// A node that has to be added, and to pull the image, takes two minutes: the autoscaler asks for more and more pods
/// meanwhile. Spare nodes with the image bring a start back to seconds; a higher minimum takes the night's rise.
#[test]
fn renderers_that_start_slowly_reach_the_maximum_and_let_calls_fail() {
    let usual = Scaling::for_role(RENDERS.role);
    let slow = Work { startup: 120.0, ..RENDERS };
    let day = simulate(slow, usual);
    println!("a start of two minutes: {day}");
    assert!(day.most_pods == usual.most && day.late > 0.0, "{day}");
    let more = simulate(slow, Scaling { least: 60, ..usual });
    println!("a start of two minutes, and at least 60 pods: {more}");
    assert!(more.late < day.late, "{more}; with the usual minimum {day}");
}

#[test]
fn fetchers_need_their_maximum_on_a_day_with_sites_that_hardly_answer() {
    let usual = Scaling::for_role(FETCHES.role);
    let day = simulate(Work { slow: 0.03, ..FETCHES }, usual);
    println!("every thirtieth page takes 15 s: {day}");
    assert!(day.p99 <= 1.0 && day.late == 0.0 && day.most_pods == usual.most, "{day}");
}

#[test]
fn scaling_only_at_full_pods_would_not_hold_the_day() {
    let usual = Scaling::for_role(RENDERS.role);
    let day = simulate(RENDERS, usual);
    let full = simulate(RENDERS, Scaling { lag: RENDERS.places as f64, ..usual });
    println!("{full}");
    assert!(full.p99 > 1.0 && full.p99 > 5.0 * day.p99, "{full}; usually {day}");
    assert!(full.mean_pods < day.mean_pods, "they are fewer: {full}; usually {day}");
}
