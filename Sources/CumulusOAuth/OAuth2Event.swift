// SPDX-License-Identifier: Apache-2.0

/// A change to an ``OAuth2Authorizer``'s token, reported once, no matter how many requests wait for it.
public enum OAuth2Event: Sendable {
    /// A new token was received and stored.
    case renewed
    /// A new token was received, but could not be stored: it is lost when the process ends.
    case notStored(any Error)
    /// The grant is no longer valid (`invalid_grant`): requests fail until ``OAuth2Authorizer/logIn(for:)``.
    case ended(OAuth2Error)
}
