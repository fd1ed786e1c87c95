// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusNIO
import Foundation
import FrontDesk
import Hummingbird
import Logging

/// Serves on port 8080 until it is told to stop.
@main struct FrontDeskServer {
    static func main() async throws {
        let environment = ProcessInfo.processInfo.environment
        let users = environment["USERS_URL"] ?? "http://127.0.0.1:8081"
        let posts = environment["POSTS_URL"] ?? "http://127.0.0.1:8082"
        // Connections are closed in order when the server has ended.
        try await NIOTransport.withTransport { transport in
            let desk = FrontDesk(
                users: Resource(users, transport: transport),
                posts: Resource(posts, transport: transport)
            )
            let server = Application(
                router: desk.router(),
                configuration: .init(address: .hostname("127.0.0.1", port: 8080)),
                logger: Logger(label: "front-desk")
            )
            try await server.runService()
        }
    }
}
