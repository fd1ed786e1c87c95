// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusNIO

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where connections go if the settings differ from the URL.
@Suite(.timeLimit(.minutes(10))) struct RouteTests {
    private func greet(_ routes: inout Routes) {
        routes.get("/") { request in
            let host = HTTPField.Name("Host").flatMap { request.headers[$0] }
            return .text("\(host ?? "nobody") \(request.connection)")
        }
    }

    @Test func speaksThroughAUnixDomainSocket() async throws {
        var settings = LoopbackServer.Configuration()
        let path = "/tmp/cumulus-\(UUID().uuidString.prefix(8)).socket"
        settings.unixSocketPath = path
        let server = try await LoopbackServer.start(configuration: settings, routes: greet)
        var configuration = NIOTransport.Configuration()
        configuration.unixSocketPath = path
        try await withTransport(server, configuration) { transport in
            let site = Resource("http://docker/", transport: transport.watched)
            for isReused in [false, true] {
                let response = try await site.get()
                #expect(response.text == "docker 1")
                #expect(response.facts.isReused == isReused)
            }
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test(arguments: ["/tmp/cumulus-nobody-listens.socket", "/tmp/" + String(repeating: "long", count: 60)])
    func aSocketThatCannotBeUsedIsAConnectFailure(_ path: String) async throws {
        var configuration = NIOTransport.Configuration()
        configuration.unixSocketPath = path
        let transport = NIOTransport(configuration: configuration)
        let failure = await transport.failure(TransportRequest(origin: Origin(scheme: .http, host: "docker")))
        #expect(failure?.kind == .connect, "\(String(describing: failure))")
        await transport.shutdown()
    }

    @Test func goesToTheAddressThatIsGivenForAHost() async throws {
        let server = try await LoopbackServer.start(routes: greet)
        var configuration = NIOTransport.Configuration()
        configuration.addresses["nowhere.invalid"] = ["127.0.0.1"]
        try await withTransport(server, configuration) { transport in
            let request = server.request(host: "Nowhere.Invalid")
            try await transport.check(request, answers: "nowhere.invalid:\(server.port) 1")
            let other = await transport.failure(server.request(host: "elsewhere.invalid"))
            #expect(other?.kind == .lookup)
        }
    }

    @Test(arguments: [["nonsense"], []])
    func addressesThatAreNoneAreALookUpFailure(_ addresses: [String]) async throws {
        var configuration = NIOTransport.Configuration()
        configuration.addresses["nowhere.invalid"] = addresses
        let transport = NIOTransport(configuration: configuration)
        let failure = await transport.failure(TransportRequest(origin: Origin(scheme: .http, host: "nowhere.invalid")))
        #expect(failure?.kind == .lookup, "\(String(describing: failure))")
        await transport.shutdown()
    }

    @Test func anAddressThatRefusesLeavesTheTurnToTheNext() async throws {
        let server = try await LoopbackServer.start(routes: greet)
        var configuration = NIOTransport.Configuration()
        configuration.addresses["both.invalid"] = ["::1", "127.0.0.1"]
        try await withTransport(server, configuration) { transport in
            let answer = try await transport.exchange(server.request(host: "both.invalid"))
            #expect(answer.facts.remoteAddress == "127.0.0.1:\(server.port)")
        }
    }

    #if os(Linux)
    @Test("RFC 8305: an unresponsive address delays the next by a quarter of a second, not until its time limit")
    func anAddressThatDoesNotAnswerDelaysTheNextALittle() async throws {
        let server = try await LoopbackServer.start(routes: greet)
        // All of 127.0.0.0/8 is this machine, on Linux.
        let silent = try await UnansweredPort.open(address: "127.0.0.2", port: server.port)
        var configuration = NIOTransport.Configuration()
        configuration.connectTimeout = .seconds(600)
        configuration.addresses["slow.invalid"] = ["127.0.0.2", "127.0.0.1"]
        try await withTransport(server, configuration) { transport in
            let answer = try await transport.exchange(server.request(host: "slow.invalid"))
            #expect(answer.facts.remoteAddress == "127.0.0.1:\(server.port)")
            let connecting = try #require(answer.facts.phases.connect)
            #expect(connecting >= .milliseconds(200) && connecting < .seconds(300), "\(connecting)")
            // The attempt that lost has ended.
            try await transport.waitForConnections(all: 1, idle: 1)
        }
        silent.shutdown()
    }
    #endif
}
