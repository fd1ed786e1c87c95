// SPDX-License-Identifier: Apache-2.0

import Cumulus

struct Job: Codable, Sendable {
    var id: Int
}

// snippet.worker
/// Delivers jobs to a service, a few at a time, until they end or the task is cancelled.
struct JobWorker: Sendable {
    let api: Resource
    let width = 8

    init(api: Resource) {
        self.api = api.with {
            $0.deadline = .seconds(30)  // for one job, including retries
            $0.retry = RetryPolicy(limit: 5)
            $0.idempotencyKey = .auto  // so that a POST may be sent again
        }
    }

    func run(_ jobs: AsyncStream<Job>, failed: @escaping @Sendable (Job, any Error) async -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            var running = 0
            for await job in jobs {
                if running == width {
                    await group.next()  // no more than `width` are held in memory
                    running -= 1
                }
                running += 1
                group.addTask {
                    do {
                        try await api["jobs"].post(body: job).requireSuccess()
                    } catch {
                        await failed(job, error)
                    }
                }
            }
        }
    }
}
// snippet.end

// snippet.stop
/// The end of the program: running jobs are finished, then the tree accepts no more requests.
func stop(_ jobs: AsyncStream<Job>.Continuation, _ work: Task<Void, Never>, _ api: Resource) async {
    jobs.finish()
    await work.value
    await api.shutdown(.graceful)
}
// snippet.end
