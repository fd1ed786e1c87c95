// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusNIO
import Logging

// snippet.client
/// The services that a server's handlers share: made once, at the start.
struct Backends: Sendable {
    let users: Resource
    let search: Resource

    init(transport: some Transport, logger: Logger) {
        users = Resource("https://users.internal.example", transport: transport)
        users.setRules {
            $0.deadline = .seconds(2)  // for a call, including its retries
            $0.maxConcurrentRequests = 64
            $0.logger = logger
        }
        search = Resource("https://search.internal.example", transport: transport)
        search.setRules {
            $0.deadline = .milliseconds(500)
            $0.maxConcurrentRequests = 64
            $0.logger = logger
        }
    }
}
// snippet.end

struct Profile: Codable, Sendable {
    var name: String
    var hits: Int
}

// snippet.handler
/// Two concurrent calls, which end with the task that handles the request.
func profile(of id: String, _ backends: Backends, requestID: String) async throws -> Profile {
    let users = backends.users.with { $0.headers["X-Request-ID"] = requestID }
    async let name = users["users/\(id)/name"].get(as: String.self)
    async let hits = backends.search["count"].get(as: Int.self, query: ["owner": id])
    return try await Profile(name: name, hits: hits)
}
// snippet.end

func logging(_ request: IncomingRequest, _ backends: Backends) -> Resource {
    // snippet.logger
    let users = backends.users.with { $0.logger = request.logger }
    // snippet.end
    return users
}

/// A request as a server's framework has it.
struct IncomingRequest: Sendable {
    let logger: Logger
}

// snippet.life
func serve(_ logger: Logger, _ run: (Backends) async throws -> Void) async throws {
    var configuration = NIOTransport.Configuration()
    configuration.maximumConnectionsPerOrigin = 32
    try await NIOTransport.withTransport(configuration) { transport in
        try await run(Backends(transport: transport, logger: logger))
    }  // running exchanges have ended, connections are closed
}
// snippet.end

// snippet.strangers
/// Fetches a user's URL: addresses in your own network are refused, even after redirects.
func preview(of link: String, _ transport: some Transport) async throws -> String {
    let page = Resource(link, transport: transport)
    page.setRules {
        $0.allowedAddresses = .publicOnly
        $0.maxBodySize = 1 << 20
        $0.deadline = .seconds(5)
        $0.minimumRate = MinimumRate(bytesPerSecond: 1_000)
    }
    return try await page.get(as: String.self)
}
// snippet.end
