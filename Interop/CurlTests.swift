// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation
import HTTPTypes
import Testing

/// curl, run with our command, sends the same as we do.
@Suite(
    .enabled(
        if: InteropServers.httpbin != nil && FileManager.default.isExecutableFile(atPath: "/usr/bin/curl"),
        "\(InteropServers.reason)"
    )
)
struct CurlTests {
    /// The output of a shell with the real curl.
    private func run(_ command: String) throws -> JSON {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["bash", "-c", "curl() { command curl -sS \"$@\"; }; \(command)"]
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return try JSON(parsing: printed)
    }

    @Test(
        "curl sends what we send",
        arguments: [
            "it's $(id) `id` \"x\" !y \\n", "@/etc/passwd", "-d x", "a\nb\r\n\tc", "caf\u{E9} \u{202E}",
            "\u{1B}[2J\u{7F}",
            "a=b&c=%26", "nul\u{0}\\0 %b %%", "{\"a\":[1,2]}", "",
        ],
        ["POST", "PUT", "DELETE"]
    ) func curlSendsWhatWeSend(body: String, method: String) async throws {
        let site = try InteropTransport.nio.resource(InteropServers.httpbin)
        let verb = try #require(HTTPRequest.Method(method))
        let response = try await site["anything/it's"].call(
            verb,
            .text(body),
            query: ["q": "a b&c'd", "list": ["1", "2"]],
            headers: ["X-Odd": "it's $(id) \"q\" `x` \\", "X-Empty": ""]
        ).send()
        let mine = try response.json()
        let theirs = try run(response.request.curl(includingSecrets: true))
        for key in ["method", "url", "args", "data", "form", "json", "headers"] {
            #expect(theirs[key] == mine[key], "\(key): \(response.request.curl(includingSecrets: true))")
        }
    }

    @Test func curlSendsNothingLikeWeDo() async throws {
        let site = try InteropTransport.nio.resource(InteropServers.httpbin)
        for method in [HTTPRequest.Method.get, .delete, .post, .put, .patch] {
            let response = try await site["anything"].call(method).send()
            let (mine, theirs) = (try response.json(), try run(response.request.curl()))
            #expect(theirs["headers"] == mine["headers"], "\(response.request.curl())")
            #expect(theirs["method"] == mine["method"])
        }
    }
}
