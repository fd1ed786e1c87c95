// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A call that was started: its number, its place on the list of running calls, and who sees its progress.
///
/// It is on the list before `start()` returns, so that whoever cancels all calls then finds it.
final class CallBeginning: Sendable {
    let id: CallID
    let progress: @Sendable (TransferProgress) -> Void
    /// The place on the list; `nil` if it is on none yet.
    let listing: CallListing?
    /// Why the list doesn't take it.
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

    /// A call whose caller waits for it, and who sees its progress.
    convenience init(progress: @escaping @Sendable (TransferProgress) -> Void) {
        self.init(.next(), nil, refusal: nil, progress: progress)
    }

    /// - Throws: The error of a tree that accepts no more calls.
    func check() throws { if let refusal { throw refusal } }

    /// Cancels a task together with the call, until the call is sent.
    func attach(_ task: Task<Void, Never>) {
        guard let listing, !listing.callList.attach(StartedTask(task), to: listing) else { return }
        task.cancel()
    }

    /// Takes the place on the list, which ends with the call; `nil` the second time.
    func take() -> CallListing? { isTaken.exchange(true, ordering: .acquiringAndReleasing) ? nil : listing }

    /// Leaves the list if the call was never sent.
    func end() { if let listing = take() { listing.callList.leave(listing) } }

    private final class StartedTask: CancellableExchange {
        private let task: Task<Void, Never>

        init(_ task: Task<Void, Never>) { self.task = task }

        func cancelExchange() { task.cancel() }
    }
}
