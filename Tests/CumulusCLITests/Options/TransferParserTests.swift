// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Testing

@testable import CumulusCLI

@Suite(.serialized) struct TransferParserTests {
    private func download(_ arguments: String..., files: [String: String] = [:]) throws -> DownloadJob {
        guard case .download(let plan) = try Invocation.parse(["download"] + arguments, in: .of(files: files)) else {
            throw SystemProblem(description: "no download")
        }
        return plan
    }

    private func upload(_ arguments: String...) throws -> UploadPlan {
        guard case .upload(let plan) = try Invocation.parse(["upload"] + arguments, in: .of()) else {
            throw SystemProblem(description: "no upload")
        }
        return plan
    }

    @Test func aTimeLimitOfRetriesNeedsNoNumberOfThem() throws {
        let retry = try #require(try download("--retry-max-time", "30", "x.y").requests.first?.retry)
        #expect(retry.maxTime == .seconds(30) && retry.limit == RetryPolicy.default.limit)
        #expect(try download("x.y").requests.first?.retry == nil)
        #expect(mistake(["--retry-max-time", "30", "x.y"])?.reason == "--retry-max-time needs --retry")
    }

    @Test func aMinimumRateTakesSecondsWithAUnit() throws {
        let rate = try #require(try download("--minimum-rate", "1k:2m", "x.y").requests.first?.minimumRate)
        #expect(rate == MinimumRate(bytesPerSecond: 1_024, over: .seconds(120)))
    }

    @Test func aDownloadTakesItsOptions() throws {
        let plan = try download(
            "-c",
            "-x",
            "6",
            "-o",
            "out/",
            "--checksum",
            "md5:d41d8cd98f00b204e9800998ecf8427e",
            "--limit-rate",
            "2.5M",
            "--remote-time",
            "-a",
            "ada:x",
            "--timeout",
            "5",
            "example.com/a?b=1",
            "X-A:1",
            "q==2"
        )
        #expect(plan.resumes && plan.connections == 6 && plan.output == "out/" && plan.setsTime && !plan.overwrites)
        #expect(plan.checksum?.algorithm == .md5)
        let request = try #require(plan.requests.first)
        #expect(try request.target == .absolute(RequestURL("https://example.com/a")) && request.method == "GET")
        #expect(request.urlQuery == "b=1" && request.queryItems.map(\.name) == ["q"])
        #expect(request.bandwidth?.bytesPerSecond == 2_621_440)
        #expect(request.timeout == .seconds(5) && request.identity != nil)
    }

    @Test func aValueMayBeJoinedToItsLetter() throws {
        let plan = try download("-x6", "-oout.bin", "-au:p", "x.y")
        #expect(plan.connections == 6 && plan.output == "out.bin")
        guard case .basic("u", let password)? = plan.requests.first?.identity else {
            Issue.record("-au:p names no user")
            return
        }
        #expect(password?.revealed == "p")
        #expect(try download("-ilist", files: ["list": "x.y"]).isList)
    }

    @Test func aListIsALineAURL() throws {
        let plan = try download("-i", "urls", "X-A:1", files: ["urls": "# two\n\n  a.example/1 \r\nb.example/2\n"])
        #expect(plan.isList)
        let urls = [try RequestURL("https://a.example/1"), try RequestURL("https://b.example/2")]
        #expect(plan.requests.map(\.target) == urls.map(Plan.Target.absolute))
        #expect(plan.requests.allSatisfy { !$0.headers.isEmpty })
    }

    @Test func anUploadTakesAFileAndAURL() throws {
        let plan = try upload("dir/photo.png", ":3000/x", "Content-Type:image/x", "--method", "post")
        #expect(plan.name == "photo.png" && plan.request.method == "POST")
        guard case .file("dir/photo.png") = plan.request.body else {
            Issue.record("the body is another one")
            return
        }
        guard case .uploadedInput = try upload("-", "a.example").request.body else {
            Issue.record("- is not standard input")
            return
        }
    }

