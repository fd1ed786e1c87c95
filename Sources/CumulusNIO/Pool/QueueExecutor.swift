// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Runs tasks if there is no event loop for them.
final class QueueExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
