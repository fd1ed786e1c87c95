// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusNIO

func scoped() async throws {
    // snippet.scoped
    var configuration = NIOTransport.Configuration()
    configuration.maximumConnectionsPerOrigin = 8
    configuration.tls.minimumVersion = .tls13

    let text = try await NIOTransport.withTransport(configuration) { transport in
        let site = Resource("https://api.example.com", transport: transport)
        return try await site["motto"].get(as: String.self)
    }  // returns when its last exchange is over and its connections are closed
    // snippet.end
    _ = text
}

func owned() async throws {
    // snippet.owned
    let transport = NIOTransport()
    let site = Resource("https://api.example.com", transport: transport)
    _ = try await site.get()
    await transport.shutdown()  // or .immediate, which ends exchanges that are running
    // snippet.end
}

func onTheLoop(transport: NIOTransport, users: Resource) async throws {
    // snippet.executor
    let names = try await withTaskExecutorPreference(transport.executor) {
        try await withThrowingTaskGroup(of: String.self) { group in
            for id in 1...500 {
                group.addTask { try await users[id]["name"].get(as: String.self) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
    // snippet.end
    _ = names
}

func trust(pem: [UInt8]) {
    // snippet.trust
    var configuration = NIOTransport.Configuration()
    configuration.tls.trustRoots = .pem(pem)  // these roots and no others
    // snippet.end
    _ = configuration
}
