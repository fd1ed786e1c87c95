// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization

/// The refreshes of stale responses (RFC 5861) that a run waits for before its process ends: otherwise the next run would
/// get the same stale response again.
final class RefreshWatch: Sendable {
    /// As many of the latest sites are kept although nothing is under way: their requests may not have begun.
    private static let fewest = 128

    let sites = Mutex<[Resource]>([])

    /// Adds the site of a request with a cache, and removes earlier ones: a repeated request has one for each try.
    func add(_ site: Resource) {
        sites.withLock { sites in
            sites.append(site)
            guard sites.count >= 2 * RefreshWatch.fewest else { return }
            let earlier = sites.dropLast(RefreshWatch.fewest).filter { !$0.runningCalls.isEmpty }
            sites = earlier + sites.suffix(RefreshWatch.fewest)
        }
    }

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
