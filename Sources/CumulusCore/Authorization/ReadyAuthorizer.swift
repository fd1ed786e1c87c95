// SPDX-License-Identifier: Apache-2.0

/// An authorizer that mostly has its proof at hand, and waits now and then: its requests need no task of their own, only
/// its waits do.
protocol ReadyAuthorizer: Authorizer {
    /// Adds the proof if it is at hand; false where ``Authorizer/authorize(_:)`` would wait for it.
    func authorizeAtOnce(_ request: inout EncodedRequest) -> Bool
}
