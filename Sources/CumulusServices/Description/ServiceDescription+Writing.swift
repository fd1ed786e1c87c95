// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import HTTPTypes

extension ServiceDescription {
    /// The description as JSON, which ``init(_:named:)`` parses; defaults are omitted.
    public var json: JSON {
        var object = JSON.Object()
        object["name"] = .string(name)
        object["summary"] = summary.map(JSON.string)
        if servers.count == 1, servers[0].name.isEmpty, !servers[0].isThirdParty {
            object["baseURL"] = .string(servers[0].url)
        } else if !servers.isEmpty {
            object["servers"] = .array(
                servers.map(\.json)
            )
        }
        object["headers"] = headers.json
        object["clientHeaders"] = clientFields.json
        object["authorization"] = authorization?.json
        object["errors"] = errors == ErrorConvention() ? nil : errors.json
        object["rate"] = rate == ServiceRate() ? nil : rate.json
        object["maxConcurrentTasks"] = maxConcurrentTasks.map { JSON($0) }
        object["paging"] = paging?.json
        object["bodyFormat"] = bodyFormat == .json ? nil : .string(bodyFormat.rawValue)
        object["responseFormat"] = responseFormat.map { .string($0.rawValue) }
        object["endpoints"] = .array(endpoints.map(\.json))
        return .object(object)
    }
}

extension ServiceServer {
    /// The server as written in a description.
    var json: JSON {
        if name.isEmpty, !isThirdParty { return .string(url) }
        var object = JSON.Object()
        object["name"] = name.isEmpty ? nil : .string(name)
        object["url"] = .string(url)
        object["foreign"] = isThirdParty ? .bool(true) : nil
        return .object(object)
    }
}

extension EndpointDescription {
    /// The endpoint as written in a description.
    var json: JSON {
        var object = JSON.Object()
        object["name"] = .string(name)
        object["method"] = method == .get ? nil : .string(method.rawValue)
        object["template"] = .string(template.text)
        object["summary"] = summary.map(JSON.string)
        object["server"] = server.map(JSON.string)
        object["parameters"] = parameters.isEmpty ? nil : .array(parameters.map(\.json))
        object["headers"] = headers.json
        object["bodyFormat"] = bodyFormat.map { .string($0.rawValue) }
        object["responseFormat"] = responseFormat.map { .string($0.rawValue) }
        object["authorization"] = authorization?.json
        object["errors"] = errors?.json
        object["paging"] = paging?.json
        return .object(object)
    }
}

extension EndpointParameter {
    /// The parameter as written in a description.
    var json: JSON {
        if self == EndpointParameter(name) { return .string(name) }
        var object = JSON.Object()
        object["name"] = .string(name)
        object["in"] = place == .query ? nil : .string(place.rawValue)
        object["field"] = field.map(JSON.string)
        object["kind"] = kind == .any ? nil : .string(kind.rawValue)
        object["style"] = style.map { .string($0.rawValue) }
        object["required"] = isRequired ? true : nil
        object["default"] = defaultValue
        object["values"] = allowedValues.isEmpty ? nil : .array(allowedValues.map(JSON.string))
        object["summary"] = summary.map(JSON.string)
        return .object(object)
    }
}

extension Headers {
    /// The fields by name; `nil` if there are none.
    fileprivate var json: JSON? {
        if names.isEmpty { return nil }
        return .object(JSON.Object(names.map { ($0.text, .string(self[$0] ?? "")) }))
    }
}

extension ClientIdentity.Fields {
    fileprivate var json: JSON? {
        var object = JSON.Object()
        object["name"] = name.map { .string($0.text) }
        object["version"] = version.map { .string($0.text) }
        object["contact"] = contact.map { .string($0.text) }
        return object.isEmpty ? nil : .object(object)
    }
}

extension AuthorizationNeed {
    fileprivate var json: JSON {
        if schemes.isEmpty { return "none" }
        let names = JSON.array(schemes.map { .string($0.rawValue) })
        return isRequired ? names : ["schemes": names, "required": false]
    }
}

extension ErrorConvention {
    fileprivate var json: JSON {
        let names = JSON.array(members.map(JSON.string))
        if self == ErrorConvention(members: members) { return names }
        var object = JSON.Object()
        object["members"] = members.isEmpty ? nil : names
        object["problemDetails"] = usesProblemDetails ? true : nil
        object["ignoresStatus"] = ignoresStatus ? true : nil
        return .object(object)
    }
}

extension ServiceRate {
    fileprivate var json: JSON {
        var object = JSON.Object()
        object["requests"] = limit.map { JSON($0.requests) }
        object["seconds"] = limit.map { JSON($0.seconds) }
        object["burst"] = limit.flatMap { $0.burst == 1 ? nil : JSON($0.burst) }
        object["tracksQuota"] = tracksQuota ? true : nil
        object["heedsQuota"] = heedsQuota ? true : nil
        return .object(object)
    }
}
