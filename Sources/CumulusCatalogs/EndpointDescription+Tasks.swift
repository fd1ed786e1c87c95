// SPDX-License-Identifier: Apache-2.0

package import Cumulus
package import CumulusServices

extension EndpointDescription {
    /// A task in the form of these tables: parameters without a place of their own go into the query for GET, and into
    /// the body for any other method.
    package static func task(
        _ name: String,
        _ method: HTTPRequest.Method,
        _ template: URITemplate,
        _ parameters: [EndpointParameter] = []
    ) -> EndpointDescription {
        let variables = template.variables
        let placed = parameters.map { parameter in
            var parameter = parameter
            let isFree = parameter.place == .query && !variables.contains(parameter.name)
            if isFree, method != .get { parameter.place = .body }
            return parameter
        }
        return EndpointDescription(name, method, template: template, parameters: placed)
    }

    /// The same task with further properties set.
    package func with(_ change: (inout EndpointDescription) -> Void) -> EndpointDescription {
        var task = self
        change(&task)
        return task
    }
}

extension EndpointParameter {
    /// An integer parameter.
    package static func number(_ name: String, _ field: String? = nil, required: Bool = false) -> EndpointParameter {
        EndpointParameter(name, field: field, kind: .integer, required: required)
    }

    /// A text parameter.
    package static func text(_ name: String, _ field: String? = nil, required: Bool = false) -> EndpointParameter {
        EndpointParameter(name, field: field, kind: .text, required: required)
    }

    /// A Boolean parameter.
    package static func flag(_ name: String, _ field: String? = nil) -> EndpointParameter {
        EndpointParameter(name, field: field, kind: .boolean)
    }
}
