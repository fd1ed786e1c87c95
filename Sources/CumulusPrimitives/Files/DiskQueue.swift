// SPDX-License-Identifier: Apache-2.0

package import Dispatch

/// Runs blocking disk work in sequence, so that no task's thread is blocked.
package struct DiskQueue: Sendable {
    @usableFromInline let queue: DispatchQueue

    package init(_ label: String) { queue = DispatchQueue(label: label) }

    /// Runs work after the previous work, and waits for it; cancelling doesn't end it.
    @inlinable package func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws
        -> Result
    {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result(catching: work)) }
        }
    }

    /// Runs work after the previous work, without waiting for it.
    package func post(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
}
