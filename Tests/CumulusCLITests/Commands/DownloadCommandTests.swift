// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import CumulusTestServer
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCLI

@Suite(.timeLimit(.minutes(10))) struct DownloadCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(
        _ arguments: String...,
        over transport: some Transport,
        files: [String: String] = [:]
    ) async -> (status: CommandStatus, notes: [String]) {
        let console = MemoryConsole(files: files)
        let status = await console.run(["download"] + arguments, over: transport)
        #expect(console.output.isEmpty)
        return (status, console.notes)
    }

    @Test func aFileIsGotAndNamed() async throws {
        let file = StubFile(300_000)
        let whole = await run("-o", "\(folder.path)/a b.bin", "a.example/x", over: file.transport)
        #expect(whole.status == .success)
        #expect(whole.notes.count == 1)
        #expect(whole.notes.first?.hasPrefix("cumulus: got \(folder.path)/a b.bin: 292.9 KiB in ") == true)
        #expect(try folder.bytes("a b.bin") == file.bytes)
        let named = await run("-q", "-o", folder.path, "a.example/data.bin", over: file.transport)
        #expect(named.status == .success && named.notes.isEmpty)
        #expect(folder.names == ["a b.bin", "data.bin"])
    }

    @Test("a folder that ends with a slash, or that many files go to, is made; another is missed by its name")
    func folders() async throws {
        let file = StubFile(1_000)
        let made = await run("-q", "-o", "\(folder.path)/a/b/", "a.example/one", over: file.transport)
        #expect(made.status == .success)
        let listed = await run(
            "-q",
            "-o",
            "\(folder.path)/c",
            "http://a.example/one",
            "http://a.example/two",
            over: file.transport
        )
        #expect(listed.status == .success)
        for name in ["a/b/one", "c/one", "c/two"] { #expect(try folder.bytes(name) == file.bytes) }
        let missing = await run("-o", "\(folder.path)/d/x", "a.example/one", over: file.transport)
        #expect(missing.status == .disk)
        let message = "can't create a file in \"\(folder.path)/d\": No such file or directory"
        #expect(missing.notes.first?.hasSuffix(message) == true)
        try Data().write(to: URL(fileURLWithPath: "\(folder.path)/file"))
        let taken = await run("-o", "\(folder.path)/file/", "a.example/one", over: file.transport)
        #expect(taken.status == .disk && taken.notes.first?.contains("\(folder.path)/file") == true)
    }

    @Test("14: an existing file is never replaced by default") func exists() async throws {
        let file = StubFile(1_000)
        let path = "\(folder.path)/there.bin"
        try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
        let refused = await run("-o", path, "a.example/x", over: file.transport)
        #expect(refused.status == .exists)
        #expect(refused.notes.first?.hasPrefix("cumulus: exists: https://a.example/x: ") == true)
        #expect(try folder.bytes("there.bin") == Array("mine".utf8))
        #expect(refused.notes.first?.contains("\n  hint: --overwrite replaces the file") == true)
        let right = "md5:918b81db5e91d031548b963c93845e5b"  // printf mine | md5sum
        let same = await run("-c", "--checksum", right, "-o", path, "a.example/x", over: file.transport)
        #expect(same.status == .success)
        #expect(try folder.bytes("there.bin") == Array("mine".utf8))
        let replaced = await run("--overwrite", "-o", path, "a.example/x", over: file.transport)
        #expect(replaced.status == .success)
        #expect(try folder.bytes("there.bin") == file.bytes)
    }

    @Test("11: a wrong checksum leaves nothing") func checksum() async throws {
        let file = StubFile(1_000)
        let wrong = "md5:00000000000000000000000000000000"
        let result = await run("--checksum", wrong, "-o", "\(folder.path)/x", "a.example/x", over: file.transport)
        #expect(result.status == .checksum)
        #expect(result.notes.first?.hasPrefix("cumulus: checksum: ") == true)
        #expect(folder.names.isEmpty)
    }

    @Test("15: a trickle is aborted, and the received bytes are kept") func trickle() async throws {
        let server = try await LoopbackServer.start { routes in
            routes.get("/x") { _ in
                .stream(headers: [.eTag: "\"v1\""]) { writer in
                    while true {
                        try await writer.write("x")
                        // Never silent: only the minimum rate can end it.
                        try await Task.sleep(for: .milliseconds(20))
                    }
                }
            }
        }
        let console = MemoryConsole()
        let status = await console.run(
            "download",
            "--minimum-rate",
            "1M:1",
            "-o",
            "\(folder.path)/x",
            "\(server.url)/x"
        )
        #expect(status == .partial)
        #expect(console.notes.first?.contains("slower than 1048576 bytes per second over 1 s") == true)
        #expect(console.notes.last?.hasPrefix("cumulus: to resume, run:\n  cumulus download -c ") == true)
        #expect(!folder.names.contains("x"))
    }

    @Test("12: a download of a file that keeps changing is given up") func remoteChanged() async throws {
        let file = StubFile(3_000_000, breaks: Array(repeating: 1_200_000, count: 20), refusesRanges: true)
        let result = await run("-o", "\(folder.path)/x", "a.example/x", over: file.transport)
        #expect(result.status == .remoteChanged)
        #expect(result.notes.first?.hasPrefix("cumulus: changed: ") == true)
        #expect(folder.names.isEmpty)
    }

    @Test("13: a full disk is reported, and nothing is left", .enabled(if: TinyDisk.isPossible)) func fullDisk()
        async throws
    {
        let disk = try TinyDisk(kilobytes: 256)
        let result = await run("-o", "\(disk.path)/x", "a.example/x", over: StubFile(2_000_000).transport)
        #expect(result.status == .disk)
        #expect(result.notes.first?.contains("No space left") == true, "\(result.notes)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path).isEmpty)
    }

    @Test("13: a read-only folder is reported", .enabled(if: TinyDisk.isPossible)) func readOnly()
        async throws
    {
        let disk = try TinyDisk(kilobytes: 256)
        try disk.makeReadOnly()
        let result = await run("-o", "\(disk.path)/x", "a.example/x", over: StubFile(1_000).transport)
        #expect(result.status == .disk)
        #expect(result.notes.first?.contains("Read-only file system") == true, "\(result.notes)")
    }

    @Test("13: a missing folder is reported") func noFolder() async throws {
        let result = await run("-o", "\(folder.path)/no/such/x", "a.example/x", over: StubFile(1_000).transport)
        #expect(result.status == .disk)
        #expect(result.notes.count == 1)
    }

    @Test("15: an interrupted download is kept, and -c resumes it") func partial() async throws {
        let file = StubFile(100_000, breaks: [30_000, 10_000, 5_000])
        let path = "\(folder.path)/x.bin"
        let broken = await run("-o", path, "a.example/x", over: file.transport)
        #expect(broken.status == .partial)
        #expect(broken.notes.first?.hasPrefix("cumulus: incomplete: ") == true)
        #expect(folder.hasOnlyUnfinished("x.bin"))
        let transport = file.transport
        let whole = await run("-c", "-o", path, "a.example/x", over: transport)
        #expect(whole.status == .success)
        #expect(whole.notes.first?.contains(" were already there") == true)
        #expect(transport.requests.first?.headers[.range] == "bytes=45000-")
        #expect(try folder.bytes("x.bin") == file.bytes)
        #expect(folder.names == ["x.bin"])
    }

    @Test(
        "15: a success status without the remaining bytes is a failure, for one file and in a list",
        arguments: [201, 202, 204, 207]
    )
    func otherSuccessForRemainingBytes(status: Int) async throws {
        let file = StubFile(100_000, breaks: [30_000])
        let transport = StubTransport { request in
            request.headers[.range] == nil
                ? file.answer(request)
                : .response(HTTPResponse.Status(code: status), headers: [.eTag: "\"v1\""])
        }
        let single = await run("-o", "\(folder.path)/x.bin", "a.example/x", over: transport)
        #expect(single.status == .partial)
        #expect(single.notes.first?.contains("\(status)") == true, "\(single.notes)")
        #expect(folder.hasOnlyUnfinished("x.bin"))
        let other = StubFile(100_000, breaks: [30_000])
        let listed = await run(
            "-i",
            "urls",
            "-o",
            "\(folder.path)/all/",
            over: StubTransport { request in
                request.headers[.range] == nil
                    ? other.answer(request)
                    : .response(HTTPResponse.Status(code: status), headers: [.eTag: "\"v1\""])
            },
            files: ["urls": "https://a.example/y\n"]
        )
        #expect(listed.status == .partial)
    }

    @Test("-c onto other bytes says so, and downloads the file") func unrelated() async throws {
        let file = StubFile(100_000)
        let path = try folder.write("{\"a\":1}\nzzz", to: "x.bin")
        let result = await run("-c", "-o", path, "a.example/x", over: file.transport)
        #expect(result.status == .success)
        #expect(
            result.notes.first?
                .contains("\(path) was downloaded from the beginning: no digest shows that the existing 11") == true,
            "\(result.notes)"
        )
        #expect(try folder.bytes("x.bin") == file.bytes)
        #expect(folder.names == ["x.bin"])
    }

    @Test("-c keeps a file of the same length: as not compared without a digest, even with -q; else by the digest")
    func sameLength() async throws {
        let file = StubFile(1_000)
        let path = try folder.write([UInt8](repeating: 1, count: 1_000), to: "x.bin")
        let kept = "cumulus: \(path) was kept: its length matches the server's file, but its content was not compared"
        for (quiet, notes) in [([], [kept]), (["-q"], [kept]), (["-qq"], [])] as [([String], [String])] {
            let console = MemoryConsole()
            let status = await console.run(["download", "-c", "-o", path, "a.example/x"] + quiet, over: file.transport)
            #expect(status == .success)
            #expect(console.notes == notes)
        }
        #expect(try folder.bytes("x.bin") == [UInt8](repeating: 1, count: 1_000))
        let right = "sha256:\(MessageDigest.hexadecimal(MessageDigest.sha256(of: file.bytes)))"
        let anew = await run("-c", "--checksum", right, "-o", path, "a.example/x", over: file.transport)
        #expect(anew.status == .success)
        #expect(anew.notes.first?.hasPrefix("cumulus: got \(path): ") == true, "\(anew.notes)")
        #expect(try folder.bytes("x.bin") == file.bytes)
        let same = await run("-c", "--checksum", right, "-o", path, "a.example/x", over: file.transport)
        #expect(same.notes == ["cumulus: \(path) already exists"])
    }

    @Test("Files of one name get numbers, in one run and besides a file from before", arguments: [false, true])
    func numbers(isListed: Bool) async throws {
        _ = try folder.write("mine", to: "report.pdf")
        let transport = StubTransport { request in .text(request.request.origin.host) }
        let urls = ["https://a.example/report.pdf", "https://b.example/report.pdf"]
        let console = MemoryConsole(files: ["list": urls.joined(separator: "\n")])
        let arguments = ["download", "-o", "\(folder.path)/", "--parallel", "1"]
        let status = await console.run(arguments + (isListed ? ["-i", "list"] : urls), over: transport)
        #expect(status == .success, "\(console.notes)")
        #expect(folder.names == ["report-1.pdf", "report-2.pdf", "report.pdf"])
        #expect(try folder.bytes("report.pdf") == Array("mine".utf8))
        #expect(try folder.bytes("report-1.pdf") == Array("a.example".utf8))
        #expect(try folder.bytes("report-2.pdf") == Array("b.example".utf8))
        let line = "cumulus: got \(folder.path)/report-1.pdf: "
        #expect(console.notes.first?.hasPrefix(line) == true, "\(console.notes)")
    }

    @Test("A broken download whose name is taken is not resumed with -c, which could replace the other file")
    func brokenWithNumber() async throws {
        let file = StubFile(100_000, breaks: [30_000, 10_000, 5_000])
        _ = try folder.write("mine", to: "x.bin")
        let broken = await run("-o", "\(folder.path)/", "a.example/x.bin", over: file.transport)
        #expect(broken.status == .partial)
        let again = "cumulus: to start again, run:\n  cumulus download -o \(folder.path)/ a.example/x.bin"
        #expect(broken.notes.last == again, "\(broken.notes)")
        #expect(try folder.bytes("x.bin") == Array("mine".utf8))
        let alone = StubFile(100_000, breaks: [30_000, 10_000, 5_000])
        let free = await run("-o", "\(folder.path)/", "a.example/y.bin", over: alone.transport)
        #expect(free.notes.last?.contains("to resume, run:\n  cumulus download -c ") == true, "\(free.notes)")
    }

    @Test("--trust-part continues a file of another program, and is named where a file is not continued")
    func trustPart() async throws {
        let file = StubFile(300_000)
        let path = try folder.write(Array(file.bytes.prefix(200_000)), to: "x.bin")
        let transport = file.transport
        let result = await run("-c", "--trust-part", "-o", path, "a.example/x", over: transport)
        #expect(result.status == .success && result.notes.count == 1, "\(result.notes)")
        #expect(try folder.bytes("x.bin") == file.bytes)
        #expect(transport.requests.last?.headers[.range] == "bytes=134464-")
        let other = [UInt8](repeating: 1, count: 1_000)
        let unlike = try folder.write(other, to: "y.bin")
        let refused = await run("-c", "--trust-part", "-o", unlike, "a.example/x", over: file.transport)
        #expect(refused.status == .remoteChanged)
        #expect(refused.notes.first?.contains("doesn't match the server's file") == true, "\(refused.notes)")
        #expect(try folder.bytes("y.bin") == other)
        let replaced = await run("-c", "-o", unlike, "a.example/x", over: file.transport)
        #expect(replaced.notes.first?.contains("--trust-part") == true, "\(replaced.notes)")
        #expect(await run("--trust-part", "-o", path, "a.example/x", over: file.transport).status == .usage)
    }

    @Test(
        "14: of two URLs whose servers give one name, the second neither takes the first's file nor replaces it",
        arguments: [["-c"], ["--overwrite"]] as [[String]],
        [false, true]
    )
    func oneName(options: [String], isListed: Bool) async throws {
        let (first, second) = ([UInt8](repeating: 1, count: 500), [UInt8](repeating: 2, count: 500))
        let headers: Headers = ["Content-Disposition": "attachment; filename=\"victim.bin\""]
        let transport = StubTransport { routes in
            routes.on(.get, "/1") { _ in .response(headers: headers, body: first) }
            routes.on(.get, "*") { _ in .response(body: second) }
        }
        let urls = ["https://a.example/1", "https://b.example/victim.bin"]
        let console = MemoryConsole(files: ["list": urls.joined(separator: "\n")])
        let arguments = ["download", "-o", folder.path, "--parallel", "1"] + options
        let status = await console.run(arguments + (isListed ? ["-i", "list"] : urls), over: transport)
        #expect(status == .exists)
        #expect(console.notes.count == 2)
        #expect(
            console.notes.last?.contains("another URL in this run has already been saved to, or matched with,") == true,
            "\(console.notes)"
        )
        #expect(console.notes.last?.contains("--overwrite") == false)
        #expect(try folder.bytes("victim.bin") == first)
        #expect(folder.names == ["victim.bin"])
    }

    @Test("64: -o with several URLs is a folder, not an existing file") func fileForSeveral() async throws {
        let path = try folder.write("mine", to: "one.bin")
        let transport = StubFile(1_000).transport
        let result = await run("-o", path, "https://a.example/1", "https://a.example/2", over: transport)
        #expect(result.status == .usage)
        #expect(
            result.notes.first?.contains("-o must name a folder for several URLs, but '") == true,
            "\(result.notes)"
        )
        #expect(transport.requests.isEmpty)
        #expect(try folder.bytes("one.bin") == Array("mine".utf8))
        #expect(folder.names == ["one.bin"])
    }

    @Test("without -c a download starts over") func anew() async throws {
        let file = StubFile(100_000, breaks: [30_000, 10_000, 5_000])
        let path = "\(folder.path)/x.bin"
        #expect(await run("-o", path, "a.example/x", over: file.transport).status == .partial)
        let transport = file.transport
        #expect(await run("-o", path, "a.example/x", over: transport).status == .success)
        #expect(transport.requests.map { $0.headers[.range] } == [nil])
    }

    @Test func aRefusalIsAnExitCodeAndLeavesNothing() async throws {
        let transport = StubTransport { _ in .text("no such thing", status: .notFound) }
        let result = await run("-o", folder.path, "a.example/x?token=hunter2", over: transport)
        #expect(result.status == .clientError)
        #expect(result.notes.count == 1)
        #expect(result.notes.first?.contains("404") == true && result.notes.first?.contains("hunter2") == false)
        #expect(folder.names.isEmpty)
    }

    @Test func interruptionKeepsWhatCameAndPrintsTheCommandThatGoesOn() async throws {
        let gate = Gate()
        let bytes = [UInt8](repeating: 7, count: 50_000)
        try await withLoopbackServer(routes: { routes in
            routes.get("/x") { _ in
                let headers: Headers = [.eTag: "\"v1\"", .acceptRanges: "bytes"]
                let steps: [ServerResponse.Step] = [.chunk(bytes), .gate(gate)]
                return .script(steps, headers: headers, framing: .contentLength(100_000))
            }
        }) { server in
            let console = MemoryConsole()
            let path = "\(folder.path)/x.bin"
            let arguments = ["download", "-a", "ada:hunter2", "-o", path, "\(server.url)/x"]
            // Cancelled below, as Ctrl-C does.
            let run = Task { await CommandRun(console.console).run(arguments) }
            // Polls: the part file shows that bytes have arrived.
            while (try? folder.unfinished("x.bin").map(folder.bytes))?.prefix(50_000).last != 7 {
                // Polls, as above.
                try await Task.sleep(for: .milliseconds(1))
            }
            run.cancel()
            #expect(await run.value == .interrupted)
            #expect(folder.hasOnlyUnfinished("x.bin"))
            #expect(
                console.notes == [
                    "cumulus: interrupted; to resume, run:\n"
                        + "  cumulus download -c -a ada -o \(path) \(server.url)/x"
                ]
            )
            gate.open()
        }
    }

    @Test func ofAListOneFailureLeavesTheOthersAlone() async throws {
        let file = StubFile(20_000)
        let transport = StubTransport { routes in
            routes.on(.get, "/no") { _ in .text("", status: .forbidden) }
            routes.on(.get, "*") { _ in .response(body: file.bytes) }
        }
        let list = "https://a.example/1.bin\nhttps://a.example/no\n# pause\nhttps://a.example/2.bin\n"
        let result = await run("-i", "list", "-o", folder.path, over: transport, files: ["list": list])
        #expect(result.status == .clientError)
        #expect(result.notes.count == 3)
        #expect(
            result.notes.contains {
                $0.hasPrefix("cumulus: line 2, no: status: https://a.example/no: the server responded with 403")
            },
            "\(result.notes)"
        )
        #expect(folder.names == ["1.bin", "2.bin"])
    }

    @Test func aTerminalHasALineForEachFile() async throws {
        let gate = Gate()
        let transport = StubTransport { request in
            try await gate.wait()
            return .text(request.path)
        }
        let clock = ManualClock()
        let memory = MemoryConsole(
            errorsAreTerminal: true,
            files: ["list": "https://a.example/1\nhttps://a.example/2\n"]
        )
        var console = memory.console
        console.clock = clock
        let command = CommandRun(console, makeTransport: { _ in transport })
        let arguments = ["download", "-i", "list", "-o", folder.path]
        // Ends below, once the gate is open.
        let run = Task { await command.run(arguments) }
        // Polls: the drawings show that both have begun.
        while memory.drawings.last?.contains("2  waiting for the server") != true {
            if clock.advanceToNextSleeper() { continue }
            // Polls, as above.
            try await Task.sleep(for: .milliseconds(1))
        }
        #expect(memory.drawings.last?.contains("1  waiting for the server") == true)
        #expect(memory.drawings.last?.contains("0 of 2 done") == true)
        gate.open()
        #expect(await run.value == .success)
        #expect(memory.drawings.last?.hasSuffix("\u{1B}[J") == true)
        #expect(memory.notes.count == 2)
    }

    @Test("a name from a server has no effect on the terminal") func terminal() async throws {
        let headers: Headers = [.contentDisposition: "attachment; filename=\"a\u{9B}31mb\u{202E}c.bin\""]
        let result = await run("-o", folder.path, "a.example/%1b%5b31m", over: StubFile(10, headers: headers).transport)
        #expect(result.status == .success)
        let line = try #require(result.notes.first)
        #expect(!line.unicodeScalars.contains { $0.value < 0x20 || 0x7F...0x9F ~= $0.value || $0.value == 0x202E })
        #expect(PathName.shown("a\u{1B}[31m\u{202E}b\n") == "a\\u001b[31m\\u202eb\\u000a")
    }
}
