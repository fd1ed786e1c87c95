// SPDX-License-Identifier: Apache-2.0

/// The Digest credentials with which a request was authorized, and by which their authorizer recognizes it.
struct DigestUse: Sendable {
    /// The authorizer's number.
    let authorizer: UInt64
    let credentials: DigestCredentials
    /// The request's target, as the credentials cover it.
    let target: String
}
