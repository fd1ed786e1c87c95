// SPDX-License-Identifier: Apache-2.0

/// A change of an ``OAuth2Authorizer``'s token, reported once, however many requests wait for it.
public enum OAuth2Event: Sendable {
    /// There is a new token, and it is in the store.
    case renewed
    /// There is a new token, but the store failed to keep it: it is lost when the process ends.
    case notStored(any Error)
    /// The grant is no longer valid (`invalid_grant`): requests fail until ``OAuth2Authorizer/logIn(for:)``.
    case ended(OAuth2Error)
}
