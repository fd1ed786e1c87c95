// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes

extension ServiceDescription {
    /// Returns all problems of the description, in order; empty if there are none.
    ///
    /// They include duplicate names, invalid URLs and templates, parameters that contradict the template, and
    /// everything else that would make each call of an endpoint throw. A missing base URL is not a problem:
    /// ``Service/at(_:)`` or ``Service/init(_:on:)`` can supply it.
    public func verify() -> [ServiceProblem] {
        var problems: [ServiceProblem] = []
        verifyServers(&problems)
        ServiceDescription.verify(headers, at: "headers", &problems)
        if let maxConcurrentTasks, maxConcurrentTasks < 1 {
            problems.append(ServiceProblem(.invalidValue, at: "maxConcurrentTasks", "the limit must be at least one"))
        }
        if let limit = rate.limit, limit.requests < 1 || !(limit.seconds > 0 && limit.seconds.isFinite) {
            problems.append(ServiceProblem(.invalidValue, at: "rate", "this rate would not allow any request to start"))
        }
        var names: Set<String> = []
        for (index, endpoint) in endpoints.enumerated() {
            let place = "endpoints[\(index)]"
            if endpoint.name.isEmpty {
                problems.append(ServiceProblem(.missing, at: "\(place).name", "the endpoint has no name"))
            } else if !names.insert(endpoint.name).inserted {
                let message = "the endpoint \(PeerText.quoted(endpoint.name)) occurs twice"
                problems.append(ServiceProblem(.duplicate, at: "\(place).name", message))
            }
            verify(endpoint, at: place, &problems)
        }
        return problems
    }

    private func verifyServers(_ problems: inout [ServiceProblem]) {
        var names: Set<String> = []
        for (index, server) in servers.enumerated() {
            do throws(RequestURL.Malformation) {
                _ = try RequestURL.parse(server.url)
            } catch {
                problems.append(ServiceProblem(.invalidValue, at: "servers[\(index)].url", error.description))
            }
            if servers.count > 1, !names.insert(server.name).inserted {
                let message = "the server \(PeerText.quoted(server.name)) occurs twice"
                problems.append(ServiceProblem(.duplicate, at: "servers[\(index)].name", message))
            }
        }
    }

    private static func verify(_ headers: Headers, at place: String, _ problems: inout [ServiceProblem]) {
        do throws(Headers.Malformation) {
            _ = try headers.fields()
        } catch {
            problems.append(ServiceProblem(.invalidValue, at: place, error.description))
        }
    }

    private func verify(_ endpoint: EndpointDescription, at place: String, _ problems: inout [ServiceProblem]) {
        verifyTemplate(of: endpoint, at: "\(place).template", &problems)
        ServiceDescription.verify(endpoint.headers, at: "\(place).headers", &problems)
        if let server = endpoint.server, !servers.contains(where: { $0.name == server }) {
            let message = "the service has no server \(PeerText.quoted(server))"
            problems.append(ServiceProblem(.missing, at: "\(place).server", message))
        }
        var names: Set<String> = []
        let (variables, inPath) = (endpoint.template.variables, endpoint.template.pathVariables)
        for (index, parameter) in endpoint.parameters.enumerated() {
            let place = "\(place).parameters[\(index)]"
            let name = PeerText.quoted(parameter.name)
            if parameter.name.isEmpty {
                problems.append(ServiceProblem(.missing, at: "\(place).name", "the parameter has no name"))
            } else if !names.insert(parameter.name).inserted {
                problems.append(ServiceProblem(.duplicate, at: "\(place).name", "the parameter \(name) occurs twice"))
            }
            let isVariable = variables.contains(parameter.name)
            if parameter.place == .path, !isVariable {
                problems.append(ServiceProblem(.contradiction, at: place, "the template has no variable \(name)"))
            }
            if isVariable, [.header, .cookie, .body].contains(parameter.place) {
                let message = "\(name) is a variable of the template, so it can't be in the \(parameter.place.rawValue)"
                problems.append(ServiceProblem(.contradiction, at: "\(place).in", message))
            }
            if inPath.contains(parameter.name), !parameter.isRequired, parameter.defaultValue == nil {
                let message = "\(name) is part of the path, so it must be required"
                problems.append(ServiceProblem(.contradiction, at: "\(place).required", message))
            }
            if parameter.place == .header || parameter.place == .cookie {
                verifyField(parameter.sentName, at: place, &problems)
            }
            if parameter.place == .body, endpoint.method == .get || endpoint.method == .head {
                let message = "a \(endpoint.method.rawValue) request can't have a body, so \(name) can't be sent"
                problems.append(ServiceProblem(.contradiction, at: "\(place).in", message))
            }
        }
    }

    private func verifyField(_ name: String, at place: String, _ problems: inout [ServiceProblem]) {
        guard HTTPField.Name(name) == nil else { return }
        let message = "the name \(PeerText.quoted(name)) is not a token"
        problems.append(ServiceProblem(.invalidValue, at: place, message))
    }

    private func verifyTemplate(
        of endpoint: EndpointDescription,
        at place: String,
        _ problems: inout [ServiceProblem]
    ) {
        let template = endpoint.template
        if !template.problems.isEmpty {
            problems += template.problems.map { ServiceProblem(.invalidTemplate, at: place, $0.description) }
            return
        }
        var path = template
        if template.isAbsolute {
            guard servers.isEmpty else {
                let message = "the template is a complete URL, but the service has a base URL"
                problems.append(ServiceProblem(.contradiction, at: place, message))
                return
            }
            guard let divided = template.dividedAtOrigin() else {
                let message = "a value could change the request's origin; write the origin without variables"
                problems.append(ServiceProblem(.invalidTemplate, at: place, message))
                return
            }
            do throws(RequestURL.Malformation) {
                _ = try RequestURL(divided.origin)
            } catch {
                problems.append(ServiceProblem(.invalidTemplate, at: place, error.description))
            }
            path = divided.path
        }
        // With any text for each variable: a template that is refused then is always refused.
        let sample = Dictionary(uniqueKeysWithValues: path.variables.map { ($0, "x" as (any QueryEncodable)?) })
        if let refusal = path.refusal(with: sample) {
            problems.append(ServiceProblem(.invalidTemplate, at: place, refusal))
        }
    }
}
