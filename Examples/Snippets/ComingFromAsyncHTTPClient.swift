// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusNIO
import Foundation
import Logging

func callsRequests(posts: Resource, bytes: [UInt8], chunks: AsyncStream<[UInt8]>, url: String) async throws {
    _ = try await REST[url].get()
    posts.setRules { $0.deadline = .seconds(30) }
    _ = try await posts.post(.bytes(bytes))
    _ = try await posts.post(.stream(chunks))
    _ = try await posts.get(headers: [.accept: "text/plain"])
    posts.setRules { $0.maxBodySize = 1 << 20 }
    for try await chunk in try await posts.call(.get).stream() { print(chunk.count) }
    _ = try await posts.get().status == .ok
    _ = try await posts.get(as: Post.self)
    _ = try await posts["big.iso"].download(to: .file("/tmp/big.iso"))
    posts.setRules { $0.credentials = Credentials(user: "ada", password: "...") }
}

func callsTheClient(posts: Resource, logger: Logger, pem: [UInt8]) async throws {
    var configuration = NIOTransport.Configuration()
    configuration.maximumConnectionsPerOrigin = 8
    configuration.idleLifetime = .seconds(60)
    configuration.tls.trustRoots = .pem(pem)
    configuration.addresses["api.example.com"] = ["10.0.0.7"]
    configuration.unixSocketPath = "/var/run/docker.sock"
    let transport = NIOTransport(configuration: configuration)
    let site = Resource("https://api.example.com", transport: transport) {
        $0.redirects = .none
        $0.connectTimeout = .seconds(3)
        $0.timeout = .seconds(20)
    }
    let policy = try ProxyPolicy.url("http://proxy:3128")
    site.setRules { $0.proxy = policy }
    site.setRules {
        $0.httpVersion = .http1
        $0.contentCodings = [.gzip, .deflate]
        $0.logger = logger
    }
    _ = try await withTaskExecutorPreference(transport.executor) { try await site.get() }
    await transport.shutdown(.immediate)
}
