// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCLI

/// `download -c` with an existing file, and the state after a signal.
@Suite(.timeLimit(.minutes(10)), .enabled(if: BuiltProgram.isThere)) struct DownloadProgramTests {
    private static let whole = Array(String(repeating: "0123456789", count: 1_000).utf8)
    /// Python's `hashlib.sha256(whole)`.
    private static let digest = "sha256:4c207598af7a20db0e3334dd044399a40e467cb81b37f7ba05a4f76dcbd8fd59"
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: String...) async throws -> BuiltProgram.End {
        let program = try BuiltProgram(["download"] + arguments)
        try program.write()
        return try await program.end()
    }

    /// A file that the server sends from the requested byte.
    private func withFile(
        modified: String = "Mon, 01 Jan 2024 00:00:00 GMT",
        _ work: (LoopbackServer) async throws -> Void
    ) async throws {
        let whole = DownloadProgramTests.whole
        try await withLoopbackServer(
            routes: { routes in
                routes.get("/f.bin") { request in
                    var headers: Headers = [.eTag: "\"v1\"", .acceptRanges: "bytes", .lastModified: modified]
                    guard let range = request.headers[.range], let start = Int(range.dropFirst(6).prefix { $0 != "-" })
                    else {
                        return ServerResponse(headers: headers, body: whole)
                    }
                    headers[.contentRange] = "bytes \(start)-\(whole.count - 1)/\(whole.count)"
                    return ServerResponse(.partialContent, headers: headers, body: Array(whole[start...]))
                }
            },
            work
        )
    }

    @Test("-c continues a shorter file under a digest, whether it or its folder was named", arguments: [true, false])
    func shorter(isNamed: Bool) async throws {
        try await withFile { server in
            let path = try folder.write(Array(DownloadProgramTests.whole.prefix(4_000)), to: "f.bin")
            let target = isNamed ? path : folder.path
            let end = try await run("-c", "--checksum", Self.digest, "-o", target, "\(server.url)/f.bin")
            #expect(end.status == 0, "\(end.notes)")
            #expect(end.notes.contains("3.9 KiB were already there"), "\(end.notes)")
            #expect(try folder.bytes("f.bin") == DownloadProgramTests.whole)
            #expect(folder.names == ["f.bin"])
            #expect(server.requests.last?.headers[.range] == "bytes=4000-")
            #expect(server.requests.last?.headers[.ifRange] == "\"v1\"")
            let again = try await run("-c", "-o", path, "\(server.url)/f.bin")
            #expect(again.status == 0)
            #expect(
                again.notes == "cumulus: \(path) was kept: its length matches the server's file, "
                    + "but its content was not compared\n"
            )
        }
    }

    @Test("-c leaves a longer file alone, and one older than the server's")
    func otherFiles() async throws {
        try await withFile { server in
            let path = try folder.write(DownloadProgramTests.whole + [1], to: "f.bin")
            let end = try await run("-c", "-o", path, "\(server.url)/f.bin")
            #expect(end.status == CommandStatus.exists.rawValue)
            #expect(end.notes.contains("with 10001 bytes, more than the server's 10000"), "\(end.notes)")
            #expect(try folder.bytes("f.bin").count == 10_001)
        }
        try await withFile(modified: "Fri, 01 Jan 2100 00:00:00 GMT") { server in
            let path = try folder.write("0123", to: "old.bin")
            let end = try await run("-c", "-o", path, "\(server.url)/f.bin")
            #expect(end.status == CommandStatus.remoteChanged.rawValue)
            #expect(end.notes.contains("the server's file is newer"), "\(end.notes)")
            #expect(try folder.bytes("old.bin") == Array("0123".utf8))
        }
    }

    @Test("-c with a checksum starts over if the existing bytes are wrong")
    func wrongBytes() async throws {
        try await withFile { server in
            let path = try folder.write("not the beginning", to: "f.bin")
            let known = try await run("-q", "-o", "\(folder.path)/right", "\(server.url)/f.bin")
            #expect(known.status == 0)
            let process = Process()
            let output = Pipe()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["sha256sum", "\(folder.path)/right"]
            process.standardOutput = output
            try process.run()
            let printed = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            let digest = String(printed.prefix(64))
            let end = try await run("-c", "--checksum", "sha256:\(digest)", "-o", path, "\(server.url)/f.bin")
            #expect(end.status == 0, "\(end.notes)")
            #expect(try folder.bytes("f.bin") == DownloadProgramTests.whole)
        }
    }

    @Test(
        "a closed terminal, or a kill in the first second, leaves a record for resuming",
        arguments: [SIGHUP, SIGKILL]
    )
    func signals(_ number: Int32) async throws {
        let gate = Gate()
        let whole = DownloadProgramTests.whole
        try await withLoopbackServer(routes: { routes in
            routes.get("/f.bin") { _ in
                .stream(headers: [.eTag: "\"v1\"", .acceptRanges: "bytes"]) { writer in
                    for start in stride(from: 0, to: 4_000, by: 500) {
                        try await writer.write(Array(whole[start..<start + 500]))
                        // Several pieces in the first half second.
                        try await Task.sleep(for: .milliseconds(50))
                    }
                    try await gate.wait()
                }
            }
        }) { server in
            let path = "\(folder.path)/f.bin"
            let program = try BuiltProgram(["download", "-q", "-o", path, "\(server.url)/f.bin"])
            try program.write()
            // There is no signal when another process writes a file.
            while !folder.hasOnlyUnfinished("f.bin") {
                // So it is polled.
                try await Task.sleep(for: .milliseconds(5))
            }
            program.signal(number)
            let end = try await program.end()
            #expect(end.wasKilled == (number == SIGKILL))
            #expect(folder.hasOnlyUnfinished("f.bin"))
            gate.open()
        }
    }
}
