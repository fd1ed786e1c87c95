// SPDX-License-Identifier: Apache-2.0

/// A running request as its tree's list, its groups and its observers know it: checked wherever it may be stopped,
/// and ended once.
struct RequestRegistration: Sendable {
    let listing: CallListing
    let members: [RequestMembers]
    /// The observers of its end; `nil` if there are none.
    let observation: CallObservation?

    /// Whether the request has been cancelled, by its task or from outside.
    func check() throws {
        try Task.checkCancellation()
        if listing.callList.isCancelled(listing) { throw CancellationError() }
    }

    /// Reports a response to the groups.
    func note(_ response: Response) {
        if !members.isEmpty { for one in members { one.note(listing, .success(response)) } }
    }

    /// Ends the request successfully.
    ///
    /// - Throws: `CancellationError` if it was cancelled from outside before that.
    func complete() throws {
        let wasCancelled = listing.callList.leave(listing)
        // Even an empty loop would copy the list.
        if !members.isEmpty {
            if wasCancelled { for one in members { one.note(listing, .failure(CancellationError())) } }
            for one in members { one.leave(listing) }
        }
        observation?.end(with: wasCancelled ? CancellationError() : nil)
        if wasCancelled { throw CancellationError() }
    }

    /// Ends a request whose rest nobody wants.
    func drop() {
        let wasCancelled = listing.callList.leave(listing)
        for one in members { one.leave(listing) }
        observation?.end(with: wasCancelled ? CancellationError() : nil)
    }

    /// Ends the request with an error, and returns the error to throw.
    func fail(_ error: any Error) -> any Error {
        let shown = listing.callList.leave(listing) ? CancellationError() : error
        for one in members {
            one.note(listing, .failure(shown))
            one.leave(listing)
        }
        observation?.end(with: shown)
        return shown
    }
}
