// SPDX-License-Identifier: Apache-2.0

/// What happens to the tokens of an ``OAuth2Authorizer``, told once, however many requests wait for it.
public enum OAuth2Event: Sendable {
    /// There is a new token, which is in the store.
    case renewed
    /// There is a new token, which the store could not keep: it is lost with the process.
    case notStored(any Error)
    /// The grant is used up (`invalid_grant`): requests fail until ``OAuth2Authorizer/logIn(for:)``.
    case ended(OAuth2Error)
}
