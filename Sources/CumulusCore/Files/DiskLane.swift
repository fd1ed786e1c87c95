// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Where work that waits for a disk is done, one piece after the other, so that no task's thread waits.
struct DiskLane: Sendable {
    private let queue: DispatchQueue

    init(_ label: String) { queue = DispatchQueue(label: label) }

    /// Does a piece of work after those before it, and waits for it; cancelling does not end it.
    func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result(catching: work)) }
        }
    }

    /// Does a piece of work after those before it; nobody waits.
    func post(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
}
