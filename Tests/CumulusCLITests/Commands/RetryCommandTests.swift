// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusServices
import CumulusTestServer
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCLI

@Suite(.timeLimit(.minutes(10))) struct RetryCommandTests {
    /// Responds with 503 a number of times, then with success.
    private func withServer(
        failures: Int,
        status: HTTPResponse.Status = .serviceUnavailable,
        _ work: (String, Held) async throws -> Void
    ) async throws {
        let seen = Held()
        let answer: @Sendable (ServerRequest) -> ServerResponse = { request in
            let count = seen.requests.withLock { requests in
                requests.append(request.headers)
                return requests.count
            }
            // With a time, a 503 says that the request was refused, so that it is retried whatever its method.
            let now: Headers = status == .serviceUnavailable ? ["Retry-After-Ms": "1"] : [:]
            return count <= failures ? ServerResponse(status, headers: now) : .text("ok")
        }
        let routes: @Sendable (inout Routes) -> Void = { routes in
            routes.get("/x", answer)
            routes.post("/x", answer)
        }
        try await withLoopbackServer(routes: routes) { server in try await work("\(server.url)/x", seen) }
    }

    private final class Held: Sendable { let requests = Mutex<[HTTPFields]>([]) }

    @Test func withoutTheOptionNothingIsRetried() async throws {
        try await withServer(failures: 1) { url, seen in
            let console = MemoryConsole()
            #expect(await console.run("get", url) == .serverError)
            #expect(seen.requests.withLock(\.count) == 1)
        }
    }

    @Test func itRetriesSoOftenAndSaysSo() async throws {
        try await withServer(failures: 2) { url, seen in
            let console = MemoryConsole()
            #expect(await console.run("get", url, "--retry", "2") == .success)
            #expect(console.output == "ok")
            let note = "cumulus: 503 Service Unavailable, retrying in 1 ms (Retry-After-Ms)"
            #expect(console.notes == [note, note])
        }
        try await withServer(failures: 2) { url, seen in
            let console = MemoryConsole()
            #expect(await console.run("get", url, "--retry=1", "-qq") == .serverError)
            #expect(seen.requests.withLock(\.count) == 2)
        }
    }

    @Test func aStatusThatIsNotTriedAgainSaysWhy() async throws {
        try await withServer(failures: 9, status: .badGateway) { url, _ in
            let console = MemoryConsole()
            #expect(await console.run("post", url, "a=b", "--retry=2") == .serverError)
            let reason = "not retried: POST may already have taken effect; an Idempotency-Key would make a retry safe"
            #expect(console.notes == ["cumulus: status: \(url): 502 Bad Gateway: \(reason)"])
        }
        try await withServer(failures: 9) { url, _ in
            let console = MemoryConsole()
            #expect(await console.run("get", url, "--retry=1") == .serverError)
            #expect(console.notes.last == "cumulus: status: \(url): 503 Service Unavailable: given up after 1 retry")
            let once = MemoryConsole()
            #expect(await once.run("get", url) == .serverError)
            #expect(once.notes == ["cumulus: status: \(url): 503 Service Unavailable"])
        }
    }

    @Test("a body that was interrupted on its way to the output can't be retried") func brokenBody() async throws {
        let server = try await LoopbackServer.start { routes in
            routes.get("/x") { _ in .text("half of it").failing(.cut(at: 4)) }
        }
        let console = MemoryConsole()
        #expect(await console.run("get", "\(server.url)/x", "--retry=2", "--explain") == .partial)
        #expect(console.output == "half")
        #expect(console.notes.contains("cumulus: not retried: the beginning of the body has already been written"))
        let plain = MemoryConsole()
        #expect(await plain.run("get", "\(server.url)/x", "--explain") == .partial)
        #expect(!plain.notes.joined().contains("not retried"))
        await server.shutdown()
    }

    @Test("with a list, each line of --explain names its request") func listsAreExplained() async throws {
        let folder = try TemporaryFolder()
        try await withServer(failures: 1) { url, _ in
            let list = "\(url)?a=1\n"
            let console = MemoryConsole(files: ["list": list])
            let words = ["download", "-i", "list", "-o", folder.path, "--explain", "--retry=1", "-q"]
            #expect(await CommandRun(console.console).run(words) == .success, "\(console.notes)")
            let place = "cumulus: \(url)?a=<redacted>: "
            #expect(console.notes.count { $0.hasPrefix(place) } >= 3, "\(console.notes)")
            #expect(console.notes.contains("\(place)503 Service Unavailable, retrying in 1 ms (Retry-After-Ms)"))
        }
    }

    @Test func explainTellsEachAttempt() async throws {
        try await withServer(failures: 1) { url, _ in
            let console = MemoryConsole()
            #expect(await console.run("get", url, "--explain") == .serverError)
            #expect(console.notes.prefix(2) == ["cumulus: attempt 1: GET \(url)", "cumulus: response 503"])
        }
        try await withServer(failures: 2) { url, _ in
            let console = MemoryConsole()
            #expect(await console.run("get", url, "--retry", "1", "--explain") == .serverError)
            #expect(console.notes.contains("cumulus: 503 Service Unavailable, retrying in 1 ms (Retry-After-Ms)"))
            #expect(console.notes.contains("cumulus: attempt 2: GET \(url)"))
            #expect(console.notes.contains("cumulus: 503 Service Unavailable, given up after 1 retry"))
        }
    }

    @Test("-vv prints the requests of a call as a table, if there were several")
    func table() async throws {
        try await withServer(failures: 1) { url, _ in
            let console = MemoryConsole()
            #expect(await console.run("get", url, "--retry", "2", "-vv") == .success)
            let lines = console.output.split(separator: "\n")
            #expect(lines.contains("Attempts: 2"))
            #expect(lines.contains { $0.hasPrefix("  1  call   503  ") && $0.hasSuffix(" ms  retried after 1 ms") })
            #expect(lines.contains { $0.hasPrefix("  2  retry  200  ") && $0.hasSuffix(" ms") })
            let once = MemoryConsole()
            #expect(await once.run("get", url, "-vv") == .success)
            #expect(!once.output.contains("Attempts"))
        }
    }

    @Test("--explain tells that a request was sent again on a new connection")
    func repetitionsAreExplained() async throws {
        let count = Mutex(0)
        let routes: @Sendable (inout Routes) -> Void = { routes in
            routes.get("/x") { _ in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return number == 2 ? .raw([.close]) : .text("ok")
            }
        }
        try await withLoopbackServer(routes: routes) { server in
            let url = "\(server.url)/x"
            let console = MemoryConsole()
            #expect(await console.run("get", url, url, "--explain") == .success)
            #expect(
                console.notes == [
                    "cumulus: attempt 1: GET \(url)", "cumulus: response 200", "cumulus: attempt 1: GET \(url)",
                    "cumulus: the reused connection had closed; sent again", "cumulus: attempt 2: GET \(url)",
                    "cumulus: response 200",
                ]
            )
        }
    }

    @Test("a POST is retried if it is declared safe", arguments: ["", "--retry-unsafe", "--idempotency-key"])
    func post(option: String) async throws {
        try await withServer(failures: 1, status: .badGateway) { url, seen in
            let console = MemoryConsole()
            let words = ["post", url, "a=b", "--retry=3", option].filter { !$0.isEmpty }
            #expect(await CommandRun(console.console).run(words) == (option.isEmpty ? .serverError : .success))
            let keys = seen.requests.withLock { $0.map { $0["Idempotency-Key"] } }
            #expect(keys.count == (option.isEmpty ? 1 : 2))
            #expect((keys.first != .some(nil)) == (option == "--idempotency-key"))
            #expect(Set(keys).count == 1)
        }
    }

    @Test("no retry begins after --retry-max-time")
    func maxTime() async throws {
        let routes: @Sendable (inout Routes) -> Void = { routes in
            routes.get("/x") { _ in ServerResponse(.serviceUnavailable, headers: [.retryAfter: "30"]) }
        }
        try await withLoopbackServer(routes: routes) { server in
            let console = MemoryConsole()
            let status = await console.run("get", "\(server.url)/x", "--retry=3", "--retry-max-time=20", "--explain")
            #expect(status == .serverError)
            #expect(console.notes.contains { $0.hasSuffix("would exceed the 20 s allowed for retries") })
        }
    }

    @Test(arguments: [
        ["--retry=-1"], ["--retry=1001"], ["--retry-max-time=3"], ["--retry-unsafe"],
        ["--retry=1", "--retry-max-time=-1"],
    ])
    func mistakes(options: [String]) async {
        let console = MemoryConsole()
        #expect(await CommandRun(console.console).run(["get", "http://127.0.0.1:1/"] + options) == .usage)
    }
}
