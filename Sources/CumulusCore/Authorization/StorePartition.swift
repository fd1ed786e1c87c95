// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

/// The user on whose behalf a request is sent, and the route by which it is sent.
///
/// It consists of the identities of the authorizers, the cookie jar, the transport's client and route, and every header
/// field that a setting, a hook or the call has set, except neutral ones (``Resource/Settings/neutralHeaders``). Only
/// requests with equal partitions may share a response, as far as HTTP allows, even if a server omits `Vary`.
///
/// It contains only digests. A cookie jar counts as a different user once a cookie is added or removed, or is set by
/// the response to a request whose method isn't safe. An empty jar adds nothing.
public struct StorePartition: Sendable, Hashable {
    private let digest: IdentityDigest?
    private let count: Int

    /// Whether another process, or this one after a restart, recognizes the same identity.
    ///
    /// This is false for an authorizer whose user is known only in this process, and for cookies in a jar without a
    /// file.
    public let isLasting: Bool

    /// Whether a response may be stored and reused.
    ///
    /// This is false if an authorizer has no ``Authorizer/identity``, or if the transport's identity is
    /// ``TransportIdentity/unknown``. In that case, the server's response may depend on something that isn't part of
    /// the partition. A store must neither store responses to such requests nor use stored ones for them.
    public let isShareable: Bool

    /// Whether the request is not sent on behalf of a particular user.
    public var isAnonymous: Bool { count == 0 }

    /// The partition of an anonymous client over the usual route.
    init() { self.init(Parts()) }

    init(_ parts: Parts) {
        digest = parts.message.bytes.isEmpty ? nil : IdentityDigest(parts.message)
        (count, isLasting, isShareable) = (parts.count, parts.isLasting, parts.isShareable)
    }

    /// Returns a keyed code of the partition: HMAC-SHA256 (RFC 2104).
    ///
    /// - Parameter key: The store's own random key, of 16 bytes or more.
    /// - Returns: 32 bytes.
    public func code(keyedBy key: some Collection<UInt8>) -> [UInt8] { HMAC(key: key).code(of: digest?.bytes ?? []) }

    /// A partition that isn't equal to any other one, for a request whose response can't be shared.
    var unshared: StorePartition {
        var parts = Parts()
        if let digest { parts.add(digest) }
        parts.add(nil, orElse: ObjectNumber.next())
        return StorePartition(parts)
    }
}

extension StorePartition {
    /// The parts of a partition while it is made.
    struct Parts: Sendable, Hashable {
        fileprivate var message = IdentityMessage()
        fileprivate var count = 0
        fileprivate var isLasting = true
        fileprivate var isShareable = true

        /// Adds an authorizer by its identity, or by its number in the settings if it has no identity.
        mutating func add(_ identity: AuthorizerIdentity?, orElse number: UInt64) {
            count += 1
            if let identity, identity.number == nil { return message.add("authorizer", identity.parts) }
            message.add("number", ["\(identity?.number ?? number)"])
            isLasting = false
            if identity == nil { isShareable = false }
        }

        /// Adds a cookie jar by its file, if other processes recognize it, or by its number.
        mutating func addJar(_ file: [String]?, orElse number: UInt64) {
            count += 1
            if let file { return message.add("jar", file) }
            message.add("number", ["\(number)"])
            isLasting = false
        }

        /// Adds a transport; `offersClient` indicates whether it may show the origin the data that identify the client.
        mutating func add(_ transport: TransportIdentity, offersClient: Bool) {
            if let client = transport.client, offersClient {
                count += 1
                message.add("client", client)
            }
            if let route = transport.route { message.add("route", route) }
            if transport.isKnown { return }
            message.add("unknown", [])
            (isLasting, isShareable) = (false, false)
        }

        /// Adds the proxy of a request for an http URL.
        ///
        /// A tunnel to an https server is not part of the identity.
        mutating func add(_ proxy: Proxy) {
            let user = proxy.credentials.map { [$0.user, $0.password.revealed] } ?? []
            message.add("proxy", [proxy.scheme.rawValue, proxy.host, "\(proxy.port)"] + user)
        }

        /// Adds the policy for the addresses of a host whose name is resolved.
        mutating func add(_ policy: AddressPolicy) { message.add("addresses", [policy.exceptionList ?? "any"]) }

        /// Adds the fields of a request that aren't neutral.
        mutating func addFields(of request: EncodedRequest, _ neutral: NeutralHeaders) {
            let fields = neutral.others(of: request)
            for field in fields { message.add(field) }
            count += fields.count
        }

        /// Adds the fields of settings that aren't neutral.
        mutating func addFields(of headers: Headers, _ neutral: NeutralHeaders) {
            for (name, values) in neutral.others(of: headers) {
                message.add("setting", [name] + values)
                count += 1
            }
        }

        /// Adds the fields that may select another representation, except the content codings.
        mutating func addNegotiation(of request: EncodedRequest) {
            let names = ["accept", "accept-charset", "accept-language"]
            for field in request.headers where names.contains(field.name.canonicalName) { message.add(field) }
        }

        /// Adds the request's own `Host` field, which leads to another site of the server.
        mutating func addHost(of request: EncodedRequest) {
            if let host = request.otherHost { message.add("host", [host]) }
        }

        /// Parts that aren't equal to any others, for a request whose response can't be shared.
        var unshared: StorePartition.Parts {
            var parts = self
            parts.add(nil, orElse: ObjectNumber.next())
            return parts
        }

        /// Marks the identity as unknown.
        mutating func addUnknown() { add(.unknown, offersClient: false) }

        fileprivate mutating func add(_ digest: IdentityDigest) { message.add("partition", digest) }
    }
}

extension StorePartition: Redacted {
    /// The number of its identities.
    public var description: String { isAnonymous ? "anonymous" : "\(count) identities" }
}
