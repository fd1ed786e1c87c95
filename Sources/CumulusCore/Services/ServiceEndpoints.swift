// SPDX-License-Identifier: Apache-2.0

/// The endpoints of a service as properties of a type, each with the types of what it takes and gives.
///
///     struct GitHub: ServiceEndpoints {
///         let service = ServiceDescription("GitHub", at: "https://api.github.com")
///         let user = Endpoint<String, User>(.get, "users/{login}")
///         let repositories = Endpoint<String, Int?, [Repository]>(.get, "users/{login}/repos{?page}")
///     }
///
/// A ``ServiceClient`` calls them: `try await github.user("weipin")`.
public protocol ServiceEndpoints: Sendable {
    /// What is common to the endpoints; those that are properties are added to its own.
    var service: ServiceDescription { get }
}

extension ServiceEndpoints {
    /// The whole service: ``service`` with the endpoints that are properties, each named for its property.
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

    /// Everything that is wrong with the service's description, and endpoints whose types don't fit their templates.
    public func verify() -> [ServiceProblem] {
        var problems = definition.verify()
        for child in Mirror(reflecting: self).children {
            guard let endpoint = child.value as? any DescribedEndpoint else { continue }
            let names = endpoint.definition.parameterNames
            if names.count...names.count + 1 ~= endpoint.inputCount { continue }
            let message = "it takes \(endpoint.inputCount) values for \(names.count) parameters"
            problems.append(ServiceProblem(.contradiction, at: child.label ?? "", message))
        }
        return problems
    }
}