    private static let mistakes: [(arguments: [String], reason: String, hint: String?)] = [
        (["download"], "missing URL", "cumulus download URL"),
        (["download", "-x", "0", "x.y"], "--connections takes", nil),
        (["download", "-x", "17", "x.y"], "--connections takes", nil),
        (["download", "--parallel", "0", "x.y"], "--parallel takes", nil),
        (["download", "x.y", "Range:bytes=0-1"], "automatically", "-o FILE saves a range"),
        (["download", "-i", "bad"], "line 1 of the list, ", "http://"),
        (["download", "--checksum", "abc", "x.y"], "--checksum", "sha256:"),
        (["download", "--checksum", "crc9:00", "x.y"], "--checksum", "sha256:"),
        (["download", "--checksum", "md5:00", "x.y"], "--checksum", "sha256:"),
        (["download", "--limit-rate", "fast", "x.y"], "--limit-rate takes", "500k"),
        (["download", "--limit-rate", "0", "x.y"], "--limit-rate takes", nil),
        (["download", "-o", "-", "x.y"], "standard output", "prints the body"),
        (["download", "x.y", "a=b"], "is data", "a query item"),
        (["download", "x.y", "z.y"], "no separator", nil),
        (["download", "-i", "nowhere"], "can't be read", nil),
        (["download", "-i", "empty"], "contains no URLs", nil),
        (["download", "-i", "empty", "https://x.y"], "--list already provides the URLs", nil),
        (["download", "-i", "bad"], "htp", nil),
        (["download", "--nope", "x.y"], "--nope", "cumulus download --help"),
        (["upload"], "missing file", "cumulus upload FILE URL"),
        (["upload", "a.txt"], "missing URL", "cumulus upload FILE URL"),
        (["upload", "https://x.y/", "a.txt"], "the file must come before", nil),
        (["upload", ":7002/upload", "a.txt"], "the file must come before", "cumulus upload FILE URL"),
        (["download", "POST", ":7002/x"], "it can't use the method 'POST'", "cumulus POST URL -o FILE"),
        (["upload", "a.txt", "x.y", "a=b"], "is data", "cumulus -f URL"),
        (["upload", "a.txt", "x.y", "--method", "no way"], "in --method is not a valid method", nil),
        (["-q", "download", "x.y"], "the command download must come before", "see cumulus download --help"),
        (["-v", "upload", "a.txt", "x.y"], "the command upload must come before", "see cumulus upload --help"),
    ]

