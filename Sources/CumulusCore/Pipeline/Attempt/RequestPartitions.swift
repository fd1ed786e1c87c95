// SPDX-License-Identifier: Apache-2.0

/// Determines the user on whose behalf a request is sent, and its route: for stores, and for bodies that consist of the
/// bytes of several responses.
struct RequestPartitions: Sendable {
    /// How long the parts of a partition are compared.
    enum Scope: Sendable {
        /// In several processes, as far as each identity lasts.
        case processes
        /// The same for a partial file: with the fields for negotiation, since no store compares `Vary`, and without the
        /// cookie jar, since the cookies that were sent are compared (``CookieChanges``).
        case partialFile
        /// During one call, in which a cookie jar stays the same even if its file gets a mark.
        case call
        /// In this process, in which an authorizer stays the same, too, even if its token is renewed.
        case process
    }

    private let authorizers: [BoundAuthorizer]
    private let cookieJar: CookieJar?
    private let transport: any Transport
    private let transmission: Transmission
    private let neutral: NeutralHeaders
    /// The header fields of the settings.
    private let headers: Headers

    init(
        _ settings: SettingValues,
        _ transport: any Transport,
        _ transmission: Transmission,
        _ authorization: Authorization
    ) {
        authorizers = authorization.authorizers
        cookieJar = settings.value(CookiesKey.self)
        self.transport = transport
        self.transmission = transmission
        neutral = NeutralHeaders(settings.value(NeutralHeadersKey.self))
        headers = settings.value(HeadersKey.self)
    }

    /// Whether the user may change between two requests of a call.
    var mayChange: Bool { !authorizers.isEmpty }

    /// The user and the route of a request as the interceptors left it, including its header fields.
    ///
    /// `users` are those of the authorizers, by their indices, that have added their credentials.
    func partition(
        of plain: EncodedRequest,
        after redirects: [Response.Redirect],
        for scope: Scope = .processes,
        users: [Int: AuthorizerIdentity?] = [:]
    ) -> StorePartition.Parts {
        // Nothing else changes during a call, and each request to an authorizer's origin pays for this.
        if scope == .call { return authorizers(of: plain, after: redirects, for: scope) }
        var parts = identities(of: plain, after: redirects, for: scope, users: users)
        parts.addFields(of: plain, neutral)
        if scope == .partialFile { parts.addNegotiation(of: plain) }
        return parts
    }

    /// The user whose requests a server's quota counts.
    ///
    /// Of the header fields, only those of the settings count: a call's own fields, such as a signature, differ from
    /// request to request.
    func quotaUser(of plain: EncodedRequest, after redirects: [Response.Redirect]) -> StorePartition.Parts {
        var parts = authorizers(of: plain, after: redirects, for: .process)
        if let cookieJar { parts.addJar(nil, orElse: cookieJar.number) }
        parts.add(transport.identity(at: plain.origin), offersClient: !redirects.haveLeft(plain.origin))
        parts.addFields(of: headers, neutral)
        return parts
    }

    /// The parts of a partition that don't depend on a request's header fields.
    func identities(
        of plain: EncodedRequest,
        after redirects: [Response.Redirect],
        for scope: Scope,
        users: [Int: AuthorizerIdentity?] = [:]
    ) -> StorePartition.Parts {
        var parts = authorizers(of: plain, after: redirects, for: scope, users: users)
        switch scope {
        case .processes: addJar(to: &parts)
        case .partialFile: break
        case .call, .process: if let cookieJar { parts.addJar(nil, orElse: cookieJar.number) }
        }
        // After a redirect to another origin, the transport offers no client certificate.
        parts.add(transport.identity(at: plain.origin), offersClient: !redirects.haveLeft(plain.origin))
        addRoute(of: plain, to: &parts)
        parts.addHost(of: plain)
        return parts
    }

    /// Adds the user of the cookie jar; without cookies, a jar adds nothing to a request.
    private func addJar(to parts: inout StorePartition.Parts) {
        guard let jar = cookieJar, !jar.isEmpty else { return }
        parts.addJar(jar.lastingIdentity, orElse: jar.user)
    }

    /// The parts of the authorizers that serve a request.
    private func authorizers(
        of plain: EncodedRequest,
        after redirects: [Response.Redirect],
        for scope: Scope,
        users: [Int: AuthorizerIdentity?] = [:]
    ) -> StorePartition.Parts {
        var parts = StorePartition.Parts()
        for (index, bound) in authorizers.enumerated() {
            guard bound.serves(plain, after: redirects) || hasServed(bound, redirects) else { continue }
            let identity = users[index] ?? bound.authorizer.identity
            parts.add(scope == .process && identity?.number != nil ? nil : identity, orElse: bound.number)
        }
        return parts
    }

    /// Whether an authorizer has served a request that was redirected, whose response may have set cookies for its user.
    private func hasServed(_ bound: BoundAuthorizer, _ redirects: [Response.Redirect]) -> Bool {
        guard cookieJar != nil else { return false }
        return redirects.indices.contains { bound.serves(redirects[$0].request, after: Array(redirects[..<$0])) }
    }

    /// Adds the parts of a request's route that its settings determine: a proxy that reads it, and the policy for
    /// addresses.
    private func addRoute(of plain: EncodedRequest, to parts: inout StorePartition.Parts) {
        let origin = plain.origin
        if let proxies = transmission.proxies, origin.scheme == .http {
            do throws(ProxyMalformation) {
                if let proxy = try proxies.proxy(for: origin) { parts.add(proxy) }
            } catch {
                parts.addUnknown()
            }
        }
        // A response from an address that the policy forbids must not be found under that policy.
        if !transmission.allowedAddresses.isAny { parts.add(transmission.allowedAddresses) }
    }
}
