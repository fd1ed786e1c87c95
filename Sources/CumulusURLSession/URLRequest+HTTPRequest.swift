// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
public import Foundation
public import HTTPTypes

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension URLRequest {
    /// Creates a URL request from an HTTP request.
    ///
    /// Several fields with one name become one field, joined by commas (`Cookie` by semicolons), because a URL request
    /// keeps its fields in a dictionary.
    ///
    /// - Parameters:
    ///   - request: A request with a scheme, an authority and a path; the result is `nil` if they don't form a URL.
    ///   - body: The body; none by default.
    public init?(_ request: HTTPRequest, body: Data? = nil) {
        guard let scheme = request.scheme, let authority = request.authority, let path = request.path,
            path.begins(with: "/"),
            let url = URL(string: "\(scheme)://\(authority)\(path)", encodingInvalidCharacters: false)
        else { return nil }
        self.init(url: url)
        httpMethod = request.method.rawValue
        setFields(request.headerFields)
        httpBody = body
    }
}

extension HTTPRequest {
    /// Creates an HTTP request from a URL request, without its body.
    ///
    /// - Parameter request: A request with an absolute URL; the result is `nil` if it has no such URL, or if its method
    ///   is not a token. The URL's user, password and fragment are omitted.
    public init?(_ request: URLRequest) {
        guard let url = request.url, let scheme = url.scheme,
            let parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let host = parts.percentEncodedHost, !host.isEmpty,
            let method = HTTPRequest.Method(request.httpMethod ?? "GET")
        else { return nil }
        let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        self.init(
            method: method,
            scheme: scheme,
            authority: parts.port.map { "\(host):\($0)" } ?? host,
            path: parts.percentEncodedQuery.map { "\(path)?\($0)" } ?? path
        )
        // The dictionary has no order; a stable order is better than none.
        for (name, value) in (request.allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard let name = HTTPField.Name(name) else { continue }
            headerFields.append(HTTPField(name: name, value: value))
        }
    }
}
