// SPDX-License-Identifier: Apache-2.0

extension PrivateFile {
    /// Runs work while holding the file's lock: an empty file beside it, with the suffix `.lock`, is locked in the
    /// meantime.
    ///
    /// - Parameters:
    ///   - limit: How long to wait for another process that holds the lock; `nil` for as long as it does.
    ///   - now: The present instant of the clock that measures the waiting.
    ///   - sleep: Waits until an instant of that clock.
    ///   - work: The work.
    /// - Returns: The work's result.
    /// - Throws: `FileFailure`, also at the limit, `CancellationError` while it waits, and any error that the work
    ///   throws.
    package func exclusively<Result>(
        within limit: Duration? = nil,
        now: () -> ContinuousClock.Instant = { .now },
        sleep: (ContinuousClock.Instant) async throws -> Void = { try await Task.sleep(until: $0, clock: .continuous) },
        _ work: () async throws -> Result
    ) async throws -> Result {
        let lock = try FileLock(path.appending(".lock"))
        let end = limit.map { now().advanced(by: $0) }
        var pause = Duration.milliseconds(10)
        while try !lock.take() {
            let next = now().advanced(by: pause)
            if let limit, let end, next > end {
                let reason = "another process has held its lock for \(SpokenDuration(limit))"
                throw FileFailure("write", path.text, because: reason)
            }
            try await sleep(next)
            pause = min(pause * 2, .milliseconds(500))
        }
        defer { withExtendedLifetime(lock) { lock.release() } }
        return try await work()
    }
}
