// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

/// Parses a description from a document, and notes all its problems.
struct ServiceDescriptionReader {
    private(set) var problems: [ServiceProblem] = []

    private static let endpointLimit = 10_000

    /// Parses a whole description; `name` is used if it has none.
    mutating func service(_ document: JSON, named name: String?) -> ServiceDescription {
        var members = DescriptionMembers(document, at: "", &problems)
        var service = ServiceDescription(text("name", of: &members) ?? name ?? "service")
        guard document.object != nil else { return service }
        service.summary = text("summary", of: &members)
        service.servers = servers(&members)
        service.headers = headers(&members)
        if let fields = members.take("clientHeaders") { service.clientFields = clientFields(fields.value, fields.key) }
        service.authorization = authorization(&members)
        if let errors = members.take("errors") {
            service.errors = self.errors(errors.value, at: errors.key)
        }
        if let rate = members.take("rate") { service.rate = self.rate(rate.value, at: rate.key) }
        service.maxConcurrentTasks = members.take(["maxConcurrentTasks"], "whole number", &problems) { $0.int }
        service.paging = paging(&members)
        service.bodyFormat = bodyFormat(&members) ?? .json
        service.responseFormat = responseFormat(&members)
        if let endpoints = members.take("endpoints", "resources") {
            service.endpoints = self.endpoints(endpoints.value, at: endpoints.key)
        } else {
            problems.append(ServiceProblem(.missing, at: "endpoints", "the description has no endpoints"))
        }
        members.noteRest(&problems)
        return service
    }

    private mutating func text(_ names: String..., of members: inout DescriptionMembers) -> String? {
        members.take(names, "string", &problems) { $0.string }
    }

    // MARK: Parts of services

    private mutating func servers(_ members: inout DescriptionMembers) -> [ServiceServer] {
        // Cycles' profiles have an empty one if templates are absolute URLs.
        let base = text("baseURL", of: &members).flatMap { $0.isEmpty ? nil : ServiceServer($0) }
        guard let (key, value) = members.take("servers") else { return base.map { [$0] } ?? [] }
        if base != nil {
            let message = "use either baseURL or servers, not both"
            problems.append(ServiceProblem(.contradiction, at: members.place(key), message))
        }
        return elements(value, at: members.place(key)).compactMap { value, place in
            if let url = value.string { return ServiceServer(url) }
            var server = DescriptionMembers(value, at: place, &problems)
            let (url, name) = (text("url", of: &server), text("name", of: &server))
            let isThirdParty = server.take(["foreign"], "Boolean", &problems) { $0.bool } ?? false
            server.noteRest(&problems)
            if url == nil { problems.append(ServiceProblem(.missing, at: "\(place).url", "the server has no URL")) }
            guard let url else { return nil }
            var found = ServiceServer(url, name: name ?? "")
            found.isThirdParty = isThirdParty
            return found
        }
    }

    private mutating func elements(_ value: JSON, at place: String) -> [(JSON, String)] {
        guard let list = value.array else {
            problems.append(ServiceProblem(.wrongType, at: place, "this must be a list"))
            return []
        }
        return list.enumerated().map { ($1, "\(place)[\($0)]") }
    }

    private mutating func headers(_ members: inout DescriptionMembers) -> Headers {
        guard let (key, value) = members.take("headers") else { return [:] }
        let place = members.place(key)
        guard let object = value.object else {
            problems.append(ServiceProblem(.wrongType, at: place, "this must be an object whose values are strings"))
            return [:]
        }
        var headers = Headers()
        for (name, value) in object {
            if let text = value.string {
                headers.add(text, for: Headers.Name(name))
            } else {
                problems.append(
                    ServiceProblem(.wrongType, at: "\(place).\(name)", "the field's value must be a string")
                )
            }
        }
        return headers
    }

    private mutating func clientFields(_ value: JSON, _ place: String) -> ClientIdentity.Fields {
        var members = DescriptionMembers(value, at: place, &problems)
        let fields = ClientIdentity.Fields(
            name: text("name", of: &members).map { Headers.Name($0) },
            version: text("version", of: &members).map { Headers.Name($0) },
            contact: text("contact", of: &members).map { Headers.Name($0) }
        )
        members.noteRest(&problems)
        return fields
    }

    private mutating func authorization(_ members: inout DescriptionMembers) -> AuthorizationNeed? {
        guard let (key, value) = members.take("authorization") else { return nil }
        let place = members.place(key)
        if value.string == "none" { return .anonymous }
        var (list, isRequired) = (value, true)
        if value.object != nil {
            var inner = DescriptionMembers(value, at: place, &problems)
            list = inner.take("schemes")?.value ?? .array([])
            isRequired = inner.take(["required"], "Boolean", &problems) { $0.bool } ?? true
            inner.noteRest(&problems)
        }
        let texts = texts(list, at: place)
        let schemes = texts.compactMap { AuthorizationNeed.Scheme(rawValue: $0) }
        if schemes.isEmpty, !texts.isEmpty || list.array?.isEmpty == true {
            let message = "the scheme is missing; write \"none\" if none is needed"
            problems.append(ServiceProblem(.invalidValue, at: place, message))
        }
        return AuthorizationNeed(schemes, required: isRequired && !schemes.isEmpty)
    }

    /// A text, or a list of them.
    private mutating func texts(_ value: JSON, at place: String) -> [String] {
        if let text = value.string { return [text] }
        return elements(value, at: place).compactMap { value, place in
            if value.string == nil { problems.append(ServiceProblem(.wrongType, at: place, "this must be a string")) }
            return value.string
        }
    }

