// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCLI

/// Options for scripts, with the built program.
@Suite(.timeLimit(.minutes(10)), .enabled(if: BuiltProgram.isThere)) struct ScriptProgramTests {
    private static let json =
        #"{"items":[{"name":"Ada \u00e9","n":1.50},{"name":"Bob","n":2}],"b":{"z":1,"a":2},"a":1}"#

    private func run(_ arguments: String..., shell: String = #"exec "$@""#) async throws -> BuiltProgram.End {
        try await run(arguments, shell: shell)
    }

    private func run(_ arguments: [String], shell: String = #"exec "$@""#) async throws -> BuiltProgram.End {
        let program = try BuiltProgram(arguments, shell: shell)
        try program.write()
        return try await program.end()
    }

    private func withServer(_ body: (LoopbackServer) async throws -> Void) async throws {
        try await withLoopbackServer(
            routes: { routes in
                routes.get("/json") { _ in .json(ScriptProgramTests.json) }
                routes.get("/missing") { _ in .text("nothing here", status: .notFound) }
                routes.get("/from") { _ in .redirect(to: "/json") }
                routes.on(nil, "/*") { request in .text("\(request.method) \(request.text)") }
            },
            body
        )
    }

    @Test(
        "--filter prints the values at a path",
        arguments: [
            (".items[0].name", "Ada é\n"), (".items[].name", "Ada é\nBob\n"), (".items[-1].n", "2\n"),
            (".items[0].n", "1.50\n"), (".b", "{\"z\":1,\"a\":2}\n"), (".b[]", "1\n2\n"), (".[\"a\"]", "1\n"),
            (".nothing.there", "null\n"), (".items[7]", "null\n"),
        ]
    )
    func filter(path: String, output: String) async throws {
        try await withServer { server in
            let end = try await run("--filter", path, "\(server.url)/json")
            #expect(end.output == output, "\(end.notes)")
            #expect(end.status == 0)
        }
    }

    @Test("--filter reports what it can't read, and prints error responses whole")
    func filterMistakes() async throws {
        try await withServer { server in
            for path in ["name", ".a[", ".a[x]", ".", ".a..b"] where path != "." {
                let end = try await run("--filter", path, "\(server.url)/json")
                #expect(end.status == 64 && end.notes.contains("a syntax error at character"), "\(path) \(end.notes)")
            }
            let kind = try await run("--filter", ".a.b", "\(server.url)/json")
            #expect(kind.status == 1)
            #expect(kind.notes == "cumulus: --filter can't apply .b to a number\n")
            let text = try await run("--filter", ".a", "get", "\(server.url)/text")
            #expect(text.status == 1 && text.notes.contains("--filter needs JSON"), "\(text.notes)")
            let missing = try await run("--filter", ".a", "\(server.url)/missing")
            #expect(missing.status == 4 && missing.output == "nothing here")
            #expect(try await run("--filter", ".", "\(server.url)/json").output.hasPrefix(#"{"items":"#))
        }
    }

    @Test("--format prints values for scripts, with -q nothing else")
    func format() async throws {
        try await withServer { server in
            let end = try await run(
                "-q",
                "-w",
                "{status} {redirects} {{x}} {header:content-type}\\t{http_code}",
                "\(server.url)/from"
            )
            #expect(end.output == "200 1 {x} application/json\t200\n", "\(end.notes)")
            let times = try await run("-w", "{time_total} {url} {method}", "\(server.url)/x")
            #expect(times.output.wholeMatch(of: /GET \n[0-9]+\.[0-9]{6} http:.*\/x GET\n/) != nil, "\(times.output)")
            let wrong = try await run("-w", "{nothing}", "\(server.url)/x")
            #expect(wrong.status == 64 && wrong.notes.contains("names: status, reason"), "\(wrong.notes)")
            #expect(try await run("-w", "{status", "\(server.url)/x").status == 64)
        }
    }

    @Test("--meta --json is an object")
    func meta() async throws {
        try await withServer { server in
            let end = try await run("--meta", "--json", "\(server.url)/x")
            let json = try JSON(parsing: end.output)
            #expect(json["status"].int == 200)
            #expect(json["url"].string == "\(server.url)/x")
            #expect(json["time_total"].double.map { $0 > 0 } == true)
            #expect(json["reused"].bool == false)
        }
    }

    @Test("--sorted and --indent format JSON, in a pipe too")
    func sorted() async throws {
        try await withServer { server in
            let end = try await run("--sorted", "--indent", "1", "--filter", ".b", "\(server.url)/json")
            #expect(end.output == "{\n \"a\": 2,\n \"z\": 1\n}\n", "\(end.notes)")
            let whole = try await run("--sorted", "--indent=0", "\(server.url)/json")
            #expect(whole.output.hasPrefix("{\n\"a\": 1,\n\"b\": {\n\"a\": 2,"), "\(whole.output)")
            #expect(whole.output.contains(#""n": 1.50,"#))
            #expect(try await run("--indent", "99", "\(server.url)/json").status == 64)
        }
    }

    @Test("--chunked sends a body without its length")
    func chunked() async throws {
        try await withServer { server in
            let folder = try TemporaryFolder()
            let file = try folder.write("from a file", to: "f")
            #expect(try await run("--chunked", "\(server.url)/x", "a=1").output == "POST {\"a\":\"1\"}")
            #expect(server.requests.last?.headers[.transferEncoding] == "chunked")
            #expect(try await run("--chunked", "\(server.url)/x", "@\(file)").output == "POST from a file")
            #expect(server.requests.last?.headers[.contentLength] == nil)
            #expect(try await run("--chunked", "\(server.url)/x").output == "GET ")
            let curl = try await run("--curl", "--chunked", "\(server.url)/x", "a=1", shell: "sh -c \"$(\"$@\") -s\"")
            #expect(curl.output == "POST {\"a\":\"1\"}")
            #expect(server.requests.last?.headers[.transferEncoding] == "chunked")
        }
    }

    @Test("-4 and -6 only connect to addresses of their kind")
    func families() async throws {
        try await withServer { server in
            let url = "http://localhost:\(server.port)/x"
            #expect(try await run("-4", url).output == "GET ")
            #expect(try await run("-4", "\(server.url)/x").output == "GET ")
            let other = try await run("-6", "\(server.url)/x")
            #expect(other.status == CommandStatus.lookup.rawValue)
            #expect(other.notes.contains("it is not an IPv6 address"), "\(other.notes)")
            let given = try await run("-6", "--resolve", "a.test:127.0.0.1", "http://a.test:\(server.port)/")
            #expect(given.status != 0)
            #expect(try await run("-4", "-6", url).status == 64)
            let unknown = try await run("-4", "http://nowhere.invalid/")
            #expect(unknown.status == CommandStatus.lookup.rawValue, "\(unknown.notes)")
        }
    }

    @Test("-6 connects to an IPv6 address", .enabled(if: BuiltProgram.hasIPv6, "this machine has no ::1"))
    func ipv6() async throws {
        var configuration = LoopbackServer.Configuration()
        configuration.usesIPv6 = true
        try await withLoopbackServer(configuration: configuration) { routes in
            routes.get("/x") { _ in .text("six") }
        } _: { server in
            let url = "\(server.url)/x"
            #expect(url == "http://[::1]:\(server.port)/x")
            for option in ["-6", "--ipv6"] {
                let end = try await run(option, url)
                #expect(end.status == 0 && end.output == "six", "\(end.notes)")
            }
            let both = ["--resolve", "a.test:127.0.0.1,::1", "http://a.test:\(server.port)/x"]
            let remote = try await run(["-q", "-w", "{remote}", "-6"] + both)
            #expect(remote.status == 0 && remote.output == "[::1]:\(server.port)\n", "\(remote.notes)")
            let other = try await run("-4", url)
            #expect(other.status == CommandStatus.lookup.rawValue)
            #expect(other.notes.contains("it is not an IPv4 address"), "\(other.notes)")
        }
    }

    @Test(
        "--tls-min refuses servers with older versions",
        arguments: [
            (ServerTLS.Version.tls12, "1.2", true), (.tls12, "1.3", false), (.tls13, "1.2", true),
            (.tls13, "1.3", true),
        ]
    )
    func tls(version: ServerTLS.Version, minimum: String, isServed: Bool) async throws {
        var tls = try ServerTLS.selfSigned()
        tls.maximumVersion = version
        let folder = try TemporaryFolder()
        let root = try folder.write(tls.rootPEM, to: "root.pem")
        try await withLoopbackServer(tls: tls, routes: { $0.get("/x") { _ in .text("safe") } }) { server in
            let url = "\(server.url)/x"
            let end = try await run("--verify", root, "--tls-min", minimum, url)
            if isServed {
                #expect(end.status == 0 && end.output == "safe", "\(end.notes)")
            } else {
                #expect(end.status == CommandStatus.tls.rawValue && end.output.isEmpty)
                let reason = "the handshake failed: tlsv1 alert protocol version"
                #expect(end.notes == "cumulus: tls: \(url): \(reason)\n")
                #expect(server.counts.requestsBegun == 0)
            }
            #expect(try await run("--tls-min", "1.1", url).status == 64)
        }
    }

    @Test("a host in any script is requested in ASCII")
    func internationalHost() async throws {
        try await withServer { server in
            let end = try await run(
                "--resolve",
                "xn--bcher-kva.test:127.0.0.1",
                "http://B\u{FC}cher.test:\(server.port)/x"
            )
            #expect(end.output == "GET ", "\(end.notes)")
            let fields = server.requests.last.map { Array($0.headers) } ?? []
            #expect(fields.contains { $0.value == "xn--bcher-kva.test:\(server.port)" })
            let wrong = try await run("http://a\u{E000}b.test/")
            #expect(wrong.status == 64 && wrong.notes.contains("U+E000"), "\(wrong.notes)")
        }
    }
}
