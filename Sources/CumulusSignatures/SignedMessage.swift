// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A request or a response, as its signature covers it (RFC 9421 section 2).
struct SignedMessage {
    private let fields: HTTPFields
    private let request: (method: String, scheme: String, authority: String, target: String)?
    private let status: Int?
    private let length: Int64?

    init(_ request: EncodedRequest) {
        fields = request.headers
        let host = request.headers.first { $0.name.canonicalName == "host" }?.value
        self.request = (
            request.method.rawValue, request.origin.scheme.rawValue,
            Self.authority(of: host ?? request.origin.authority, request.origin.scheme), request.target
        )
        status = nil
        length = Self.contentLength(of: request)
    }

    init(status: Int, fields: HTTPFields) {
        self.fields = fields
        self.status = status
        request = nil
        length = nil
    }

    /// Whether the message has a component.
    func has(_ component: SignatureComponent) -> Bool { (try? value(of: component)) != nil }

    /// A component's value.
    ///
    /// - Throws: `AuthorizationProblem` that names a component that is missing or repeated.
    func value(of component: SignatureComponent) throws -> String {
        guard component.name.begins(with: "@") else { return try field(component) }
        if component == .status, let status { return String(status) }
        guard let request else { throw Self.missing(component) }
        let (path, query) = request.target.cut(at: "?").map { ($0.before, $0.behind) } ?? (request.target[...], nil)
        switch component {
        case .method: return request.method
        case .targetURI: return "\(request.scheme)://\(request.authority)\(request.target)"
        case .authority: return request.authority
        case .scheme: return request.scheme
        case .requestTarget: return request.target
        case .path: return path.isEmpty ? "/" : String(path)
        case .query: return "?\(query ?? "")"
        default:
            guard let name = component.parameter else { throw Self.missing(component) }
            return try parameter(name, in: query ?? "", component)
        }
    }

    private func field(_ component: SignatureComponent) throws -> String {
        let name = component.name
        var values = fields.filter { $0.name.canonicalName == name }.map { String($0.value.trimmed) }
        if values.isEmpty, name == "content-length", let length { values = [String(length)] }
        guard !values.isEmpty else { throw Self.missing(component) }
        if component.isWrapped { values = values.map { ":\(Data($0.utf8).base64EncodedString()):" } }
        return values.joined(separator: ", ")
    }

    /// The value of the only item with an escaped name.
    private func parameter(_ name: String, in query: Substring, _ component: SignatureComponent) throws -> String {
        let values = query.parts(at: "&", omitsEmpty: true).compactMap { item -> String? in
            let (own, value) = item.cut(at: "=") ?? (item, "")
            return Self.escapedOnce(own) == name ? Self.escapedOnce(value) : nil
        }
        guard let value = values.first, values.count == 1 else { throw Self.missing(component) }
        return value
    }

    /// Part of a query as RFC 9421 section 2.2.8 escapes it, however it was escaped; a plus means a space.
    private static func escapedOnce(_ text: Substring) -> String {
        let plain = text.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return PercentEncoding.encode(PercentEncoding.decode(String(decoding: plain, as: UTF8.self)))
    }

    private static func missing(_ component: SignatureComponent) -> AuthorizationProblem {
        let shown = component.parameter.map { "\(component.name) \($0)" } ?? component.name
        return AuthorizationProblem(
            "the signature should cover \(PeerText.quoted(shown)), but the request doesn't have it, or has it more than once"
        )
    }

    /// The authority in lower case, without the scheme's default port.
    private static func authority(of host: String, _ scheme: Origin.Scheme) -> String {
        let name = host.lowercased()
        let port = ":\(scheme.defaultPort)"
        return name.ends(with: port) ? String(Substring(name.utf8.dropLast(port.utf8.count))) : name
    }

    /// The length that transports announce; `nil` if they announce none.
    private static func contentLength(of request: EncodedRequest) -> Int64? {
        guard case .none = request.body else { return request.body.length }
        return [.post, .put, .patch].contains(request.method) ? 0 : nil
    }
}
