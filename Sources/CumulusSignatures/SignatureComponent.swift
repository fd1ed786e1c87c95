// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// A part of a request that a message signature covers (RFC 9421 section 2).
///
/// A string literal is a header field's name: `[.method, .targetURI, "content-type"]`.
public struct SignatureComponent: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The name, in lower case; names other than those of fields begin with `@`.
    let name: String
    /// The escaped name of the query item that `@query-param` refers to.
    let parameter: String?
    /// Whether each line of a field is covered as bytes (`;bs`).
    let isWrapped: Bool

    private init(name: String, parameter: String? = nil, isWrapped: Bool = false) {
        self.name = name
        self.parameter = parameter
        self.isWrapped = isWrapped
    }

    /// Creates a component for a header field with all its lines; the name's case doesn't matter.
    public init(stringLiteral name: String) { self.init(name: name.lowercased()) }

    /// Creates a component for a header field with all its lines; the name's case doesn't matter.
    public static func field(_ name: String) -> SignatureComponent { SignatureComponent(stringLiteral: name) }

    /// Creates a component for a header field, with each of its lines as bytes (RFC 9421 section 2.1.3): joining or
    /// splitting lines breaks the signature.
    ///
    /// Use it for fields in which a comma doesn't always separate values, such as `Set-Cookie`.
    public static func wrappedField(_ name: String) -> SignatureComponent {
        SignatureComponent(name: name.lowercased(), isWrapped: true)
    }

    /// The method.
    public static let method = SignatureComponent(name: "@method")
    /// The whole URL.
    public static let targetURI = SignatureComponent(name: "@target-uri")
    /// The host and port, as in `Host`.
    public static let authority = SignatureComponent(name: "@authority")
    /// `http` or `https`.
    public static let scheme = SignatureComponent(name: "@scheme")
    /// The path and query, as they are sent.
    public static let requestTarget = SignatureComponent(name: "@request-target")
    /// The path.
    public static let path = SignatureComponent(name: "@path")
    /// The query with its `?`, which is present even if the query is empty.
    public static let query = SignatureComponent(name: "@query")

    /// Creates a component for one query item, which must occur exactly once.
    public static func queryParameter(_ name: String) -> SignatureComponent {
        SignatureComponent(name: "@query-param", parameter: PercentEncoding.encode(name))
    }

    /// The status of a response.
    static let status = SignatureComponent(name: "@status")

    /// The component's identifier in the signature's input.
    func identifier() throws -> String {
        guard !name.isEmpty, name.utf8.dropFirst(name.begins(with: "@") ? 1 : 0).allSatisfy(Self.isNameByte) else {
            throw AuthorizationProblem("\(PeerText.quoted(name)) is not a header field that a signature could cover")
        }
        guard !isWrapped || !name.begins(with: "@") else {
            throw AuthorizationProblem("\(PeerText.quoted(name)) is not a header field, so it has no lines to cover")
        }
        return "\"\(name)\"\(isWrapped ? ";bs" : "")\(parameter.map { ";name=\"\($0)\"" } ?? "")"
    }

    /// Whether a field name may contain the byte (RFC 9110 section 5.6.2); no capitals.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
