// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import CumulusNIO

/// The receiver of a browser's redirect after sign-in.
@Suite(.timeLimit(.minutes(10))) struct LoopbackReceiverTests {
    private func reader() -> RedirectReader { RedirectReader(path: "/callback", authority: "127.0.0.1:7000") }

    private func result(_ text: String) -> RedirectReader.ReadResult {
        var reader = reader()
        return reader.read(Array(text.utf8))
    }

    @Test func aBrowsersRequestIsReadAtEveryByteBoundary() {
        let bytes = Array("GET /callback?code=a%20b&state=s HTTP/1.1\r\nHost: 127.0.0.1:7000\r\nA: b\r\n\r\n".utf8)
        for cut in 0...bytes.count {
            var reader = reader()
            let first = reader.read(bytes[..<cut])
            let result = first == .more ? reader.read(bytes[cut...]) : first
            guard case .redirect(let query) = result else {
                Issue.record("\(result) at \(cut)")
                return
            }
            #expect(query.values(of: "code").map(\.string) == ["a b"])
        }
    }

    @Test(
        "a request that is not a redirect to this address is refused",
        arguments: [
            ("POST /callback HTTP/1.1\r\nHost: 127.0.0.1:7000\r\n\r\n", 405),
            ("GET /other HTTP/1.1\r\nHost: 127.0.0.1:7000\r\n\r\n", 404),
            ("GET /callback HTTP/1.1\r\nHost: evil.example:7000\r\n\r\n", 400),
            ("GET /callback HTTP/1.1\r\n\r\n", 400),
            ("GET /callback HTTP/1.1\r\nHost: 127.0.0.1:7000\r\nHost: 127.0.0.1:7000\r\n\r\n", 400),
            ("GET http://127.0.0.1:7000/callback HTTP/1.1\r\nHost: 127.0.0.1:7000\r\n\r\n", 404),
            ("GET /callback\r\n\r\n", 400), ("\r\n\r\n", 400), ("\u{0}\u{1}\n\n", 400),
        ]
    )
    func othersAreRefused(text: String, status: Int) { #expect(result(text) == .refused(status)) }

    @Test func aHeadWithoutEndIsCutOff() {
        var reader = reader()
        #expect(reader.read(Array(repeating: 0x41, count: RedirectReader.longest)) == .more)
        #expect(reader.read([0x41]) == .refused(431))
    }

    @Test func theRedirectArrivesAndForeignOnesAreTurnedAway() async throws {
        let transport = NIOTransport()
        let statuses = Mutex<[Int]>([])
        let query = try await LoopbackReceiver().receive(
            { $0.values(of: "state").first?.string == "mine" },
            { uri in
                for query in ["state=theirs&code=x", "state=mine&code=y"] {
                    let answer = try await Resource(uri, transport: transport.watched).get(query: Query(parsing: query))
                    statuses.withLock { $0.append(answer.status.code) }
                }
            }
        )
        #expect(query.values(of: "code").first?.string == "y")
        #expect(statuses.withLock(\.self) == [400, 200])
        await transport.shutdown()
    }

    @Test("silent connections of other programs don't keep the browser's out")
    func silentConnections() async throws {
        let transport = NIOTransport()
        let group = MultiThreadedEventLoopGroup.singleton
        let query = try await LoopbackReceiver().receive(
            { _ in true },
            { uri in
                let origin = try RequestURL(uri).origin
                for _ in 0..<40 {
                    _ = try await ClientBootstrap(group: group).connect(host: "127.0.0.1", port: origin.port).get()
                }
                _ = try await Resource(uri, transport: transport.watched).get(query: Query(parsing: "code=y"))
            }
        )
        #expect(query.values(of: "code").first?.string == "y")
        await transport.shutdown()
    }

    @Test("of too many connections the oldest silent one is closed, else the oldest") func closesTheOldestSilent() {
        let arrival = AwaitedRedirect()
        let closed = Mutex<[Int]>([])
        let numbers = (0..<16).map { index in arrival.enter { closed.withLock { $0.append(index) } } }
        arrival.hear(numbers[0])
        for index in 16..<18 { _ = arrival.enter { closed.withLock { $0.append(index) } } }
        #expect(closed.withLock(\.self) == [1, 2])
        arrival.leave(numbers[3])
        _ = arrival.enter {}
        #expect(closed.withLock(\.self) == [1, 2])
        let talkers = AwaitedRedirect()
        for index in 0..<17 { talkers.hear(talkers.enter { closed.withLock { $0.append(100 + index) } }) }
        #expect(closed.withLock(\.self) == [1, 2, 100])
    }

    @Test func aCancelledWaitEnds() async throws {
        let begun = Gate()
        let task = Task {
            try await LoopbackReceiver().receive({ _ in true }, { _ in begun.open() })
        }
        try await begun.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
    }
}
