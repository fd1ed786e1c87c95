// SPDX-License-Identifier: Apache-2.0

/// The endpoints of a service as properties of a type, each with its input and output types.
///
///     struct GitHub: ServiceEndpoints {
///         let service = ServiceDescription("GitHub", at: "https://api.github.com")
///         let user = Endpoint<String, User>(.get, "users/{login}")
///         let repositories = Endpoint<String, Int?, [Repository]>(.get, "users/{login}/repos{?page}")
///     }
///
/// A ``ServiceClient`` calls them: `try await github.user("weipin")`.
public protocol ServiceEndpoints: Sendable {
    /// The service's common description. The endpoints that are properties are added to those that the description
    /// contains.
    var service: ServiceDescription { get }
}

extension ServiceEndpoints {
    /// The whole description: ``service`` with the endpoints that are properties, each named after its property.
    public var definition: ServiceDescription {
        var definition = service
        for child in Mirror(reflecting: self).children {
            guard let endpoint = child.value as? any DescribedEndpoint else { continue }
            var described = endpoint.definition
            described.name = endpoint.name(of: child.label)
            definition[described.name] = described
        }
        return definition
    }

    /// Returns all problems of the service's description, including endpoints whose types don't fit their templates.
    public func verify() -> [ServiceProblem] {
        var problems = definition.verify()
        for child in Mirror(reflecting: self).children {
            guard let endpoint = child.value as? any DescribedEndpoint else { continue }
            let names = endpoint.definition.parameterNames
            guard let count = endpoint.inputCount, !(names.count...names.count + 1 ~= count) else { continue }
            let message = "the number of inputs, \(count), doesn't match the number of parameters, \(names.count)"
            problems.append(ServiceProblem(.contradiction, at: child.label ?? "", message))
        }
        return problems
    }
}
