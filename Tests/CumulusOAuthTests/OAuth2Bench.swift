// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusOAuth
import CumulusTestServer
import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport

/// A service that requires tokens, the server that issues them, and a clock that a test controls.
struct OAuth2Bench {
    /// Holds back answers of the token endpoint.
    final class Brake: Sendable {
        private let gate = Mutex<Gate?>(nil)

        var current: Gate? {
            get { gate.withLock(\.self) }
            set { gate.withLock { $0 = newValue } }
        }
    }

    /// The events of an authorizer.
    final class Events: Sendable {
        private let told = Mutex<[OAuth2Event]>([])

        func add(_ event: OAuth2Event) { told.withLock { $0.append(event) } }

        var names: [String] {
            told.withLock(\.self).map { event in
                switch event {
                case .renewed: "renewed"
                case .notStored: "notStored"
                case .ended: "ended"
                }
            }
        }
    }

    let service: OAuth2Service
    let clock = ManualClock()
    let brake = Brake()
    /// Holds back answers of the service.
    let serviceBrake = Brake()
    let events = Events()
    let transport: StubTransport
    let site: Resource
    /// Always the same numbers, so that tokens are renewed at the same time.
    let options: OAuth2Options

    /// The token endpoint of the bench's server.
    static let tokens = "https://id.example.com/oauth/token"

    static let server = OAuth2Server.endpoints(
        tokens: tokens,
        authorization: "https://id.example.com/oauth/authorize",
        device: "https://id.example.com/oauth/device",
        revocation: "https://id.example.com/oauth/revoke"
    )

    init(_ configuration: OAuth2Service.Configuration = .init(), scope: String? = nil) {
        let service = OAuth2Service(configuration)
        let (brake, serviceBrake) = (brake, serviceBrake)
        self.service = service
        options = OAuth2Options(scope: scope, random: { UInt64.max })
        transport = StubTransport { routes in
            routes.on(.post, "/oauth/token") { request in
                let answer = service.respond(to: request)
                try await brake.current?.wait()
                return answer
            }
            service.install(in: &routes)
            routes.on(nil, "/open") { request in .text(request.headers[.authorization] ?? "none") }
            routes.on(nil, "*") { request in
                try await serviceBrake.current?.wait()
                guard service.accepts(request.headers[.authorization]) else {
                    return .response(.unauthorized, headers: [.wwwAuthenticate: "Bearer error=\"invalid_token\""])
                }
                return .text(request.headers[.authorization] ?? "")
            }
        }
        site = Resource("https://api.example.com", transport: transport.watched)
        site.setRules { $0.clock = clock }
    }

    func authorizer(
        _ grant: OAuth2Grant = .clientCredentials(id: "atlas", secret: "s3cret"),
        server: OAuth2Server = OAuth2Bench.server,
        store: any TokenStore = MemoryTokenStore()
    ) -> OAuth2Authorizer {
        OAuth2Authorizer(grant, server: server, options: options, store: store) { [events] in events.add($0) }
    }

    static let password = OAuth2Grant.password(user: "ada", "lovelace", client: "cli")

    /// The requests to the token endpoint.
    var tokenRequests: [StubRequest] { transport.requests.filter { $0.path == "/oauth/token" } }

    /// The requests to the service.
    var serviceRequests: [StubRequest] { transport.requests.filter { $0.request.origin.host == "api.example.com" } }
}
