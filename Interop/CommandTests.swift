// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation
import Testing

@Suite(.enabled(if: InteropServers.httpbin != nil && BuiltCommand.path != nil, "\(InteropServers.reason)"))
struct CommandTests {
    private var httpbin: String { InteropServers.httpbin ?? "" }

    @Test func getsWithQueryAndHeader() throws {
        let run = try BuiltCommand.run(["get", "\(httpbin)/get", "a==1", "X-Test:yes"])
        #expect(run.status == 0)
        #expect(run.errors.isEmpty)
        let json = try JSON(parsing: run.output)
        #expect(json["args"] == ["a": "1"])
        #expect(json["headers"]["X-Test"].string == "yes")
    }

    @Test func postsJSON() throws {
        let run = try BuiltCommand.run(["post", "\(httpbin)/post", "name=Ada", "age:=36"])
        #expect(run.status == 0)
        #expect(try JSON(parsing: run.output)["json"] == ["name": "Ada", "age": 36])
    }

    @Test func postsAForm() throws {
        let run = try BuiltCommand.run(["-f", "post", "\(httpbin)/post", "name=Ada L", "age:=36"])
        #expect(try JSON(parsing: run.output)["form"] == ["name": "Ada L", "age": "36"])
    }

    @Test func postsStandardInput() throws {
        let run = try BuiltCommand.run(["post", "\(httpbin)/post"], input: "{\"from\": \"stdin\"}")
        #expect(try JSON(parsing: run.output)["json"] == ["from": "stdin"])
    }

    @Test func sendsCredentials() throws {
        let run = try BuiltCommand.run(["-a", "ada:pass", "\(httpbin)/basic-auth/ada/pass"])
        #expect(run.status == 0)
        #expect(try BuiltCommand.run(["-a", "ada:wrong", "\(httpbin)/basic-auth/ada/pass"]).status == 4)
    }

    @Test(arguments: [("204", 0), ("304", 3), ("404", 4), ("503", 5)])
    func exitsWithTheStatus(code: String, expected: Int32) throws {
        #expect(try BuiltCommand.run(["\(httpbin)/status/\(code)"]).status == expected)
    }

    @Test func exitsForTooManyRedirects() throws {
        #expect(try BuiltCommand.run(["--max-redirects=2", "\(httpbin)/redirect/3"]).status == 6)
        #expect(try BuiltCommand.run(["--no-follow", "\(httpbin)/redirect/3"]).status == 3)
    }

    @Test func exitsForARefusedConnectionWithOneLine() throws {
        let run = try BuiltCommand.run(["http://127.0.0.1:1/"])
        #expect(run.status == 8)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("cumulus: connect: http://127.0.0.1:1/: "))
        #expect(run.errors.split(separator: "\n").count == 1)
    }

    @Test func keepsCookiesThatCurlReads() throws {
        let file = NSTemporaryDirectory() + "cumulus-\(UUID().uuidString)"
        defer { for name in [file, "\(file).lock"] { try? FileManager.default.removeItem(atPath: name) } }
        let set = try BuiltCommand.run(["\(httpbin)/cookies/set?sid=s1", "--cookies", file])
        #expect(try JSON(parsing: set.output)["cookies"] == ["sid": "s1"])
        let again = try BuiltCommand.run(["\(httpbin)/cookies", "--cookies", file])
        #expect(try JSON(parsing: again.output)["cookies"] == ["sid": "s1"])
        let curl = Process()
        curl.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        curl.arguments = ["curl", "-s", "-b", file, "-c", file, "\(httpbin)/cookies/set?more=m", "-L"]
        let output = Pipe()
        curl.standardOutput = output
        try curl.run()
        let shown = Array(output.fileHandleForReading.readDataToEndOfFile())
        curl.waitUntilExit()
        #expect(try JSON(parsing: shown)["cookies"] == ["sid": "s1", "more": "m"])
        // A file written by curl is read.
        let last = try BuiltCommand.run(["\(httpbin)/cookies", "--cookies", file])
        #expect(try JSON(parsing: last.output)["cookies"] == ["sid": "s1", "more": "m"])
    }

    @Test func exitsForATimeout() throws {
        #expect(try BuiltCommand.run(["--timeout=0.3", "\(httpbin)/delay/3"]).status == 2)
    }

    @Test func exitsForAMistake() throws {
        let run = try BuiltCommand.run(["get", httpbin, "word"])
        #expect(run.status == 64)
        #expect(run.errors.contains("hint:"))
    }
}