    @Test(arguments: mistakes)
    func mistakesGetAReasonAndAHint(arguments: [String], reason: String, hint: String?) {
        let found = mistake(arguments, in: .of(files: ["empty": "# nothing\n", "bad": "htp://x\n"]))
        #expect(found?.reason.contains(reason) == true, "\(String(describing: found))")
        if let hint { #expect(found?.hint?.contains(hint) == true, "\(String(describing: found))") }
    }

    @Test(arguments: ["download", "upload"]) func eachHasAHelpOfItsOwn(name: String) throws {
        guard case .text(let help) = try Invocation.parse([name, "--help"], in: .of()) else {
            Issue.record("--help asks for something else than a text")
            return
        }
        #expect(help.contains("cumulus \(name) "))
        for option in ["--limit-rate", "--auth", "--timeout", "--verify"] { #expect(help.contains(option)) }
        #expect(help.split(separator: "\n", omittingEmptySubsequences: false).count <= 90)
        guard case .text(let main) = try Invocation.parse(["--help"], in: .of()) else { return }
        #expect(main.contains(name))
    }

    @Test(
        arguments: [
            ("500", 500), ("500k", 512_000), ("2.5M", 2_621_440), ("1GiB", 1 << 30), ("1kB/s", 1_024), ("1e3", nil),
            ("", nil), ("k", nil), ("-5", nil), ("99999999999T", nil),
        ] as [(String, Int64?)]
    )
    func ratesAreRead(text: String, bytes: Int64?) { #expect(RateParser.bytes(text) == bytes) }

    private let surroundings = Surroundings.of(environment: ["TOKEN": "hunter2"], files: ["f": "hunter2"])

    private func continuation(_ arguments: [String]) throws -> String {
        guard case .download(let plan) = try Invocation.parse(["download"] + arguments, in: surroundings) else {
            throw SystemProblem(description: "no download")
        }
        return plan.continuation
    }

    @Test func theContinuationIsTheSameCommandWithoutItsSecrets() throws {
        #expect(
            try continuation(["-o", "a b.iso", "https://a.example/x?y=1", "X-Trace:1"])
                == "cumulus download -c -o 'a b.iso' 'https://a.example/x?y=1' X-Trace:1"
        )
        #expect(try continuation(["-c", "a.example/x"]) == "cumulus download -c a.example/x")
    }

    @Test(
        "the continuation shows no secret",
        arguments: [
            ["-a", "ada:hunter2", "x.y"], ["-aada:hunter2", "x.y"], ["--auth=ada:hunter2", "x.y"],
            ["-A", "bearer", "-a", "hunter2", "x.y"], ["-ca", "ada:hunter2", "x.y"], ["https://ada:hunter2@x.y/z"],
            ["x.y", "Authorization:hunter2"], ["x.y", "X-Api-Key:hunter2"], ["-Abearer", "--auth=hunter2", "x.y"],
            ["ada:hunter2@x.y"], ["hunter2@x.y"], ["ada:hunter2\u{301}@x.y"], ["x.y", "access_token==hunter2"],
            ["x.y?access_token=hunter2"], ["https://x.y/?a=1&access%5Ftoken=hunter2#token=hunter2"],
            ["--base", "ada:hunter2@x.y/v1", "z"], ["--base=https://ada:hunter2@x.y/v1?token=hunter2", "z"],
            ["-ahunter2", "-Abearer", "x.y"], ["-a", "hunter2", "--auth-type", "Bearer", "x.y"],
            ["--auth-type=bearer", "-a=hunter2", "x.y"], ["-A=bearer", "-ahunter2", "x.y"],
            ["-A", "apikey", "-a", "hunter2", "x.y"], ["-A", "apikey", "-a", "X-Odd:hunter2", "x.y"],
            ["-A", "apikey", "-a", "odd==hunter2", "x.y"], ["-A", "digest", "-a", "ada:hunter2", "x.y"],
            ["x.y", "Cookie:sid=hunter2"], ["x.y", "Referer:https://z/?token=hunter2"],
            ["x.y", "Authorization:hunter2", "access\\_token==hunter2"],
        ]
    )
    func theContinuationShowsNoSecret(arguments: [String]) throws {
        let text = try continuation(arguments)
        #expect(!text.contains("hunter2"), "\(text)")
        #expect(text.contains("x.y"))
        // It continues in the same way, and asks for missing secrets.
        let again = try continuation(try BuiltProgram.words(of: text))
        #expect(again == text)
    }

    @Test(
        "a reference to a secret is repeated",
        arguments: [
            ["-A", "bearer", "-a", "env:TOKEN", "x.y"], ["-a", "ada:env:TOKEN", "x.y"],
            ["-A", "digest", "-a", "ada:@f", "x.y"],
            ["-A", "apikey", "-a", "X-Odd:env:TOKEN", "x.y"], ["-A", "apikey", "-a", "odd==env:TOKEN", "x.y"],
            ["--ignore-netrc", "x.y"], ["--public-only", "--allow-address", "10.0.0.0/8,api.internal", "x.y"],
        ]
    )
    func theContinuationRepeatsWhereSecretsStand(arguments: [String]) throws {
        // There may be shell quotes around a word.
        let plain = try continuation(arguments).filter { $0 != "'" }
        #expect(plain == "cumulus download -c \(arguments.joined(separator: " "))")
    }

    @Test func theContinuationRepeatsEveryOption() throws {
        let arguments = [
            "-q", "-q", "--remote-time", "--overwrite", "--no-follow", "--show-secrets", "-o-x.iso", "-x", "2",
            "--checksum", "md5:d41d8cd98f00b204e9800998ecf8427e", "--limit-rate", "5k", "--minimum-rate", "1k:9",
            "--rate", "30/m", "--timeout", "5", "--max-time", "7.5", "--verify", "no", "--unix-socket", "s",
            "--http-version", "2", "--resolve", "x.y:127.0.0.1", "--proxy", "http://p:1", "--noproxy", "a,b",
            "--proxy-user", "eve", "--base", "x.y/v1", "-a", "ada", "z", "q==1",
        ]
        let text = try continuation(arguments)
        for word in arguments { #expect(text.contains(word), "\(word) is missing: \(text)") }
        #expect(try continuation(try BuiltProgram.words(of: text)) == text)
    }
}
