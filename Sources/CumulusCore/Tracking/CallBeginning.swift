// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A call that was started: its number, its entry in the list of running calls, and the closure that receives its
/// progress.
///
/// It is in the list before `start()` returns, so that code that cancels all calls after that finds it.
final class CallBeginning: Sendable {
    let id: CallID
    let progress: @Sendable (TransferProgress) -> Void
    /// The entry in the list; `nil` if it isn't in a list yet.
    let listing: CallListing?
    /// The error if the list doesn't accept the call.
    private let refusal: (any Error)?
    private let isTaken = Atomic(false)

    init(
        _ id: CallID,
        _ listing: CallListing?,
        refusal: (any Error)?,
        progress: @escaping @Sendable (TransferProgress) -> Void
    ) {
        self.id = id
        self.listing = listing
        self.refusal = refusal
        self.progress = progress
    }

    /// Creates the beginning of a call whose caller waits for it and receives its progress.
    convenience init(progress: @escaping @Sendable (TransferProgress) -> Void) {
        self.init(.next(), nil, refusal: nil, progress: progress)
    }

    /// - Throws: The error of a tree that accepts no more calls.
    func check() throws { if let refusal { throw refusal } }

    /// Makes the call's cancellation cancel a task, until the call is sent.
    func attach(_ task: Task<Void, Never>) {
        guard let listing, !listing.callList.attach(StartedTask(task), to: listing) else { return }
        task.cancel()
    }

    /// Takes over the entry in the list, which ends with the call; `nil` the second time.
    func take() -> CallListing? { isTaken.exchange(true, ordering: .acquiringAndReleasing) ? nil : listing }

    /// Leaves the list if the call was never sent.
    func end() { if let listing = take() { listing.callList.leave(listing) } }

    private final class StartedTask: CancellableExchange {
        private let task: Task<Void, Never>

        init(_ task: Task<Void, Never>) { self.task = task }

        func cancelExchange() { task.cancel() }
    }
}
