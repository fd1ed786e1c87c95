// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// The proxy that requests use: none, one for all requests, or one for each scheme, except for some hosts.
///
/// ```swift
/// let proxy = try ProxyPolicy.url("http://ada:secret@proxy.example:3128", except: "localhost", "10.0.0.0/8")
/// site.setRules { $0.proxy = proxy }
/// site.setRules { $0.proxy = .environment }
/// site.setRules { $0.proxy = .none }
/// ```
public struct ProxyPolicy: Sendable, Hashable {
    private enum Choice: Hashable {
        case direct
        case proxy(Proxy)
        case malformed(ProxyMalformation)

        var proxy: Proxy? { if case .proxy(let proxy) = self { proxy } else { nil } }
    }

    private var http: Choice
    private var https: Choice
    private let exceptions: ProxyExceptions
    /// The entries of the environment's `no_proxy` that are not hosts, addresses or networks; they are omitted.
    public private(set) var unreadableExceptions: [String] = []

    /// No proxy: every origin is reached directly.
    public static let none = ProxyPolicy(http: nil, https: nil)

    /// Creates a policy that chooses a proxy by the URL's scheme.
    ///
    /// - Parameters:
    ///   - http: The proxy for http; `nil` connects directly.
    ///   - https: The proxy for https; `nil` connects directly.
    ///   - exceptions: The hosts that are reached directly; none by default.
    public init(http: Proxy?, https: Proxy?, except exceptions: ProxyExceptions = .none) {
        self.http = http.map { .proxy($0) } ?? .direct
        self.https = https.map { .proxy($0) } ?? .direct
        self.exceptions = exceptions
    }

    /// Returns a policy that uses one proxy for all requests.
    ///
    /// - Parameters:
    ///   - proxy: The proxy.
    ///   - exceptions: The hosts that are reached directly; none by default.
    /// - Returns: The policy.
    public static func by(_ proxy: Proxy, except exceptions: ProxyExceptions = .none) -> ProxyPolicy {
        ProxyPolicy(http: proxy, https: proxy, except: exceptions)
    }

    /// Returns a policy that uses one proxy for all requests, specified by its URL.
    ///
    /// - Parameters:
    ///   - url: The URL, in the format of ``Proxy/init(_:)``.
    ///   - exceptions: Entries in the format of ``ProxyExceptions``; none by default.
    /// - Returns: The policy.
    /// - Throws: ``ProxyMalformation``.
    public static func url(_ url: String, except exceptions: String...) throws(ProxyMalformation) -> ProxyPolicy {
        .by(try Proxy(url), except: try ProxyExceptions(exceptions.joined(separator: ",")))
    }

    /// Reads the environment.
    init(
        http: Result<Proxy, ProxyMalformation>?,
        https: Result<Proxy, ProxyMalformation>?,
        except exceptions: ProxyExceptions,
        leavingOut others: [String] = []
    ) {
        func choice(_ result: Result<Proxy, ProxyMalformation>?) -> Choice {
            switch result {
            case .success(let proxy)?: .proxy(proxy)
            case .failure(let malformation)?: .malformed(malformation)
            case nil: .direct
            }
        }
        self.http = choice(http)
        self.https = choice(https)
        self.exceptions = exceptions
        unreadableExceptions = others.map { PeerText.printable($0) }
    }

    /// Whether no request uses a proxy.
    public var isNone: Bool { http == .direct && https == .direct }

    /// Returns the proxy for an origin; `nil` connects directly.
    ///
    /// - Throws: ``ProxyMalformation`` if the proxy depends on an invalid string.
    public func proxy(for origin: Origin) throws(ProxyMalformation) -> Proxy? {
        let choice = origin.scheme == .http ? http : https
        if choice == .direct || exceptions.contains(origin) { return nil }
        if case .malformed(let malformation) = choice { throw malformation }
        return choice.proxy
    }

    /// The same policy with other credentials for each of its proxies.
    ///
    /// - Throws: ``ProxyMalformation`` for credentials that a proxy's scheme can't carry.
    package func authenticated(by credentials: Credentials) throws(ProxyMalformation) -> ProxyPolicy {
        var policy = self
        for choice in [\ProxyPolicy.http, \.https] {
            guard let proxy = self[keyPath: choice].proxy else { continue }
            policy[keyPath: choice] = .proxy(
                try Proxy(proxy.scheme, host: proxy.host, port: proxy.port, credentials: credentials)
            )
        }
        return policy
    }

    /// The same policy with other exceptions.
    package func excepting(_ exceptions: ProxyExceptions) -> ProxyPolicy {
        func result(_ choice: Choice) -> Result<Proxy, ProxyMalformation>? {
            switch choice {
            case .direct: nil
            case .proxy(let proxy): .success(proxy)
            case .malformed(let malformation): .failure(malformation)
            }
        }
        return ProxyPolicy(http: result(http), https: result(https), except: exceptions)
    }
}

extension ProxyPolicy: Redacted {
    /// The proxies without their credentials, and the exceptions.
    public var description: String {
        if isNone { return "none" }
        func text(_ choice: Choice) -> String {
            switch choice {
            case .direct: "none"
            case .proxy(let proxy): "\(proxy)"
            case .malformed(let malformation): "unusable (\(malformation))"
            }
        }
        let ways = http == https ? text(http) : "\(text(http)) for http, \(text(https)) for https"
        let others =
            unreadableExceptions.isEmpty ? "" : " (unreadable: \(unreadableExceptions.joined(separator: ", ")))"
        return exceptions.isEmpty && others.isEmpty ? ways : "\(ways), except \(exceptions)\(others)"
    }
}

extension ProxyPolicy {
    /// Whether the connection to an origin can't be intercepted: it uses TLS, or stays on this machine without a proxy.
    ///
    /// Through a proxy, plain HTTP leaves this machine unencrypted, and `localhost` is the proxy's own machine.
    public func isConfidential(to origin: Origin) -> Bool {
        if origin.scheme == .https || isNone || !origin.isLoopback { return origin.isConfidential }
        do throws(ProxyMalformation) {
            return try proxy(for: origin) == nil
        } catch {
            // No request is sent there at all.
            return false
        }
    }
}
