// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import Foundation
import HTTPTypes
import Testing

@testable import CumulusCLI

@Suite(.timeLimit(.minutes(10))) struct PaceCommandTests {
    private func rateLimit(_ rate: String) throws -> RateLimit {
        var arguments = Arguments(.download)
        arguments.rate = rate
        return try #require(try RateParser(arguments).rateLimit())
    }

    @Test(
        "--rate is a number and a time",
        arguments: [
            ("2/s", 2, 1), ("30/m", 30, 60), ("1/10s", 1, 10), ("5000/h", 5_000, 3_600), ("1/365d", 1, 31_536_000),
        ]
    )
    func rates(text: String, count: Int, seconds: Int) throws {
        #expect(try rateLimit(text) == .requests(count, per: .seconds(seconds)))
    }

    @Test(arguments: [
        "", "2", "/s", "0/s", "-1/s", "2/", "2/0s", "2/x", "2/s/s", "1.5/s", "2/99999999999999999999s", "1/366d",
        "99999999999999999999/s",
    ])
    func mistakes(text: String) {
        #expect(throws: UsageMistake.self) { try rateLimit(text) }
    }

    @Test func allDownloadsShareTheRate() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "rate limit-\(UUID())",
            directoryHint: .isDirectory
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let routes: @Sendable (inout Routes) -> Void = { $0.get("/f/:name") { _ in .text("file") } }
        try await withLoopbackServer(routes: routes) { server in
            let list = folder.appending(path: "list").path(percentEncoded: false)
            let urls = (0..<3).map { "\(server.url)/f/\($0)" }.joined(separator: "\n")
            let console = MemoryConsole(files: [list: urls])
            let began = ContinuousClock.now
            let status = await console.run(
                "download",
                "-i",
                list,
                "-o",
                folder.path(percentEncoded: false),
                "--rate",
                "10/s",
                "-q"
            )
            #expect(status == .success, "\(console.notes)")
            // Not less, however busy the machine.
            #expect(ContinuousClock.now - began >= .milliseconds(200))
            #expect(server.counts.requestsReceived >= 3)
        }
    }

    @Test func explainTellsTheQuota() async throws {
        let routes: @Sendable (inout Routes) -> Void = { routes in
            routes.get("/x") { _ in .text("x", headers: ["X-RateLimit-Limit": 60, "X-RateLimit-Remaining": 59]) }
        }
        try await withLoopbackServer(routes: routes) { server in
            let console = MemoryConsole()
            #expect(await console.run("get", "\(server.url)/x", "--explain") == .success)
            #expect(console.notes.contains("cumulus: quota: 59 of 60 left"))
        }
    }
}
