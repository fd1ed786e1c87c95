// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// The events of servers that we did not write: sse-starlette and Node's `http`, directly and behind nginx.
@Suite(
    .serialized,
    .timeLimit(.minutes(5)),
    .enabled(if: InteropServers.events != nil, "\(InteropServers.reason)")
)
struct EventTests {
    enum EventServer: String, CaseIterable, Sendable {
        case starlette = "CUMULUS_INTEROP_EVENTS"
        case node = "CUMULUS_INTEROP_EVENTS_NODE"
        /// Both through nginx, which passes on each piece.
        case nginx = "CUMULUS_INTEROP_EVENTS_NGINX"
        /// The same with `proxy_buffering`, so that events arrive late.
        case buffered = "CUMULUS_INTEROP_EVENTS_BUFFERED"

        static let prompt = [starlette, node, nginx]
        static let direct = [starlette, node]

        func site(_ transport: any Transport) throws -> Resource {
            let site = Resource(try #require(InteropServers.variable(rawValue)), transport: transport)
            // The server's `retry` field alone is waited for.
            site.setRules { $0.retry = RetryPolicy(backoff: RetryBackoff(jitter: { 0 })) }
            return site
        }

        /// The number of open streams, once it is the wanted one.
        func waitForStreams(_ count: Int, _ transport: any Transport) async throws {
            while try await site(transport)["open"].get(as: Int.self) != count {
                // Another process has no signal for it.
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    struct Delta: Codable, Sendable { var text, note: String }
    struct Usage: Codable, Sendable { var words: Int }
    struct Number: Codable, Sendable { var n: Int }

    @Test(arguments: InteropTransport.allCases, EventServer.allCases)
    func replyIsReadToItsEnd(transport: InteropTransport, server: EventServer) async throws {
        let question = (1...200).map { "word\($0)" }.joined(separator: " ")
        let call = try server.site(transport.transport)["chat"].call(.post, body: ["question": question])
        var text = ""
        for try await delta in call.events(as: Delta.self, types: ["message"], until: "[DONE]") {
            text += delta.text
            #expect(delta.note == "Zürich\nnew line")
        }
        #expect(text == question + " ")
        var usage: [Int] = []
        for try await (value, event) in call.events(as: Usage.self, types: ["usage"], until: "[DONE]").withMetadata {
            #expect(event.type == "usage")
            usage.append(value.words)
        }
        #expect(usage == [200])
    }

    @Test(arguments: InteropTransport.allCases, EventServer.prompt)
    func eventArrivesBeforeTheNextIsSent(transport: InteropTransport, server: EventServer) async throws {
        let gate = try server.site(transport.transport)["gate"]
        var data: [String] = []
        for try await event in gate.call(.get).events(reconnect: .never) {
            data.append(event.data)
            if event.data == "before" { try await gate.post().requireSuccess() }
        }
        #expect(data == ["before", "behind"])
    }

    @Test(arguments: InteropTransport.allCases, EventServer.prompt)
    func streamContinuesAfterItsLastIDUntil204(transport: InteropTransport, server: EventServer) async throws {
        let feed = try server.site(transport.transport)["feed"]
        let states = States()
        var ids: [String?] = []
        for try await (value, event) in feed.call(.get, query: ["last": 5]).events(as: Number.self)
            .onStateChange(states.note).withMetadata
        {
            #expect(event.id == "\(value.n)")
            ids.append(event.id)
        }
        #expect(ids == ["1", "2", "3", "4", "5"])
        #expect(states.all == ["connecting", "open", "waiting", "connecting", "closed noContent"])
    }

    @Test(arguments: InteropTransport.allCases, EventServer.direct)
    func streamSurvivesRestartsOfItsServer(transport: InteropTransport, server: EventServer) async throws {
        let programs = RestartedServer.programs
        let python = InteropServers.python ?? "python3"
        let own = try RestartedServer(
            slot: server == .node ? 0 : 1,
            server == .node
                ? ["node", "\(programs)/events.js", "PORT"] : [python, "\(programs)/events_asgi.py", "PORT"]
        )
        try await own.waitUntilReady(at: "open", over: transport)
        let feed = Resource("\(own.url)/feed", transport: transport.transport)
        feed.setRules { $0.retry = RetryPolicy(backoff: RetryBackoff(jitter: { 0.1 }), budget: nil) }
        var numbers: [Int] = []
        for try await number in feed.events(as: Number.self) {
            numbers.append(number.n)
            if numbers.count == 20 || numbers.count == 30 {
                own.kill()
                try own.start()
            }
            if numbers.count == 40 { break }
        }
        #expect(numbers == Array(1...40))
    }

    @Test(arguments: InteropTransport.allCases, EventServer.direct)
    func silentServerIsLeft(transport: InteropTransport, server: EventServer) async throws {
        let states = States()
        var data: [String] = []
        let call = try server.site(transport.transport)["silent"].call(.get)
        for try await event in call.events(heartbeat: .milliseconds(300)).onStateChange(states.note) {
            data.append(event.data)
            if data.count == 2 { break }
        }
        #expect(data == ["one", "one"])
        #expect(states.all == ["connecting", "open", "waiting timeout", "connecting", "open", "closed cancelled"])
    }

    @Test func commentsKeepAStreamOpen() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for transport in InteropTransport.allCases {
                for server in EventServer.prompt {
                    let call = try server.site(transport.transport)["silent"].call(.get, query: ["beat": 1])
                    group.addTask {
                        let states = States()
                        var data: [String] = []
                        // The second event is sent after 2 s, and a comment each 0.2 s.
                        for try await event in call.events(heartbeat: .milliseconds(1_500)).onStateChange(states.note) {
                            data.append(event.data)
                            if data.count == 2 { break }
                        }
                        #expect(data == ["one", "two"] && states.all.prefix(2) == ["connecting", "open"])
                        #expect(states.all.count == 3, "\(transport), \(server): \(states.all)")
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test(arguments: InteropTransport.allCases, EventServer.direct)
    func leavingAStreamFreesItsConnection(transport: InteropTransport, server: EventServer) async throws {
        try await server.waitForStreams(0, transport.transport)
        let feed = try server.site(transport.transport)["feed"]
        for try await _ in feed.events() { break }
        try await server.waitForStreams(0, transport.transport)
        let reader = Task { for try await _ in feed.events() {} }
        try await server.waitForStreams(1, transport.transport)
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
        try await server.waitForStreams(0, transport.transport)
    }

    /// Opens streams, and reads the first event of each.
    private func opened(_ count: Int, of feed: Resource) async throws -> [EventStream<Number>] {
        try await withThrowingTaskGroup(of: EventStream<Number>.self) { group in
            for _ in 0..<count {
                group.addTask {
                    let stream = feed.call(.get, query: ["pause": 0.5]).events(as: Number.self)
                    let number = try await stream.first { _ in true }
                    #expect(number?.n == 1)
                    return stream
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test(arguments: EventServer.direct)
    func aThousandStreamsAreReadAtOnce(server: EventServer) async throws {
        try await server.waitForStreams(0, InteropTransport.nio.transport)
        var limit = rlimit()
        #if canImport(Glibc)
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let files = RLIMIT_NOFILE
        #endif
        getrlimit(files, &limit)
        limit.rlim_cur = min(limit.rlim_max, 8_192)
        setrlimit(files, &limit)
        var configuration = NIOTransport.Configuration()
        configuration.maximumConnectionsPerOrigin = 1_100
        let transport = NIOTransport(configuration: configuration)
        let feed = try server.site(transport)["feed"]
        do {
            let streams = try await opened(1_000, of: feed)
            try await server.waitForStreams(1_000, transport)
            try await withThrowingTaskGroup(of: Int?.self) { group in
                for stream in streams { group.addTask { try await stream.first { _ in true }?.n } }
                for try await number in group { #expect(number == 2) }
            }
            withExtendedLifetime(streams) {}
        }
        try await server.waitForStreams(0, transport)
        await transport.shutdown(.immediate)
    }
}

extension EventTests {
    /// The states of a stream, in words.
    final class States: Sendable {
        private let words = Mutex<[String]>([])

        var all: [String] { words.withLock(\.self) }

        @Sendable func note(_ state: EventStreamState) {
            let word =
                switch state {
                case .connecting: "connecting"
                case .open: "open"
                case .waiting(_, let error): "waiting\((error as? CumulusError).map { " \($0.code)" } ?? "")"
                case .closed(let reason): "closed \(reason)"
                }
            words.withLock { $0.append(word) }
        }
    }
}
