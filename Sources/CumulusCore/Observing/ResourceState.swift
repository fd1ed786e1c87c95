// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The state of an observed resource: its latest value, and the result of the latest GET.
public struct ResourceState<Value: Sendable>: Sendable {
    /// The latest value, which is kept when a later GET fails.
    ///
    /// `nil` before the first response, after a response with the status 401 or 403, and when the user of the
    /// resource's authorizers has changed.
    public internal(set) var value: Value?
    /// The error of the observation's latest GET: a ``CumulusError``; `nil` if a value has arrived since.
    ///
    /// A cancelled GET isn't an error.
    public internal(set) var error: (any Error)?
    /// Whether a GET of the observation is running, or a value is being decoded.
    public internal(set) var isLoading = false
    /// The time when the value was current on the server: the time of the response minus its age in a cache; `nil`
    /// without a value.
    ///
    /// A response with the status 304 renews it.
    public internal(set) var updatedAt: Date?
    /// Counts the values, so that observers notice another one.
    var version: UInt64 = 0

    init() {}
}
