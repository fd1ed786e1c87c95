// SPDX-License-Identifier: Apache-2.0

/// The identity that a program sends to servers: its name, version and contact, in `User-Agent` and in a service's own
/// fields.
///
/// ```swift
/// site.setRules { $0.client = ClientIdentity(name: "Notes", version: "2.1", contact: "https://notes.example") }
/// // User-Agent: Notes/2.1 (https://notes.example) Cumulus/0.1
/// ```
public struct ClientIdentity: Sendable, Hashable {
    /// The fields in which a service expects the program's identity: `X-Twitter-Client`, `X-Twitter-Client-Version`.
    public struct Fields: Sendable, Hashable {
        /// The field for the name.
        public var name: Headers.Name?
        /// The field for the version.
        public var version: Headers.Name?
        /// The field for the contact.
        public var contact: Headers.Name?

        /// Creates a set of names; `nil` for the fields that the service doesn't have.
        public init(name: Headers.Name? = nil, version: Headers.Name? = nil, contact: Headers.Name? = nil) {
            self.name = name
            self.version = version
            self.contact = contact
        }
    }

    /// The program's name.
    public var name: String
    /// The program's version.
    public var version: String?
    /// The contact: a URL or an email address.
    public var contact: String?
    /// The service's own fields, which are sent only to its origin.
    public var fields: Fields

    /// Creates an identity.
    public init(name: String, version: String? = nil, contact: String? = nil, fields: Fields = Fields()) {
        self.name = name
        self.version = version
        self.contact = contact
        self.fields = fields
    }

    /// The part of `User-Agent` before Cumulus' own name (RFC 9110 section 10.1.5).
    ///
    /// Characters that are not allowed in a product's name or version, such as a space, become `-`.
    public var product: String {
        let version = version.map { "/\(ClientIdentity.token($0))" } ?? ""
        let comment = contact.map { " (\(ClientIdentity.comment($0)))" } ?? ""
        return ClientIdentity.token(name) + version + comment
    }

    /// The fields that are sent with each request.
    var headers: Headers {
        var headers: Headers = [.userAgent: "\(product) Cumulus/0.1"]
        for (field, text) in [(fields.name, name), (fields.version, version), (fields.contact, contact)] {
            if let field, let text { headers[field] = text }
        }
        return headers
    }

    private static func token(_ text: String) -> String {
        let bytes = text.utf8.map { byte in
            PercentEncoding.isUnreserved(byte) || "!#$%&'*+^`|".utf8.contains(byte) ? byte : UInt8(ascii: "-")
        }
        return bytes.isEmpty ? "-" : String(decoding: bytes, as: UTF8.self)
    }

    private static func comment(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where scalar.value >= 0x20 && scalar.value != 0x7F {
            if "()\\".unicodeScalars.contains(scalar) { escaped.append("\\") }
            escaped.append(scalar)
        }
        return String(escaped)
    }
}

extension ClientIdentity {
    /// The identity without the fields of a specific service.
    var forOtherOrigins: ClientIdentity { ClientIdentity(name: name, version: version, contact: contact) }
}

extension ClientIdentity: CustomStringConvertible {
    /// The name and version as in `User-Agent`.
    public var description: String { product }
}

extension Resource.Settings {
    /// The identity that the program sends to servers.
    ///
    /// Default: none; `User-Agent` names Cumulus alone. The nearest layer wins; a header field of the same name takes
    /// precedence.
    public var client: ClientIdentity? {
        get { self[key: ClientKey.self] }
        set { self[key: ClientKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/client``.
enum ClientKey: UncomparedSettingKey {
    /// None.
    static var defaultValue: ClientIdentity? { nil }
}
