// SPDX-License-Identifier: Apache-2.0

/// Why an authorizer can't add its proof.
struct AuthorizationProblem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
