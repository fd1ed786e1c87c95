// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// An authorizer whose proof is a header field that it mostly has at hand: its requests then need no task of their own,
/// and aren't copied to take the proof.
///
/// It looks at no heads: ``Authorizer/examine(_:of:)`` is not called.
protocol ReadyAuthorizer: Authorizer {
    /// Adds the proof to a request's header fields; false, with nothing added, where it is not at hand, and
    /// ``Authorizer/authorize(_:)`` is to be asked.
    func addProof(to headers: inout HTTPFields) -> Bool
}

extension HTTPFields {
    /// Adds a field unless there is one of its name.
    mutating func addIfMissing(_ field: HTTPField) {
        if !contains(field.name) { append(field) }
    }
}
