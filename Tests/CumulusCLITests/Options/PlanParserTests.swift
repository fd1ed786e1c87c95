// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Testing

@testable import CumulusCLI

@Suite(.serialized) struct PlanParserTests {
    private static let methods: [(arguments: [String], method: String)] = [
        (["example.com"], "GET"),
        (["example.com", "a==1", "X:y"], "GET"),
        (["example.com", "a=1"], "POST"),
        (["example.com", "a:=1"], "POST"),
        (["get", "example.com"], "GET"),
        (["Delete", "example.com"], "DELETE"),
        (["put", "example.com", "a=1"], "PUT"),
        (["PURGE", "example.com"], "PURGE"),
        (["localhost", "a=1"], "POST"),
        (["localhost"], "GET"),
        (["--raw", "text", "example.com"], "POST"),
        (["example.com", "--offline", "a=1"], "POST"),
        (["--base", "example.com", "users", "name=Ada"], "POST"),
        (["--base", "example.com", "users"], "GET"),
        (["--base", "example.com", "PURGE", "users"], "PURGE"),
    ]

    @Test(arguments: methods)
    func guessesTheMethod(arguments: [String], method: String) throws {
        let plan = try plan(arguments)
        let hasBody = if case .none = plan.body { false } else { true }
        #expect(plan.method(hasBody: hasBody) == method)
    }

    @Test func theResponseCanBeCalledSomethingElse() throws {
        let plan = try plan(["--response-charset", "gb2312", "--response-mime", "text/xml", "example.com"])
        #expect(plan.output.charset == "gb2312")
        #expect(plan.output.responseType == MediaType("text", "xml"))
        #expect(throws: UsageMistake.self) { try self.plan(["--response-charset", "nonsense", "example.com"]) }
        #expect(throws: UsageMistake.self) { try self.plan(["--response-mime", "nonsense", "example.com"]) }
    }

    @Test func itemsAndOptionsMayStandInAnyOrder() throws {
        let plan = try plan(["-v", "post", "--timeout", "5", "example.com", "a=1", "-j", "b==2"])
        #expect(plan.method == "POST")
        #expect(plan.timeout == .seconds(5))
        #expect(plan.queryItems == [.init(name: "b", value: "2")])
    }

    @Test func standardInputIsTheBodyOnlyWhereItMayBe() throws {
        func takesInput(_ arguments: String..., terminal: Bool = false) throws -> Bool {
            let plan = try plan(arguments, in: .of(inputIsTerminal: terminal))
            return if case .input = plan.body { true } else { false }
        }
        #expect(try takesInput("post", "example.com"))
        #expect(try takesInput("PURGE", "example.com", "q==1", "X-A:1"))
        #expect(try !takesInput("example.com"))
        #expect(try !takesInput("example.com", "q==1"))
        #expect(try !takesInput("delete", "example.com"))
        #expect(try takesInput("example.com", "@-"))
        #expect(try takesInput("delete", "example.com", "@-", terminal: true))
        #expect(try !takesInput("post", "example.com", terminal: true))
        #expect(try !takesInput("post", "example.com", "--ignore-stdin"))
        #expect(try !takesInput("post", "example.com", "a=1"))
        #expect(try !takesInput("get", "example.com"))
        #expect(try !takesInput("--raw", "x", "example.com"))
    }

    @Test func aBaseMakesTheURLAPath() throws {
        let plan = try plan(["--base", "example.com/v1?key=1", "get", "users/42?x=2"])
        #expect(try plan.target == .child(base: RequestURL("https://example.com/v1"), path: "users/42"))
        #expect(plan.urlQuery == "key=1&x=2")
    }

