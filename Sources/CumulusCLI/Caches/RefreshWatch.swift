// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization

/// The refreshes of stale responses (RFC 5861) that a run waits for before its process ends: otherwise the next run would
/// get the same stale response again.
final class RefreshWatch: Sendable {
    private let sites = Mutex<[Resource]>([])

    /// Adds the site of a request with a cache.
    func add(_ site: Resource) { sites.withLock { $0.append(site) } }

    /// Waits until no site has a request under way, and cancels those that take longer than a limit.
    ///
    /// - Parameters:
    ///   - limit: The longest wait.
    ///   - onWait: Called if the wait takes a moment.
    func finish(within limit: Duration, onWait: @escaping @Sendable () -> Void) async {
        let sites = sites.withLock(\.self)
        guard !sites.isEmpty else { return }
        await withTaskGroup { group in
            group.addTask {
                for site in sites { await site.waitUntilIdle() }
            }
            // The process is ending: no request's clock applies any more.
            group.addTask {
                guard (try? await Task.sleep(for: RefreshWatch.moment)) != nil else { return }
                onWait()
                try? await Task.sleep(for: limit)
            }
            await group.next()
            group.cancelAll()
            // A wait for requests ends with them.
            for site in sites { site.cancelAll() }
        }
    }

    /// A wait that no person notices.
    private static let moment = Duration.milliseconds(500)
}
