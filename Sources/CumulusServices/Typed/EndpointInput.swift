// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// The inputs of an endpoint as one type: its properties are the parameters, with labels and defaults.
///
/// ```swift
/// struct ProjectSearch: EndpointInput {
///     var login: String
///     var page: Int? = nil
/// }
/// ```
///
/// `Endpoint<ProjectSearch, [Project]>(.get, "users/{login}/projects{?page}")` is called as
/// `client.projects(.init(login: "ada"))`. The coding keys are the parameters' names, and `nil` means no value.
public protocol EndpointInput: Encodable, Sendable {}

extension EndpointArguments {
    /// The members of an input.
    ///
    /// - Throws: `EncodingError`, or ``EndpointProblem`` if it isn't encoded as an object.
    init(members input: some EndpointInput) throws {
        guard let members = try JSON(encoding: input).object else {
            throw EndpointProblem.unusableValue(
                parameter: "\(type(of: input))",
                reason: "is not encoded as an object with named members"
            )
        }
        self.init()
        for (name, value) in members { self[name] = value }
    }
}
