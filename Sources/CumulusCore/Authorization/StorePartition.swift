// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

/// On whose behalf a request is sent: the identities of its authorizers, its cookie jar, its client certificate, and the
/// header fields that hold secrets.
///
/// Equal ones may share a response, as far as HTTP allows; others never do, even if a server forgets `Vary`. Who logs in
/// through a jar isn't known: another user needs another jar, or an empty store.
public struct StorePartition: Sendable, Hashable {
    private enum Part: Sendable, Hashable {
        case identity([String])
        /// An object whose identity only this process knows.
        case object(UInt64)
        case jar(String)
        case field(String, String)
    }

    private var parts: [Part] = []

    /// Whether the same identity has an equal one in another process, or after a restart: not if it has an authorizer
    /// without an ``Authorizer/identity``, or a jar without a file.
    public private(set) var isLasting = true

    /// Whether it speaks for nobody in particular.
    public var isAnonymous: Bool { parts.isEmpty }

    /// A code for it, which reveals nothing of the secrets to anyone without the key: HMAC-SHA256 (RFC 2104).
    ///
    /// - Parameter key: The store's own random key, of 16 bytes or more.
    /// - Returns: 32 bytes.
    public func code(keyedBy key: some Collection<UInt8>) -> [UInt8] {
        var message: [UInt8] = []
        for part in parts {
            // Each list follows its length, and so does each value: no two partitions read the same.
            let values = Self.values(of: part)
            message += Self.bytes(of: values.count)
            for value in values { message += Self.bytes(of: value.utf8.count) + value.utf8 }
        }
        return HMAC(key: key).code(of: message)
    }

    private static func bytes(of count: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt64(count).littleEndian, Array.init)
    }

    private static func values(of part: Part) -> [String] {
        switch part {
        case .identity(let values): ["identity"] + values
        case .object(let number): ["object", String(number)]
        case .jar(let path): ["jar", path]
        case .field(let name, let value): ["field", name, value]
        }
    }

    /// Adds an authorizer, by its identity if that is known.
    mutating func add(_ identity: AuthorizerIdentity?, orElse object: UInt64) {
        if let identity { parts.append(.identity(identity.parts)) } else { addObject(object) }
    }

    /// Adds a jar of cookies, by the path of its file if it has one.
    mutating func addJar(_ path: String?, orElse object: UInt64) {
        if let path { parts.append(.jar(path)) } else { addObject(object) }
    }

    /// Adds the fields by which the caller proves who it is.
    mutating func addCredentials(of request: EncodedRequest) {
        for field in request.headers where StorePartition.isCredential(field.name.canonicalName, of: request) {
            parts.append(.field(field.name.canonicalName, field.value))
        }
    }

    /// What nearly every request has, so that a hit need not take such names apart.
    private static let usual: Set<String> = [
        "accept", "accept-encoding", "accept-language", "cache-control", "user-agent",
    ]

    /// Words in the names of fields that say for whom a request is, where something before the server has made sure of
    /// it.
    private static let persons: Set<Substring> = ["cert", "from", "org", "orgid", "pat", "uid", "wsse"]
    /// How such words begin.
    private static let personal = [
        "account", "behalf", "customer", "email", "group", "identit", "impersonat", "login", "member", "organi",
        "owner", "person", "principal", "role", "subject", "team", "tenant", "user", "workspace",
    ]

    private static func isPersonal(_ name: String) -> Bool {
        name.parts(at: "-").contains { part in
            part.parts(at: "_").contains { word in
                persons.contains(word) || personal.contains { word.begins(with: $0) }
            }
        }
    }

    /// Some secrets belong to one request, not to a person.
    private static func isCredential(_ name: String, of request: EncodedRequest) -> Bool {
        if !request.hides(name) {
            if usual.contains(name) { return false }
            guard isPersonal(name) || Redaction.isSecret(name) else { return false }
        }
        return name != "idempotency-key" && !["csrf", "xsrf"].contains { name.contains($0) }
    }

    private mutating func addObject(_ number: UInt64) {
        parts.append(.object(number))
        isLasting = false
    }
}

extension StorePartition: Redacted {
    /// How many parts it has.
    public var description: String { isAnonymous ? "anonymous" : "\(parts.count) identities" }
}
