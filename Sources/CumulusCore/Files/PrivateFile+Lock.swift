// SPDX-License-Identifier: Apache-2.0

extension PrivateFile {
    /// Runs work while no other process that asks does the same: an empty file beside it, its name with `.lock` behind, is
    /// locked meanwhile.
    ///
    /// - Parameters:
    ///   - clock: What the wait for others is measured by.
    ///   - work: What to do.
    /// - Returns: What the work returns.
    /// - Throws: ``FileProblem``, `CancellationError` while it waits, and what the work throws.
    package func exclusively<Result>(
        on clock: any RequestClock = SystemClock(),
        _ work: () async throws -> Result
    ) async throws -> Result {
        let lock = try FileLock(path.appending(".lock"))
        var pause = Duration.milliseconds(10)
        while try !lock.take() {
            try await clock.sleep(until: clock.now.advanced(by: pause))
            pause = min(pause * 2, .milliseconds(500))
        }
        defer { withExtendedLifetime(lock) { lock.release() } }
        return try await work()
    }
}
