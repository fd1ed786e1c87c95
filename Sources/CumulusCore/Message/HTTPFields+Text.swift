// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

extension HTTPFields {
    /// A field by its name as a string: `response.headers["ETag"]`, `request.headers["X-Trace"] = id`.
    ///
    /// Several values are joined by a comma; `nil` means no value. Invalid fields are neither dropped nor changed. If a
    /// name is not a token, or a value contains a control character, the request throws
    /// ``CumulusError/Code/invalidHeader``.
    public subscript(name: String) -> String? {
        get { HTTPField.Name(name).flatMap { self[$0] } }
        set {
            guard let newValue else {
                if let known = HTTPField.Name(name) { self[known] = nil }
                return
            }
            do {
                let fields = try ([Headers.Name(name): newValue] as Headers).fields()
                if let field = fields.first { self[field.name] = field.value }
            } catch {
                append(.malformed(error))
            }
        }
    }

    /// Adds a field unless one of its name exists.
    mutating func addIfMissing(_ field: HTTPField) {
        if !contains(field.name) { append(field) }
    }

    /// Why a field couldn't be stored.
    package var malformation: Headers.Malformation? {
        isEmpty ? nil : self[.malformation].map { Headers.Malformation(String($0.unicodeScalars.dropFirst())) }
    }

    /// The name of the request's method, if it couldn't be stored.
    var malformedMethod: String? { self[.malformedMethod].map { String($0.unicodeScalars.dropFirst()) } }
}

extension HTTPField {
    /// Whether it stands for a field that couldn't be stored.
    var isMalformed: Bool { name == .malformation }

    /// Stands for a field that can't be stored.
    static func malformed(_ malformation: Headers.Malformation) -> HTTPField {
        HTTPField(name: .malformation, lenientValue: Array("\u{1}\(malformation.description)".utf8))
    }

    /// Stands for a method that can't be stored.
    static func malformed(method name: String) -> HTTPField {
        HTTPField(name: .malformedMethod, lenientValue: Array("\u{1}\(name)".utf8))
    }
}

extension HTTPField.Name {
    /// Stands for a field that can't be stored; its value has a control character, so that it is never sent.
    fileprivate static let malformation = HTTPField.Name("Cumulus-Malformed-Field") ?? .te
    /// Stands for a method that can't be stored, in the same way.
    fileprivate static let malformedMethod = HTTPField.Name("Cumulus-Malformed-Method") ?? .te
}

extension HTTPRequest {
    /// Creates a request for a URL, to send with ``Resource/call(_:_:)``.
    ///
    /// With an invalid URL, the request has neither scheme nor authority, and sending it throws. The fragment is not
    /// sent.
    ///
    /// - Parameters:
    ///   - method: The method. Default: GET.
    ///   - url: An absolute http or https URL, as a string or as `URL`.
    ///   - headers: The header fields; sending an invalid field throws ``CumulusError/Code/invalidHeader``.
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

    /// Creates a request with a method specified by its name, to send with ``Resource/call(_:_:)``.
    ///
    /// - Parameters:
    ///   - method: The method's name, which is case-sensitive: `PROPFIND`; sending throws
    ///     ``CumulusError/Code/invalidRequest`` if it is not a token.
    ///   - url: An absolute http or https URL, as a string or as `URL`.
    ///   - headers: The header fields; sending an invalid field throws ``CumulusError/Code/invalidHeader``.
    public init(method: String, url: some Locator, headers: Headers = [:]) {
        let known = HTTPRequest.Method(rawValue: method)
        self.init(method: known ?? .get, url: url, headers: headers)
        if known == nil { headerFields.append(.malformed(method: method)) }
    }
}

extension HTTPFields {
    /// Creates fields from headers, without the masks.
    ///
    /// If a field can't be sent, its request throws ``CumulusError/Code/invalidHeader``.
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
