// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusNIO
import Foundation
import FrontDesk
import Hummingbird
import Logging

/// Serves on port 8080 until the process gets SIGTERM or SIGINT.
@main struct FrontDeskServer {
    static func main() async throws {
        let environment = ProcessInfo.processInfo.environment
        let users = environment["USERS_URL"] ?? "http://127.0.0.1:8081"
        let posts = environment["POSTS_URL"] ?? "http://127.0.0.1:8082"
        // A program with backends bootstraps them here: LoggingSystem, MetricsSystem, InstrumentationSystem.
        // snippet.main
        let transport = NIOTransport()
        let desk = FrontDesk(
            users: Resource(users, transport: transport),
            posts: Resource(posts, transport: transport),
            endTransport: { await transport.shutdown() }
        )
        let server = Application(
            router: desk.router(),
            configuration: .init(address: .hostname("127.0.0.1", port: 8080)),
            services: desk.services,
            logger: Logger(label: "front-desk")
        )
        try await server.runService()
        // snippet.end
    }
}
