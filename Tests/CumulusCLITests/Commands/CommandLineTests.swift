// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCLI

/// The meaning of command lines, with the built program.
@Suite(.timeLimit(.minutes(10)), .enabled(if: BuiltProgram.isThere)) struct CommandLineTests {
    private func run(_ arguments: String..., shell: String = #"exec "$@""#) async throws -> BuiltProgram.End {
        let program = try BuiltProgram(arguments, shell: shell)
        try program.write()
        return try await program.end()
    }

    private func withServer(_ body: (LoopbackServer) async throws -> Void) async throws {
        try await withLoopbackServer(
            routes: { $0.on(nil, "/*") { .text("\($0.method) \($0.path) \($0.text)\n") } },
            body
        )
    }

    @Test("a header may have a space after its colon, as in curl and browsers")
    func blankInHeader() async throws {
        try await withServer { server in
            let end = try await run("get", "\(server.url)/a", "Accept: text/html", "X-A:  b \t")
            #expect(end.status == 0, "\(end.notes)")
            #expect(server.requests.first?.headers[.accept] == "text/html")
            #expect(server.requests.first?.headers[HTTPField.Name("X-A") ?? .accept] == "b")
        }
    }

    @Test("several URLs get the same request, one after the other")
    func severalURLs() async throws {
        try await withServer { server in
            let end = try await run("put", "\(server.url)/a", "\(server.url)/b", ":\(server.port)/c", "x=1")
            #expect(end.output == "PUT /a {\"x\":\"1\"}\nPUT /b {\"x\":\"1\"}\nPUT /c {\"x\":\"1\"}\n")
            #expect(end.status == 0)
            let piped = try await run("post", "\(server.url)/a", "\(server.url)/b", shell: #"echo hi | "$@""#)
            #expect(piped.output == "POST /a hi\n\nPOST /b hi\n\n")
        }
    }

    @Test("with several URLs, a failure doesn't affect the others, and is the exit status")
    func oneOfSeveralFails() async throws {
        try await withServer { server in
            let end = try await run("http://127.0.0.1:1/x", "\(server.url)/b")
            #expect(end.output == "GET /b \n")
            #expect(end.status == CommandStatus.connect.rawValue)
            #expect(end.notes.hasPrefix("cumulus: connect: http://127.0.0.1:1/x: "))
            let file = try await run("-o", "x", "\(server.url)/a", "\(server.url)/b")
            #expect(file.status == 64)
            #expect(file.notes.contains("is for one file, but there are 2 URLs"))
        }
    }

    @Test("several URLs are downloaded as several files")
    func severalDownloads() async throws {
        try await withServer { server in
            let folder = try TemporaryFolder()
            let end = try await run("download", "-q", "-o", folder.path, "\(server.url)/a.txt", "\(server.url)/b.txt")
            #expect(end.status == 0, "\(end.notes)")
            #expect(folder.names == ["a.txt", "b.txt"])
            #expect(String(decoding: try folder.bytes("b.txt"), as: UTF8.self) == "GET /b.txt \n")
            let sum = try await run("download", "--checksum", "md5:00", "\(server.url)/a", "\(server.url)/b")
            #expect(sum.status == 64)
            #expect(sum.notes.contains("--checksum is for one file"))
        }
    }

    @Test(
        "a misspelt command or method gets a suggestion, and sends nothing",
        arguments: [("donwload", "download"), ("uplaod", "upload"), ("pots", "post"), ("delte", "delete")]
    )
    func misspelt(word: String, meant: String) async throws {
        try await withServer { server in
            let end = try await run(word, "\(server.url)/x")
            #expect(end.status == 64)
            #expect(end.notes.contains("unknown method or command '\(word)'"))
            #expect(end.notes.contains("did you mean cumulus \(meant)?"))
            #expect(server.requests.isEmpty)
            let alone = try await run("donwload")
            #expect(alone.status == 64 && alone.notes.contains("did you mean cumulus download?"))
        }
    }

    @Test("an unknown method is sent if it is in capitals")
    func unknownMethods() async throws {
        try await withServer { server in
            #expect(try await run("PURGE", "\(server.url)/x").output == "PURGE /x \n")
            let small = try await run("purge", "\(server.url)/x")
            #expect(small.status == 64)
            #expect(small.notes.contains("write other methods in capitals: cumulus PURGE URL"))
        }
    }

    @Test("an empty or negative value belongs to its option")
    func values() async throws {
        try await withServer { server in
            let nothing = try await run("--print=", "\(server.url)/x")
            #expect(nothing.status == 0 && nothing.output.isEmpty && nothing.notes.isEmpty)
            let negative = try await run("--timeout", "-1", "\(server.url)/x")
            #expect(negative.status == 64)
            #expect(negative.notes.hasPrefix("cumulus: usage: --timeout takes a number of seconds, from 0"))
            let direct = try await run(
                "--proxy=",
                "\(server.url)/x",
                shell: #"http_proxy=http://127.0.0.1:1 exec "$@""#
            )
            #expect(direct.output == "GET /x \n", "\(direct.notes)")
        }
    }

    @Test("input piped into DELETE is its body only if @- says so")
    func pipedDelete() async throws {
        try await withServer { server in
            let end = try await run("delete", "\(server.url)/x", "@-", shell: #"echo hi | "$@""#)
            #expect(end.output == "DELETE /x hi\n\n")
            let bare = try await run("delete", "\(server.url)/x", shell: #"echo hi | "$@""#)
            #expect(bare.output == "DELETE /x \n")
        }
    }

    @Test("~/ is the home folder after the separators of items and options")
    func home() async throws {
        try await withServer { server in
            let folder = try TemporaryFolder()
            _ = try folder.write("from home", to: "note.txt")
            let shell = "HOME=\(folder.path) exec \"$@\""
            let end = try await run("\(server.url)/x", "a=@~/note.txt", shell: shell)
            #expect(end.output == "POST /x {\"a\":\"from home\"}\n")
            let form = try await run("-f", "\(server.url)/x", "a@~/note.txt", shell: shell)
            #expect(form.output.contains("filename=\"note.txt\"") && form.output.contains("from home"), "\(form.notes)")
        }
    }

    @Test("CUMULUS_BASE prints a notice if it turns a host into a path")
    func base() async throws {
        try await withServer { server in
            let shell = "CUMULUS_BASE=\(server.url)/v1 exec \"$@\""
            let host = try await run("example.com/x", shell: shell)
            #expect(host.output == "GET /v1/example.com/x \n")
            #expect(host.notes.contains("CUMULUS_BASE makes 'example.com/x' a path below '\(server.url)/v1'"))
            let path = try await run("users", shell: shell)
            #expect(path.output == "GET /v1/users \n" && path.notes.isEmpty)
            let none = try await run("--base=", ":\(server.port)/y", shell: shell)
            #expect(none.output == "GET /y \n" && none.notes.isEmpty)
        }
    }

    @Test("--resolve accepts curl's form with a port, for that port only")
    func resolve() async throws {
        try await withServer { server in
            let url = "http://nowhere.test:\(server.port)/x"
            let place = "nowhere.test:\(server.port):127.0.0.1"
            #expect(try await run("--resolve", place, url).output == "GET /x \n")
            #expect(try await run("--resolve", "nowhere.test:[::1],127.0.0.1", url).output == "GET /x \n")
            let other = try await run("--resolve", "nowhere.test:1:127.0.0.1", "--timeout", "5", url)
            #expect(other.status == CommandStatus.lookup.rawValue)
            let wrong = try await run("--resolve", "nowhere.test:1:localhost", url)
            #expect(wrong.status == 64 && wrong.notes.contains("'localhost' in --resolve is not an IP address"))
        }
    }

    @Test("@FILE sends a file as the whole body, with the type of its extension")
    func fileAsBody() async throws {
        try await withServer { server in
            let folder = try TemporaryFolder()
            let path = try folder.write("{\"a\": 1}", to: "user.json")
            #expect(try await run("\(server.url)/x", "@\(path)").output == "POST /x {\"a\": 1}\n")
            #expect(server.requests.last?.headers[.contentType] == "application/json")
            #expect(try await run("put", "\(server.url)/x", "@\(path);type=text/x").status == 0)
            #expect(server.requests.last?.headers[.contentType] == "text/x")
            for other in ["a=1", "@\(path)"] {
                let both = try await run("\(server.url)/x", "@\(path)", other)
                #expect(both.status == 64 && both.notes.contains("is the whole body"), "\(both.notes)")
            }
            #expect(try await run("\(server.url)/x", "@/no/such").status == 64)
        }
    }
}
