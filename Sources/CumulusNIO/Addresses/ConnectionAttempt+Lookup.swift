// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import NIOCore
import NIOPosix

/// The look-up of the peer, and tunnels whose target is checked: the proxy gets an address, so that it looks nothing up.
extension ConnectionAttempt {
    /// The resolver for a peer; `nil` is the system's.
    func resolver(for peer: Origin) throws -> (any Resolver & Sendable)? {
        let family = engine.configuration.addressFamily
        if family != .any, engine.configuration.unixSocketPath == nil, let address = IPAddress(peer.host),
            (address.width == 32) != (family == .ipv4)
        {
            throw FamilyResolver.OtherFamily(family: family)
        }
        if let texts = engine.configuration.knownAddresses(of: peer) {
            return try GivenAddresses(texts, of: family, port: peer.port, eventLoop: engine.eventLoop)
        }
        if let function = engine.configuration.resolver {
            let resolver = CustomResolver(function, family: family, on: engine.eventLoop)
            customResolver = resolver
            return resolver
        }
        return family == .any ? nil : FamilyResolver(family: family, eventLoop: engine.eventLoop)
    }

    /// Looks up and checks the tunnel's target; then connects to the proxy.
    func lookUpTarget(allowedBy policy: AddressPolicy) {
        let origin = slot.origin
        let lookup: EventLoopFuture<[IPAddress]>
        if let given = engine.configuration.knownAddresses(of: origin) {
            // Entries that are not addresses are left out; none may remain.
            lookup = engine.eventLoop.makeSucceededFuture(given.compactMap { IPAddress($0) })
        } else if let function = engine.configuration.resolver {
            let resolver = CustomResolver(function, family: .any, on: engine.eventLoop)
            customResolver = resolver
            lookup = resolver.addresses(of: origin.host)
        } else {
            lookup = HostLookup.addresses(of: origin.host, on: engine.eventLoop)
        }
        // Not immediately: the engine is still recording the waiters of this attempt.
        lookup.whenComplete { result in self.engine.eventLoop.execute { self.lookedUp(result, policy) } }
    }

    private func lookedUp(_ result: Result<[IPAddress], any Error>, _ policy: AddressPolicy) {
        if isOver { return }
        switch result {
        case .failure(let error): fail(.lookingUp(slot.origin, error))
        case .success(let addresses):
            do throws(TransportFailure) {
                target = try slot.key.route.target(among: addresses, for: slot.origin, allowedBy: policy)
                connect()
            } catch {
                fail(error)
            }
        }
    }
}

extension NIOTransport.Configuration {
    /// The addresses of a peer that need no look-up: the configured ones, and those of this machine's own names.
    fileprivate func knownAddresses(of peer: Origin) -> [String]? {
        // A name server doesn't decide where they lead, and files of hosts often lack `::1`.
        if let addresses = addresses(of: peer) { return addresses }
        let name = peer.host.ends(with: ".") ? String(peer.host.dropLast()) : peer.host
        return name == "localhost" || name.ends(with: ".localhost") ? ["127.0.0.1", "::1"] : nil
    }
}

extension Route {
    /// The policy to check the tunnel's target against before requesting the tunnel; `nil` if the proxy may look it up,
    /// or if it is an address, which was checked with the request.
    func targetPolicy(for origin: Origin) -> AddressPolicy? {
        guard case .proxy(_, let policy) = self, !policy.isAny, tunnels(to: origin), IPAddress(origin.host) == nil,
            !policy.allows(origin)
        else { return nil }
        return policy
    }

    /// The address of the proxy's target.
    func target(
        among addresses: [IPAddress],
        for origin: Origin,
        allowedBy policy: AddressPolicy
    ) throws(TransportFailure) -> IPAddress {
        var refusals: [AddressRefusal] = []
        var allowed: [IPAddress] = []
        for address in addresses {
            if let refusal = policy.refusal(of: address, for: origin) {
                refusals.append(refusal)
            } else {
                allowed.append(address)
            }
        }
        // Whether the proxy has IPv6 isn't known.
        if let address = allowed.first(where: { $0.width == 32 }) { return address }
        if let address = allowed.first {
            if proxy?.scheme == .socks4a { throw .noIPv6(of: origin) }
            return address
        }
        throw .forbidden(refusals) ?? .lookingUp(origin, HostLookup.UnknownHost(code: 0))
    }
}
