// SPDX-License-Identifier: Apache-2.0
//! What the clients in Rust have in common: arguments, workloads, clocks, the printed object.

use std::rc::Rc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;
use tokio::task::{spawn_local, LocalSet};

pub type Failure = Box<dyn std::error::Error>;

/// KIND COUNT IN-FLIGHT URL FILE ROOTS MODE.
pub struct Workload {
    pub kind: String,
    pub count: usize,
    pub in_flight: usize,
    pub url: String,
    #[allow(dead_code)]
    pub file: String,
    #[allow(dead_code)]
    pub roots: String,
}

impl Workload {
    pub fn read() -> Result<Workload, Failure> {
        let arguments: Vec<String> = std::env::args().collect();
        if arguments.len() != 8 {
            return Err("KIND COUNT IN-FLIGHT URL FILE ROOTS MODE".into());
        }
        Ok(Workload {
            kind: arguments[1].clone(),
            count: arguments[2].parse()?,
            in_flight: arguments[3].parse()?,
            url: arguments[4].clone(),
            file: arguments[5].clone(),
            roots: arguments[6].clone(),
        })
    }

    /// The number of connections to keep.
    pub fn connections(&self) -> usize {
        self.in_flight.max(64)
    }

    fn warm_up(&self) -> usize {
        if self.count > 1 { (self.count / 10).max(self.in_flight) } else { 0 }
    }
}

/// A client under measurement.
#[allow(async_fn_in_trait)]
pub trait Peer: 'static {
    /// Sends one request and reads its response; the number of bytes in it.
    async fn one(&self, work: &Workload) -> Result<usize, Failure>;
}

/// The bytes that requests moved, and how long each of them took where that is measured.
#[derive(Default)]
struct Tally {
    bytes: usize,
    latencies: Vec<Duration>,
}

impl Tally {
    fn add(&mut self, mut other: Tally) {
        self.bytes += other.bytes;
        self.latencies.append(&mut other.latencies);
    }

    /// Members of the printed object for the latencies, each after a comma; empty without latencies.
    fn members(&mut self) -> String {
        self.latencies.sort();
        let member = |(name, permille): (&str, usize)| {
            let index = (self.latencies.len() * permille / 1000).min(self.latencies.len() - 1);
            format!(", \"{name}_ms\": {}", self.latencies[index].as_secs_f64() * 1e3)
        };
        let quantiles = [("p50", 500), ("p99", 990), ("p999", 999), ("max", 1000)];
        if self.latencies.is_empty() { String::new() } else { quantiles.map(member).concat() }
    }
}

/// Runs a client through a workload and prints what it has cost.
pub async fn measure(peer: impl Peer, work: Workload, version: &str) -> Result<(), Failure> {
    let (peer, work) = (Rc::new(peer), Rc::new(work));
    LocalSet::new()
        .run_until(async {
            run(&peer, &work, work.warm_up()).await?;
            let meter = Meter::start();
            let tally = run(&peer, &work, work.count).await?;
            meter.print(version, work.count, tally);
            Ok(())
        })
        .await
}

async fn run(peer: &Rc<impl Peer>, work: &Rc<Workload>, count: usize) -> Result<Tally, Failure> {
    let mut tasks = Vec::new();
    if work.kind == "paced" {
        let mut times = pace(count, work.in_flight);
        while let Some(time) = times.recv().await {
            let (peer, work) = (peer.clone(), work.clone());
            tasks.push(spawn_local(async move {
                let bytes = peer.one(&work).await?;
                Ok::<Tally, Failure>(Tally { bytes, latencies: vec![time.elapsed()] })
            }));
        }
    } else {
        for index in 0..work.in_flight {
            let (peer, work, share) = (peer.clone(), work.clone(), (count + index) / work.in_flight);
            tasks.push(spawn_local(async move { sequence(&*peer, &work, share).await }));
        }
    }
    let mut tally = Tally::default();
    for task in tasks {
        tally.add(task.await??);
    }
    Ok(tally)
}

async fn sequence(peer: &impl Peer, work: &Workload, count: usize) -> Result<Tally, Failure> {
    let mut tally = Tally::default();
    if work.kind != "latency" {
        for _ in 0..count {
            tally.bytes += peer.one(work).await?;
        }
        return Ok(tally);
    }
    tally.latencies.reserve(count);
    for _ in 0..count {
        let start = Instant::now();
        tally.bytes += peer.one(work).await?;
        tally.latencies.push(start.elapsed());
    }
    Ok(tally)
}

/// Delivers each scheduled time when it has come.
///
/// A thread of its own keeps the time: the timers of tokio are up to a millisecond late.
fn pace(count: usize, rate: usize) -> mpsc::UnboundedReceiver<Instant> {
    let (sender, times) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        let start = Instant::now();
        for index in 0..count {
            let time = start + Duration::from_nanos(index as u64 * 1_000_000_000 / rate as u64);
            std::thread::sleep(time.saturating_duration_since(Instant::now()));
            if sender.send(time).is_err() {
                return;
            }
        }
    });
    times
}

struct Meter {
    wall: Instant,
    processor: f64,
    allocations: u64,
}

impl Meter {
    fn start() -> Meter {
        Meter { wall: Instant::now(), processor: processor(), allocations: allocations() }
    }

    fn print(&self, version: &str, requests: usize, mut tally: Tally) {
        let bytes = tally.bytes;
        println!(
            "{{\"version\": \"{version}\", \"requests\": {requests}, \"bytes\": {bytes}, \"seconds\": {}, \
             \"cpu\": {}, \"allocations\": {}, \"peak_kb\": {}{}}}",
            self.wall.elapsed().as_secs_f64(),
            processor() - self.processor,
            allocations() - self.allocations,
            peak(),
            tally.members()
        );
    }
}

fn processor() -> f64 {
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    unsafe { libc::getrusage(libc::RUSAGE_SELF, &mut usage) };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

/// Only counted where the counter has been loaded before the program.
fn allocations() -> u64 {
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, b"allocation_count\0".as_ptr().cast()) };
    if found.is_null() {
        return 0;
    }
    let count: extern "C" fn() -> libc::c_ulong = unsafe { std::mem::transmute(found) };
    count()
}

fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap_or("");
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).unwrap_or(0)
}
