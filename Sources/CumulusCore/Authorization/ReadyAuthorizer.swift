// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// An authorizer that usually has its proof, a header field, at hand: its requests need no task, and aren't copied to
/// add the proof.
///
/// It doesn't examine heads: ``Authorizer/examine(_:of:)`` is not called.
protocol ReadyAuthorizer: Authorizer {
    /// Adds the proof to a request's header fields. Returns false, with nothing added, if it is not at hand; then
    /// ``Authorizer/authorize(_:)`` is called.
    func addProof(to headers: inout HTTPFields) -> Bool
}

extension HTTPFields {
    /// Adds a field unless one of its name exists.
    mutating func addIfMissing(_ field: HTTPField) {
        if !contains(field.name) { append(field) }
    }
}