    @Test func theBaseMayComeFromTheEnvironment() throws {
        let surroundings = Surroundings.of(environment: ["CUMULUS_BASE": ":3000/api"])
        #expect(
            try plan(["users"], in: surroundings).target
                == .child(base: RequestURL("http://localhost:3000/api"), path: "users")
        )
        #expect(try plan(["https://a.b/c"], in: surroundings).target == .absolute(RequestURL("https://a.b/c")))
        #expect(try plan([":8080/c"], in: surroundings).target == .absolute(RequestURL("http://localhost:8080/c")))
        #expect(
            try plan(["--base", "x.y", "z"], in: surroundings).target
                == .child(base: RequestURL("https://x.y/"), path: "z")
        )
    }

    @Test func credentialsAreReadByKind() throws {
        #expect(try plan(["-a", "ada:pa:ss", "x.y"]).identity == .basic(user: "ada", password: "pa:ss"))
        #expect(try plan(["-a", "ada", "x.y"]).identity == .basic(user: "ada", password: nil))
        #expect(try plan(["-a", "ada:", "x.y"]).identity == .basic(user: "ada", password: ""))
        #expect(try plan(["-A", "bearer", "-a", "t0k:en", "x.y"]).identity == .bearer("t0k:en"))
        #expect(try plan(["a%20b:c%3Ad@x.y"]).identity == .basic(user: "a b", password: "c:d"))
        #expect(try plan(["u:p@x.y", "-a", "v:q"]).identity == .basic(user: "v", password: "q"))
        #expect(try plan(["x.y"]).identity == nil)
    }

    private static let printed: [(options: [String], parts: OutputPlan.Parts)] = [
        ([], OutputPlan.Parts.responseBody),
        (["-h"], .responseHead),
        (["-b"], .responseBody),
        (["-m"], .meta),
        (["-v"], .all),
        (["-vv"], [.all, .meta]),
        (["-hb"], [.responseHead, .responseBody]),
        (["-p", "Hh"], [.requestHead, .responseHead]),
        (["-pHBhbm"], [.all, .meta]),
        (["--print=b"], .responseBody),
        (["--offline"], [.requestHead, .requestBody]),
    ]

    @Test(arguments: printed)
    func choosesWhatIsPrinted(options: [String], parts: OutputPlan.Parts) throws {
        #expect(try plan(options + ["x.y"]).output.parts == parts)
    }

    @Test("a pipe gets the headers of a response to HEAD, which has no body")
    func headsAreNotLost() throws {
        #expect(try plan(["head", "x.y"]).output.parts == .responseHead)
        #expect(try plan(["head", "-b", "x.y"]).output.parts == .responseBody)
        #expect(try plan(["head", "-o", "f", "x.y"]).output.parts == .responseBody)
    }

    @Test func aTerminalGetsHeadersLayoutAndColors() throws {
        let output = try plan(["x.y"], in: .of(outputIsTerminal: true)).output
        #expect(output.parts == [.responseHead, .responseBody])
        #expect(output.formats && output.colors && output.isTerminal)
        let piped = try plan(["x.y"]).output
        #expect(!piped.formats && !piped.colors)
    }

    private static let colors: [(terminal: Bool, environment: [String: String], pretty: String?, expected: Bool)] = [
        (true, ["NO_COLOR": "1"], nil, false),
        (true, ["NO_COLOR": ""], nil, true),
        (true, ["TERM": "dumb"], nil, false),
        (true, ["CLICOLOR": "0"], nil, false),
        (false, ["CLICOLOR_FORCE": "1"], nil, true),
        (false, ["CLICOLOR_FORCE": "0"], nil, false),
        (false, ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], nil, false),
        (true, ["NO_COLOR": "1"], "all", true),
        (false, [:], "colors", true),
        (true, [:], "none", false),
    ]

    @Test(arguments: colors)
    func colorsFollowTheConventions(
        terminal: Bool,
        environment: [String: String],
        pretty: String?,
        expected: Bool
    ) throws {
        let arguments = (pretty.map { ["--pretty", $0] } ?? []) + ["x.y"]
        let output = try plan(arguments, in: .of(outputIsTerminal: terminal, environment: environment)).output
        #expect(output.colors == expected)
    }

    @Test func connectionOptionsAreUnderstood() throws {
        let roots = "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n"
        let surroundings = Surroundings.of(files: ["ca.pem": roots])
        let arguments = ["--verify", "ca.pem", "--max-redirects", "3", "--timeout", "0.5", "--max-time", "7", "x.y"]
        let plan = try plan(arguments, in: surroundings)
        #expect(plan.verification == .authority(pem: Array(roots.utf8)))
        #expect(plan.deadline == .seconds(7))
        #expect(mistake(["--verify", "nofile", "x.y"])?.reason.contains("the --verify file 'nofile'") == true)
        #expect(plan.maximumRedirects == 3)
        #expect(plan.timeout == .milliseconds(500))
        #expect(try self.plan("--no-follow", "x.y").maximumRedirects == 0)
        #expect(try self.plan("--verify=yes", "x.y").verification == .system)
        #expect(try self.plan("--verify=no", "x.y").verification == .none)
    }

    @Test(arguments: [("1.1", HTTPVersion.http1), ("2", .http2), ("auto", .automatic)])
    func theVersionOfHTTPCanBeChosen(text: String, version: HTTPVersion) throws {
        #expect(try plan("--http-version", text, "x.y").httpVersion == version)
        #expect(try plan("x.y").httpVersion == .automatic)
    }

    @Test func verifyingNothingIsSaidLoudly() throws {
        #expect(try plan("--verify=no", "x.y").notices.contains { $0.contains("NOT checked") })
    }

    @Test("however short, a time is a limit", arguments: ["1e-300", "1e-20", "1e-10"])
    func shortTimes(text: String) throws {
        let plan = try plan("x.y", "--timeout", text, "--max-time", text)
        #expect(try #require(plan.timeout) > .zero)
        #expect(try #require(plan.deadline) > .zero)
    }

    @Test func dataOfAGetIsSentButNoticed() throws {
        let plan = try plan("get", "x.y", "q=cats")
        #expect(plan.notices == ["GET with a body: 'q=' is data, q== is a query item"])
    }

    private func plan(_ arguments: String...) throws -> Plan { try CumulusCLITests.plan(arguments) }

    private func plan(_ arguments: [String], in surroundings: Surroundings = .of()) throws -> Plan {
        try CumulusCLITests.plan(arguments, in: surroundings)
    }
}
