// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

extension HTTPRequest {
    /// Makes a request for a URL, to send with ``Resource/call(_:_:)``.
    ///
    /// With an invalid URL, the request has no scheme and authority, and sending it throws. The fragment is not sent.
    ///
    /// - Parameters:
    ///   - method: The method. Default: GET.
    ///   - url: An absolute http or https URL, as a string or as `URL`.
    ///   - headers: The header fields; an invalid one makes sending throw ``CumulusError/Code/invalidHeader``.
    public init(method: HTTPRequest.Method = .get, url: some Locator, headers: Headers = [:]) {
        let parsed = try? RequestURL.parse(url.locatorText).url
        self.init(
            method: method,
            scheme: parsed?.origin.scheme.rawValue,
            authority: parsed?.origin.authority,
            path: parsed?.target,
            headerFields: HTTPFields(headers)
        )
    }

    /// Makes a request with a method given by name, to send with ``Resource/call(_:_:)``.
    ///
    /// - Parameters:
    ///   - method: The method's name, which is case-sensitive: `PROPFIND`; sending throws
    ///     ``CumulusError/Code/invalidRequest`` if it is not a token.
    ///   - url: An absolute http or https URL, as a string or as `URL`.
    ///   - headers: The header fields; an invalid one makes sending throw ``CumulusError/Code/invalidHeader``.
    public init(method: String, url: some Locator, headers: Headers = [:]) {
        let known = HTTPRequest.Method(rawValue: method)
        self.init(method: known ?? .get, url: url, headers: headers)
        if known == nil { headerFields.append(.malformed(method: method)) }
    }
}

extension HTTPFields {
    /// Makes fields from headers, without the masks; a field that can't be sent makes its request throw
    /// ``CumulusError/Code/invalidHeader``.
    public init(_ headers: Headers) {
        self.init()
        for name in headers.names {
            for value in headers.values(of: name) ?? [] {
                do {
                    append(contentsOf: try ([name: value] as Headers).fields())
                } catch {
                    append(.malformed(error))
                }
            }
        }
    }
}
