// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCLI

@Suite(.timeLimit(.minutes(1)), .enabled(if: BuiltProgram.isThere)) struct BenchProgramTests {
    private func run(_ arguments: String...) async throws -> BuiltProgram.End {
        let program = try BuiltProgram(arguments)
        try program.write()
        return try await program.end()
    }

    @Test("bench names each error by its code, with what the first one said")
    func errors() async throws {
        try await withLoopbackServer(routes: { $0.get("/drop") { _ in throw ServerResponse.Abort.close } }) { server in
            let text = try await run("bench", "\(server.url)/drop", "-n", "3", "-c", "1")
            #expect(text.status == 1 && text.output.contains("Errors:       3 x connectionClosed: "), "\(text.output)")
            let json = try JSON(parsing: try await run("bench", "\(server.url)/drop", "-n", "3", "--report").output)
            #expect(json["errors"]["connectionClosed"].int == 3, "\(json)")
        }
    }

    @Test("bench sends the given number of requests, and reports statuses and latencies")
    func report() async throws {
        try await withLoopbackServer(
            routes: { routes in
                routes.post("/x") { request in .text(String(decoding: request.body, as: UTF8.self)) }
                routes.get("/missing") { _ in .text("no", status: .notFound) }
            }
        ) { server in
            let end = try await run("bench", "\(server.url)/x", "a=1", "-n", "50", "-c", "4", "--report")
            let json = try JSON(parsing: end.output)
            #expect(end.status == 0, "\(end.notes)")
            #expect(json["requests"].int == 50 && json["statuses"]["200"].int == 50 && json["concurrency"].int == 4)
            #expect(json["bytes"].int == 50 * 9)
            #expect(server.requests.count == 50)
            let latency = json["latency"]
            let values = ["p50", "p90", "p99", "max"].compactMap { latency[$0].double }
            #expect(values.count == 4 && values == values.sorted() && values[0] > 0)
            let text = try await run("bench", "\(server.url)/missing", "-n", "5", "-c", "1")
            #expect(text.output.contains("Statuses:     5 x 404") && text.output.contains("99%"), "\(text.output)")
            let gone = try await run("bench", "http://127.0.0.1:1/", "-n", "3")
            #expect(gone.status == 1 && gone.output.contains("Errors:       3 x connect: "), "\(gone.output)")
            #expect(try await run("bench", "\(server.url)/x", "-c", "0").status == 64)
            #expect(try await run("bench").status == 64)
        }
    }
}
