// SPDX-License-Identifier: Apache-2.0

import Dispatch
import NIOCore

/// Runs tasks on one event loop, so that a request and its response don't switch threads.
// Unchecked: everything mutable is touched on `eventLoop` only.
final class LoopExecutor: TaskExecutor, @unchecked Sendable {
    private let eventLoop: any EventLoop
    // Without checks of exclusive access, as in HTTP1Connection.
    @exclusivity(unchecked) private var jobs: [UnownedJob] = []
    @exclusivity(unchecked) private var running: [UnownedJob] = []

    init(eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if eventLoop.inEventLoop {
            add(job)
        } else {
            eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    /// Never runs a job immediately: the code that made it ready is still running.
    private func add(_ job: UnownedJob) {
        jobs.append(job)
        // One closure handles all responses of one turn of the loop.
        if jobs.count == 1 { eventLoop.execute { self.runAll() } }
    }

    private func runAll() {
        // The two lists keep their memory; jobs that become ready in the meantime wait for the loop's next turn.
        swap(&jobs, &running)
        for job in running { job.runSynchronously(on: asUnownedTaskExecutor()) }
        running.removeAll(keepingCapacity: true)
    }
}

/// Runs tasks if there is no event loop for them.
final class QueueExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
