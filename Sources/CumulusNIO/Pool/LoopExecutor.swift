// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Runs tasks on one event loop, so that a request and its answer change threads nowhere.
// Unchecked: everything mutable is touched on `eventLoop` only.
final class LoopExecutor: TaskExecutor, @unchecked Sendable {
    private let eventLoop: any EventLoop
    private var jobs: [UnownedJob] = []
    private var running: [UnownedJob] = []

    init(eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if eventLoop.inEventLoop {
            add(job)
        } else {
            eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    /// Never runs a job at once: who made it ready is in the middle of something.
    private func add(_ job: UnownedJob) {
        jobs.append(job)
        // The answers of one turn of the loop are taken by one closure.
        if jobs.count == 1 { eventLoop.execute { self.runAll() } }
    }

    private func runAll() {
        // The two lists keep their memory; jobs that become ready meanwhile wait for the loop's next turn.
        swap(&jobs, &running)
        for job in running { job.runSynchronously(on: asUnownedTaskExecutor()) }
        running.removeAll(keepingCapacity: true)
    }
}
