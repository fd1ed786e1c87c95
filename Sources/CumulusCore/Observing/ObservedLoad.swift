// SPDX-License-Identifier: Apache-2.0

/// A GET that an observed resource has sent itself.
struct ObservedLoad: Sendable {
    /// Why it is sent.
    enum Reason: Equatable {
        /// There is no value yet.
        case first
        /// The value may be as old as this, or older.
        case use(ifOlderThan: Duration)
        /// The value has changed on the server.
        case reload
        /// A cache has renewed its response, which is read from there.
        case storeRefreshed
        /// The user has changed.
        case userChanged
    }

    let id = CallID.next()
    let started: Moment
    let reason: Reason
    /// How many GETs before it ended with another user than they began with.
    let userChanges: Int
    /// Whether the value has changed on the server since it was sent.
    var isOutdated = false
    var task: Task<Void, Never>?
    /// The response, before it was decoded.
    var response: Response?
}
