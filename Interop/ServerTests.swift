// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import ServerTrial
import Testing

/// Servers that we did not write, on their defaults, with HTTP/2 and HTTP/1.1: the short form of `Scripts/servers.sh`.
@Suite(.enabled(if: InteropServers.trial != nil, "\(InteropServers.reason)"))
struct ServerTests {
    /// A few of each magnitude; the largest bodies are the long form's.
    private static let sizes = [1, 100, 4_096, 32_768, 65_536, 300_000]

    private static let content = InteropServers.trial.map { folder in
        Result { try TrialContent(file: "\(folder)/content.bin", sizes: sizes + [1_000, 70_000, 1_000_000]) }
    }

    private static let all: [ServerUnderTrial] =
        InteropServers.trial.flatMap { try? ServerUnderTrial.table("\($0)/servers.tsv") } ?? []
    private static let servers = all.filter { !$0.closesConnections }
    private static let serversClosingWithoutNotice = all.filter(\.closesConnections)

    /// They end the connection of a head beyond their limit instead of answering with 431.
    private static let smallHeads: Set = ["haproxy/2", "jetty/2", "nginx-7/2", "nginx/2", "tomcat/2", "uwsgi/1.1"]

    /// They close the connection of a body that they have not read to its end with a reset, a millisecond after their
    /// answer, whose last bytes may still wait in their own system: curl loses up to 21 of 100 too.
    private static let hasty: Set = ["jdk/1.1"]

    /// They end spare processes after many requests at once, together with the connections that these keep.
    ///
    /// A POST may be on its way: curl sends it once more, although it may have taken effect; we don't.
    private static let closing: Set = ["apache/1.1"]

    /// They respond without `Connection: close`, and close the connection of a body that they have not read to its end.
    ///
    /// Their system may have confirmed all of the body before that. Each loop loses at most one POST until it knows; curl
    /// sends such a POST once more.
    private static let unread: Set = ["gunicorn-threads/1.1", "hypercorn/1.1"]

    /// It accepts 20 connections.
    ///
    /// Requests on others wait until it ends one of these, which it keeps for 50 s: curl loses 80 of 300 requests, 100 at
    /// once, by a limit of 30 s.
    private static let few: Set = ["haproxy-20/1.1"]

    @Test("Every response of a server is right, and no POST arrives twice", arguments: servers)
    func answersAreRight(_ server: ServerUnderTrial) async throws {
        let folder = try #require(InteropServers.trial)
        let content = try #require(try Self.content?.get())
        let transport = ServerUnderTrial.transport(trusting: "\(folder)/ca.pem")
        let mark = "\(server.name)-\(server.version.rawValue)-test"
        let trial = ServerTrial(server, content: content, transport: transport, mark: mark)
        for atOnce in Self.few.contains(server.description) ? [1, 16] : [1, 16, 100] {
            expect(await trial.gets(60, atOnce: atOnce))
            let posts = await trial.posts(60, atOnce: atOnce, sizes: Self.sizes)
            let mayClose = Self.closing.contains(server.description) && posts.unanswered <= 6
            expect(posts, but: mayClose ? posts.unanswered : 0)
        }
        expect(await trial.posts(4, atOnce: 2, sizes: [1_000_000]))
        expect(await trial.uploads(2, atOnce: 2))
        expect(await trial.downloads(1, atOnce: 1, connections: nil))
        expect(await trial.downloads(1, atOnce: 1, connections: 4))
        if !Self.smallHeads.contains(server.description) { expect(await trial.largeHeads(3, atOnce: 1)) }
        if !server.echoesBodies, !Self.hasty.contains(server.description) {
            for (code, size) in [(200, 300_000), (413, 1_000_000), (403, 300_000)] {
                let early = await trial.earlyAnswers(6, atOnce: 1, code: code, size: size)
                let mayLose = code == 200 && Self.unread.contains(server.description) && early.failures <= 2
                expect(early, but: mayLose ? early.failures : 0)
            }
        }
        await transport.shutdown(.immediate)
        #expect(try TrialNumbers(file: "\(folder)/numbers", mark: mark).doubled == 0)
    }

    @Test(
        "No POST arrives twice at a server that closes connections under requests",
        arguments: serversClosingWithoutNotice
    )
    func lostPOSTs(_ server: ServerUnderTrial) async throws {
        let folder = try #require(InteropServers.trial)
        let content = try #require(try Self.content?.get())
        let transport = ServerUnderTrial.transport(trusting: "\(folder)/ca.pem")
        let mark = "\(server.name)-test"
        let trial = ServerTrial(server, content: content, transport: transport, mark: mark)
        let result = await trial.posts(500, atOnce: 16, sizes: [1_000])
        await transport.shutdown(.immediate)
        let numbers = try TrialNumbers(file: "\(folder)/numbers", mark: mark)
        #expect(numbers.doubled == 0)
        #expect(numbers.arrived > 0)
        // Each failure is an exchange without a response.
        #expect(result.failures == result.unanswered, "\(result)")
    }

    private func expect(_ result: TrialResult, but allowed: Int = 0) {
        #expect(result.failures == allowed, "\(result)")
    }

    @Test("The servers that CI has are all there")
    func allAreThere() {
        #expect(Set(Self.servers.map(\.name)).count >= 20)
    }
}
