// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import CumulusPrimitives

/// How the servers of any origin are connected to and verified: by the command line, and by the configuration's blocks
/// for that origin.
///
/// A class, so that plans share it.
final class OriginConnections: Sendable {
    /// How the servers of one origin are connected to.
    struct Connection: Sendable {
        var configuration: NIOTransport.Configuration
        /// What the user should know before it is used.
        var notices: [String] = []
    }

    private let arguments: Arguments
    private let surroundings: Surroundings
    private let configuration: Configuration
    /// The origins of the command line's URLs, whose plans have notices and certificates of their own.
    let named: Set<Origin>
    /// The blocks' settings for connections, as text, so that what is stored under others isn't used.
    let fingerprint: Secret<String>

    /// `nil` if no block is about the connections to hosts: then all origins are treated alike.
    init?(
        _ arguments: Arguments,
        in surroundings: Surroundings,
        filledBy configuration: Configuration,
        to named: Origin
    ) {
        let settings = configuration.files.flatMap { file in file.hosts.flatMap(\.block.settings) }
        let own = settings.filter { $0.option?.roles.contains(.perHost) == true }
        if own.isEmpty { return nil }
        fingerprint = Secret(own.map { "\($0.block) \($0.name) \($0.value.content)" }.joined(separator: "\n"))
        self.arguments = arguments
        self.surroundings = surroundings
        self.configuration = configuration
        self.named = [named]
    }

    private init(_ one: OriginConnections, named: Set<Origin>) {
        arguments = one.arguments
        surroundings = one.surroundings
        configuration = one.configuration
        fingerprint = one.fingerprint
        self.named = named
    }

    /// The same, with the URLs of another plan of the same command line.
    func joined(_ other: OriginConnections) -> OriginConnections {
        OriginConnections(self, named: named.union(other.named))
    }

    /// Whether everything goes to a Unix domain socket.
    var haveOneSocket: Bool { arguments.unixSocket != nil }

    /// How an origin's servers are connected to.
    ///
    /// - Throws: ``UsageMistake`` with the place of an unusable setting.
    func connection(to origin: Origin) throws(UsageMistake) -> Connection {
        var bare = arguments
        // For the command line's own URLs, and their plans have it.
        (bare.cert, bare.certKey, bare.certPass) = (nil, nil, nil)
        let settings = try configuration.block(for: origin, profile: arguments.profile).settings
        let isIdentified = !named.contains(origin) && settings.contains { $0.name == "cert" && $0.isOfHost }
        var configured = bare
        for setting in settings where setting.option?.roles.contains(.perHost) == true {
            if !isIdentified, ["cert", "cert-key"].contains(setting.name) { continue }
            try configured.apply(setting)
        }
        var connection = Connection(configuration: try route(to: origin, by: configured))
        if let identity = connection.configuration.tls.identities[origin], identity.isLocked {
            throw configured.lockedKey
        }
        for setting in configured.settings where setting.loosensSecurity && !named.contains(origin) {
            connection.notices.append(
                "\(origin): the server's certificate is NOT checked: \(setting.name) is set in \(setting.place)"
            )
        }
        return connection
    }

    private func route(
        to origin: Origin,
        by configured: Arguments
    ) throws(UsageMistake) -> NIOTransport.Configuration {
        try configured.locatingMistakes { (options) throws(UsageMistake) in
            let route = try RouteParser(options, in: surroundings).route(to: origin)
            let verification = try VerificationParser(options, in: surroundings).verification(of: origin)
            return route.verifying(verification, warns: arguments.quiet > 1)
        }
    }
}

extension NIOTransport.Configuration {
    /// The same with servers verified; `warns`: whether the library warns if they are not, instead of the command.
    func verifying(_ verification: Plan.Verification, warns: Bool) -> Self {
        var configuration = self
        switch verification {
        // Without TLS, or read by the transport.
        case .system, .environment: break
        case .none:
            configuration.tls.verification = .none
            configuration.tls.warnsOfMissingVerification = warns
        case .authority(let roots): configuration.tls.trustRoots = .pem(roots)
        }
        return configuration
    }
}

extension Plan {
    /// Makes the connections of this plan also those of another one of the same command line.
    mutating func share(with other: Plan) {
        route.tls.identities.merge(other.route.tls.identities) { one, _ in one }
        if let name = other.identity?.secretName { otherSecretNames.insert(name) }
        if let others = other.connections { connections = connections?.joined(others) }
    }
}
