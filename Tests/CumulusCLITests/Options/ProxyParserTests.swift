// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import Testing

@testable import CumulusCLI

struct ProxyParserTests {
    private func plan(_ arguments: [String], _ environment: [String: String] = [:]) throws -> Plan {
        let words = arguments + ["http://x.example"]
        guard case .request(let plan) = try Invocation.parse(words, in: .of(environment: environment)) else {
            throw UsageMistake("no request")
        }
        return plan
    }

    private func proxy(_ arguments: [String], _ environment: [String: String] = [:]) throws -> Proxy? {
        try plan(arguments, environment).proxy.proxy(for: Origin(scheme: .http, host: "x.example"))
    }

    @Test(
        arguments: [
            ([], [:], nil), (["--proxy", "p:1"], [:], "http://p:1"),
            (["--proxy", "socks5h://p"], [:], "socks5://p:1080"),
            ([], ["http_proxy": "p:1"], "http://p:1"), ([], ["HTTP_PROXY": "p:1"], nil),
            (["--proxy", "q:2"], ["http_proxy": "p:1"], "http://q:2"), (["--proxy", ""], ["http_proxy": "p:1"], nil),
            (["--noproxy", "*"], ["http_proxy": "p:1"], nil), (["--noproxy", ".example"], ["all_proxy": "p:1"], nil),
            (["--noproxy", ""], ["http_proxy": "p:1", "no_proxy": "*"], "http://p:1"),
            (["--proxy", "q:2"], ["no_proxy": "x.example"], nil), (["--proxy", "q:2"], ["NO_PROXY": "x.example"], nil),
            (["--proxy", "q:2", "--noproxy", "y"], ["no_proxy": "x.example"], "http://q:2"),
        ] as [([String], [String: String], String?)]
    )
    func optionsComeBeforeTheEnvironment(
        _ arguments: [String],
        _ environment: [String: String],
        _ shown: String?
    ) throws {
        #expect(try proxy(arguments, environment)?.description == shown)
    }

    @Test func theUserIsInTheURLOrApart() throws {
        let ada = Credentials(user: "ada", password: "love:lace")
        #expect(try proxy(["--proxy", "http://ada:love%3Alace@p:1"])?.credentials == ada)
        #expect(try proxy(["--proxy", "p:1", "--proxy-user", "ada:love:lace"])?.credentials == ada)
        #expect(try proxy(["--proxy", "eve:x@p:1", "--proxy-user", "ada:love:lace"])?.credentials == ada)
        let elsewhere = ["http_proxy": "p:1", "SECRET": "love:lace"]
        #expect(try proxy(["--proxy-user", "ada:env:SECRET"], elsewhere)?.credentials == ada)
        #expect(try proxy(["--proxy", "p:1", "--proxy-user", "ada"])?.credentials?.password == "")
    }

    @Test(arguments: [
        (["--proxy", "ftp://p"], "--proxy"), (["--proxy", "http://ada:secret@p:x"], "--proxy"),
        (["--noproxy", "10.*"], "--noproxy"), (["--proxy-user", "ada:secret"], "--proxy-user"),
        (["--proxy", "p", "--proxy-user", "ada:env:NOWHERE"], "--proxy-user"),
        (["--proxy", "socks4a://p", "--proxy-user", "ada:secret"], "--proxy-user"),
    ])
    func whatCannotBeMeantIsNamed(_ arguments: [String], _ named: String) throws {
        let mistake = #expect(throws: UsageMistake.self) { try plan(arguments) }
        #expect(mistake.map { "\($0)".contains(named) && !"\($0)".contains("secret") } == true, "\(mistake as Any)")
    }

    @Test func aVariableThatCannotBeReadIsNamedWhereItMatters() async throws {
        let console = MemoryConsole(environment: ["http_proxy": "http://ada:secret@p:x"])
        #expect(await console.run("http://x.example") == .usage)
        #expect(console.notes.contains { $0.contains("http_proxy") } && !console.notes.joined().contains("secret"))
    }

    @Test("an entry of no_proxy that can't be read is left out with a warning, if there is a proxy")
    func unreadableExceptions() throws {
        let list = "10.*,http://ada:secret@p,x.example"
        for arguments in [[], ["--proxy", "p:1"]] as [[String]] {
            let plan = try plan(arguments, ["http_proxy": "q:1", "no_proxy": list])
            #expect(try plan.proxy.proxy(for: Origin(scheme: .http, host: "x.example")) == nil)
            let notice = try #require(plan.notices.first { $0.contains("no_proxy") })
            #expect(notice.contains("'10.*'") && !notice.contains("secret"), "\(notice)")
        }
        #expect(try plan([], ["no_proxy": list]).notices.isEmpty)
        #expect(try plan(["--noproxy", "y"], ["http_proxy": "q:1", "no_proxy": list]).notices.isEmpty)
    }

    @Test func theCommandGoesByAProxyAndTellsSo() async throws {
        let server = try await LoopbackServer.start { routes in routes.get("/") { _ in .text("hello") } }
        var configuration = LoopbackProxy.Configuration()
        configuration.credentials = Credentials(user: "ada", password: "lovelace")
        let proxy = try await LoopbackProxy.start(configuration)
        let url = "http://site.invalid:\(server.port)/"
        let console = MemoryConsole(environment: ["http_proxy": "http://ada:lovelace@127.0.0.1:\(proxy.port)"])
        #expect(await console.run("-m", "-b", url) == .success)
        #expect(console.output.contains("Proxy: http://127.0.0.1:\(proxy.port)\n") && console.output.contains("hello"))
        let refused = MemoryConsole(environment: ["http_proxy": "http://eve:secret@127.0.0.1:\(proxy.port)"])
        #expect(await refused.run("-v", url) == .connect)
        #expect(refused.notes.joined().contains("the proxy http://127.0.0.1:\(proxy.port) refused"))
        #expect(!(refused.notes.joined() + refused.output).contains("secret"))
        await server.shutdown()
    }

    @Test func theCommandForCurlNamesTheProxy() async throws {
        let console = MemoryConsole()
        #expect(await console.run("--curl", "--proxy", "http://ada:secret@p:1", "http://x.example") == .success)
        #expect(console.output.contains("--proxy http://p:1 --proxy-user '<redacted>'"), "\(console.output)")
        #expect(!console.output.contains("secret"))
    }
}