    private mutating func errors(_ value: JSON, at place: String) -> ErrorConvention {
        guard value.object != nil else { return ErrorConvention(members: texts(value, at: place)) }
        var members = DescriptionMembers(value, at: place, &problems)
        var errors = ErrorConvention()
        if let (key, value) = members.take("members") { errors.members = texts(value, at: members.place(key)) }
        errors.usesProblemDetails = members.take(["problemDetails"], "Boolean", &problems) { $0.bool } ?? false
        errors.ignoresStatus = members.take(["ignoresStatus"], "Boolean", &problems) { $0.bool } ?? false
        members.noteRest(&problems)
        return errors
    }

    private mutating func rate(_ value: JSON, at place: String) -> ServiceRate {
        var members = DescriptionMembers(value, at: place, &problems)
        var rate = ServiceRate()
        let requests = members.take(["requests"], "whole number", &problems) { $0.int }
        let seconds = members.take(["seconds"], "number", &problems) { $0.double }
        let burst = members.take(["burst"], "whole number", &problems) { $0.int }
        rate.tracksQuota = members.take(["tracksQuota"], "Boolean", &problems) { $0.bool } ?? false
        rate.heedsQuota = members.take(["heedsQuota"], "Boolean", &problems) { $0.bool } ?? false
        members.noteRest(&problems)
        if let requests, let seconds {
            rate.limit = ServiceRate.Limit(requests, perSeconds: seconds, burst: burst ?? 1)
        } else if requests != nil || seconds != nil || burst != nil {
            problems.append(ServiceProblem(.missing, at: place, "a rate needs both requests and seconds"))
        }
        return rate
    }

    private mutating func paging(_ members: inout DescriptionMembers) -> PagingRule? {
        guard let (key, value) = members.take("paging") else { return nil }
        return PagingRule(value, at: members.place(key), &problems)
    }

    private mutating func bodyFormat(_ members: inout DescriptionMembers) -> EndpointBodyFormat? {
        members.take(["bodyFormat"], "body format", &problems) {
            $0.string.flatMap { EndpointBodyFormat(rawValue: $0) }
        }
    }

    private mutating func responseFormat(_ members: inout DescriptionMembers) -> EndpointResponseFormat? {
        members.take(["responseFormat"], "response format", &problems) {
            $0.string.flatMap { EndpointResponseFormat(rawValue: $0) }
        }
    }

    // MARK: Endpoints

    private mutating func endpoints(_ value: JSON, at place: String) -> [EndpointDescription] {
        let values = elements(value, at: place)
        if values.count > ServiceDescriptionReader.endpointLimit {
            let message = "the description has more than \(ServiceDescriptionReader.endpointLimit) endpoints"
            problems.append(ServiceProblem(.invalidValue, at: place, message))
        }
        return values.prefix(ServiceDescriptionReader.endpointLimit).map { endpoint($0, at: $1) }
    }

    private mutating func endpoint(_ value: JSON, at place: String) -> EndpointDescription {
        var members = DescriptionMembers(value, at: place, &problems)
        let template = text("template", "uriTemplate", of: &members)
        if template == nil, value.object != nil {
            problems.append(ServiceProblem(.missing, at: "\(place).template", "the endpoint has no template"))
        }
        let method = members.take(["method"], "method", &problems) {
            $0.string.flatMap { HTTPRequest.Method(rawValue: $0) }
        }
        var endpoint = EndpointDescription(
            text("name", of: &members) ?? "",
            method ?? .get,
            template: URITemplate(lenient: template ?? "")
        )
        endpoint.summary = text("summary", of: &members)
        endpoint.server = text("server", of: &members)
        endpoint.headers = headers(&members)
        endpoint.bodyFormat = bodyFormat(&members)
        endpoint.responseFormat = responseFormat(&members)
        endpoint.authorization = authorization(&members)
        endpoint.paging = paging(&members)
        if let (key, value) = members.take("errors") { endpoint.errors = errors(value, at: members.place(key)) }
        if let (key, value) = members.take("parameters") {
            endpoint.parameters = elements(value, at: members.place(key)).map { parameter($0, at: $1) }
        }
        members.noteRest(&problems)
        return endpoint
    }

    private mutating func parameter(_ value: JSON, at place: String) -> EndpointParameter {
        if let name = value.string { return EndpointParameter(name) }
        var members = DescriptionMembers(value, at: place, &problems)
        var parameter = EndpointParameter(text("name", of: &members) ?? "")
        let place = members.take(["in"], "location: path, query, header, cookie or body", &problems) {
            $0.string.flatMap { EndpointParameter.Place(rawValue: $0) }
        }
        let kinds = "kind of value: any, text, integer, number, boolean, list, map or file"
        let kind = members.take(["kind"], kinds, &problems) {
            $0.string.flatMap { EndpointParameter.Kind(rawValue: $0) }
        }
        (parameter.place, parameter.kind) = (place ?? .query, kind ?? .any)
        parameter.field = text("field", of: &members)
        parameter.style = members.take(["style"], "style", &problems) {
            $0.string.flatMap { EndpointParameter.Style(rawValue: $0) }
        }
        parameter.isRequired = members.take(["required"], "Boolean", &problems) { $0.bool } ?? false
        parameter.defaultValue = members.take("default")?.value
        parameter.summary = text("summary", of: &members)
        if let (key, value) = members.take("values") {
            parameter.allowedValues = texts(value, at: members.place(key))
        }
        members.noteRest(&problems)
        return parameter
    }
}
