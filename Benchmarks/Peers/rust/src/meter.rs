// SPDX-License-Identifier: Apache-2.0
//! What the clients in Rust have in common: arguments, clocks, the printed object.

use std::time::Instant;

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

    pub fn warm_up(&self) -> usize {
        if self.count > 1 { (self.count / 10).max(self.in_flight) } else { 0 }
    }
}

pub struct Meter {
    wall: Instant,
    processor: f64,
    allocations: u64,
}

impl Meter {
    pub fn start() -> Meter {
        Meter { wall: Instant::now(), processor: processor(), allocations: allocations() }
    }

    pub fn print(&self, version: &str, requests: usize, bytes: usize) {
        println!(
            "{{\"version\": \"{version}\", \"requests\": {requests}, \"bytes\": {bytes}, \"seconds\": {}, \
             \"cpu\": {}, \"allocations\": {}, \"peak_kb\": {}}}",
            self.wall.elapsed().as_secs_f64(),
            processor() - self.processor,
            allocations() - self.allocations,
            peak()
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
