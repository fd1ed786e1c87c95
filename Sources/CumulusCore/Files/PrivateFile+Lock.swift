// SPDX-License-Identifier: Apache-2.0

extension PrivateFile {
    /// Runs work while holding the file's lock: an empty file beside it, with the suffix `.lock`, is locked in the
    /// meantime.
    ///
    /// - Parameters:
    ///   - clock: The clock for waiting.
    ///   - work: The work.
    /// - Returns: The work's result.
    /// - Throws: ``FileProblem``, `CancellationError` while it waits, and any error that the work throws.
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
