// SPDX-License-Identifier: Apache-2.0

import CumulusTestServer
import Testing

@testable import CumulusCLI

/// Needs its own process, which runs out of file descriptors.
@Suite(.timeLimit(.minutes(10)), .enabled(if: BuiltProgram.isThere)) struct FewDescriptorsTests {
    /// With fewer than nine, libdispatch ends any program that has a task, whether it sends a request or not.
    @Test("a process without file descriptors gets an error at its first request, and never dies", arguments: 4...24)
    func fewDescriptors(count: Int) async throws {
        let server = try await LoopbackServer.start { routes in routes.get("/") { _ in .text("ok") } }
        let program = try BuiltProgram(["127.0.0.1:\(server.port)/"], shell: "ulimit -n \(count); exec \"$@\"")
        try program.write()
        let end = try await program.end()
        await server.shutdown()
        #expect(!end.wasKilled, "\(end.notes)")
        #expect(end.status == 0 ? end.output.contains("ok") : !end.notes.isEmpty, "\(end.status) \(end.notes)")
    }
}
