// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Synchronization
import Testing

@testable import CumulusCLI

@Suite(.timeLimit(.minutes(10))) struct EventsCommandTests {
    private static let url = "http://a.example/feed"
    private static let deltas = """
        data: {"choices": [{"delta": {"role": "assistant", "content": null}}]}

        data: {"choices": [{"delta": {"content": "Two "}}]}

        data: {"choices": [{"delta": {"content": "words\\n"}}]}

        data: {"choices": [{"delta": {}}]}

        data: {"choices": [{"delta": {"content": "end"}}]}

        data: [DONE]

        data: {"choices": [{"delta": {"content": "after"}}]}


        """

    private static func answer(_ text: String, _ more: StubResponse.Step...) -> StubResponse {
        .script([.chunk(Array(text.utf8))] + more, headers: [.contentType: "text/event-stream"])
    }

    private func run(
        _ arguments: [String],
        _ text: String,
        on console: MemoryConsole = MemoryConsole()
    ) async -> (status: CommandStatus, console: MemoryConsole, transport: StubTransport) {
        let transport = StubTransport { _ -> StubResponse in Self.answer(text) }
        let status = await console.run(["events"] + arguments, over: transport)
        return (status, console, transport)
    }

    @Test func dataOfEachEventIsPrintedOnALine() async {
        let text = "data: one\n\n: comment\n\ndata: {\"a\":\ndata:  1.50}\n\ndata: [DONE]\n\ndata: two\ndata: lines\n\n"
        let (status, console, transport) = await run([Self.url, "--reconnect", "never", "q==1"], text)
        #expect(status == .success, "\(console.notes)")
        #expect(console.output == "one\n{\"a\":1.50}\n[DONE]\ntwo\nlines\n")
        #expect(console.notes.isEmpty)
        let request = transport.requests[0]
        #expect(request.request.method == .get && request.request.target == "/feed?q=1")
        #expect(request.headers[.accept] == "text/event-stream" && request.headers[.cacheControl] == "no-store")
    }

    @Test func filterPrintsValuesOfEachEvent() async {
        let words = [Self.url, "stream:=true", "--until", "[DONE]", "--filter", ".choices[0].delta.content"]
        let (status, console, transport) = await run(words, Self.deltas)
        #expect(status == .success, "\(console.notes)")
        #expect(console.output == "null\nTwo \nwords\n\nnull\nend\n")
        #expect(transport.requests[0].request.method == .post)
        #expect(transport.requests[0].body == Array("{\"stream\":true}".utf8))
    }

    @Test func joinPrintsTextsOneAfterAnother() async {
        let words = ["post", Self.url, "--until=[DONE]", "--filter=.choices[0].delta.content", "--join"]
        let (status, console, _) = await run(words + ["--ignore-stdin"], Self.deltas)
        #expect(status == .success, "\(console.notes)")
        #expect(console.output == "Two words\nend\n")
        let plain = await run([Self.url, "--join", "--until", "."], "data: a\n\ndata:  b\n\ndata: .\n\n")
        #expect(plain.console.output == "a b\n" && plain.status == .success)
    }

    @Test func metaPrintsTypeIDAndData() async {
        let text = "data: a\n\nid: 7\nevent: \"x\"\ndata: {}\ndata\n\n"
        let (status, console, _) = await run([Self.url, "-m", "--reconnect=never"], text)
        #expect(status == .success, "\(console.notes)")
        #expect(
            console.output == """
                {"type":"message","id":null,"data":"a"}
                {"type":"\\"x\\"","id":"7","data":"{}\\n"}

                """
        )
    }

    @Test func eventsOfOtherTypesAreSkipped() async {
        let text = "event: a\ndata: 1\n\ndata: 2\n\nevent: b\ndata: 3\n\n"
        let words = [Self.url, "--event", "message", "--event=b", "--reconnect=never"]
        #expect(await run(words, text).console.output == "2\n3\n")
    }

    @Test func reconnectsAfterTheLastIDAndReportsIt() async throws {
        for quiet in [[], ["-q"]] {
            let clock = ManualClock()
            let memory = MemoryConsole()
            var console = memory.console
            console.clock = clock
            let transport = StubTransport { request in
                switch request.headers["Last-Event-ID"] {
                case "3": Self.answer("id: 4\ndata: first\n\n")
                case "4": .failure(TransportFailure(.connectionClosed, "reset by peer"))
                default: .response(.badRequest)
                }
            }
            let run = Task { [console] in
                await CommandRun(console, makeTransport: { _ in transport })
                    .run(["events", Self.url, "--last-event-id", "3"] + quiet)
            }
            while !transport.requests.contains(where: { $0.headers["Last-Event-ID"] == "4" }) {
                // Only the wait for the next connection sleeps, since the connection itself has no time limit.
                try await clock.waitForSleepers(1)
                clock.advanceToNextSleeper()
            }
            run.cancel()
            #expect(await run.value == .interrupted)
            #expect(memory.output == "first\n")
            let beginning = "cumulus: the server ended the stream; reconnecting in "
            let reported = memory.notes.filter { $0.hasPrefix(beginning) }
            #expect(reported.count == (quiet.isEmpty ? 1 : 0), "\(memory.notes)")
        }
    }

    @Test func temporaryErrorsAreReported() async throws {
        let clock = ManualClock()
        let memory = MemoryConsole()
        var console = memory.console
        console.clock = clock
        let count = Atomic(0)
        let transport = StubTransport { _ in
            switch count.add(1, ordering: .relaxed).newValue {
            case 1: Self.answer("data: a\n\n", .fail(TransportFailure(.connectionClosed, "reset by \u{1B}[2Jpeer")))
            case 2: .response(.serviceUnavailable)
            default: .response(.noContent)
            }
        }
        let run = Task { [console] in
            await CommandRun(console, makeTransport: { _ in transport }).run(["events", Self.url])
        }
        for _ in 0..<2 {
            try await clock.waitForSleepers(1)
            clock.advanceToNextSleeper()
        }
        #expect(await run.value == .success)
        #expect(memory.output == "a\n")
        try #require(memory.notes.count == 2)
        #expect(memory.notes[0].hasPrefix("cumulus: closed: "), "\(memory.notes)")
        #expect(memory.notes[1].hasPrefix("cumulus: status: ") && memory.notes[1].contains("503"), "\(memory.notes)")
        #expect(memory.notes.allSatisfy { $0.contains("; reconnecting in ") && !$0.contains("\u{1B}") })
    }

    @Test("a stream that ends before the event of --until is incomplete: exit code 15")
    func truncated() async {
        let (status, console, _) = await run(["post", Self.url, "--until", "[DONE]", "--ignore-stdin"], "data: a\n\n")
        #expect(status == .partial && console.output == "a\n")
        #expect(console.notes == ["cumulus: truncated: the stream ended before an event with the data '[DONE]'"])
    }

    @Test func refusalsAndOtherDocumentsAreErrors() async {
        let console = MemoryConsole()
        let refused = await console.run(["events", Self.url], over: StubTransport { _ in .response(.notFound) })
        #expect(
            refused == .clientError
                && console.notes.first?.hasPrefix("cumulus: status: http://a.example/feed: ") == true
        )
        let other = MemoryConsole()
        let status = await other.run(["events", Self.url], over: StubTransport { _ in .json("{}") })
        #expect(status == .failure, "\(other.notes)")
        #expect(
            other.notes.count == 1 && other.notes.first?.contains("of type application/json") == true,
            "\(other.notes)"
        )
    }

    @Test func dataThatIsNotJSONEndsAFilter() async {
        let (status, console, _) = await run([Self.url, "--filter", ".a"], "data: {\"a\":1}\n\ndata: [DONE]\n\n")
        #expect(status == .failure && console.output == "1\n")
        let reason =
            "the data of event 2 is not JSON (line 1, column 2); --until '[DONE]' ends the stream at such an event"
        #expect(console.notes == ["cumulus: --filter needs JSON: \(reason)"])
    }

    @Test(arguments: [[], ["--join"], ["--meta"], ["--filter", "."], ["--filter", ".", "--join"]])
    func terminalGetsNoControlCharacters(options: [String]) async {
        let console = MemoryConsole(outputIsTerminal: true, environment: ["NO_COLOR": "1"])
        // Raw ones are not allowed in JSON, but a terminal would obey those that it escapes.
        let data = options.contains("--filter") ? "\"\\u001b[2J\\u009b2J\"" : "\u{1B}[2J\u{9B}2J"
        let (status, _, _) = await run(
            [Self.url, "--until", "."] + options,
            "data: \(data)\n\ndata: .\n\n",
            on: console
        )
        #expect(status == .success && console.output.contains("2J"), "\(console.output) \(console.notes)")
        #expect(!console.output.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{9B}" })
    }

    @Test func readerMayLeaveEarly() async {
        let (status, console, _) = await run([Self.url], "data: a\n\n", on: MemoryConsole(outputIsClosed: true))
        #expect(status == .success && console.notes.isEmpty)
    }

    @Test(
        arguments: [
            ([], "missing URL", "write cumulus events [METHOD] URL [ITEM ...]"),
            (["http://a.b/", "http://c.d/"], "there is a second URL", nil),
            (["a.b", "--meta", "--filter", ".x"], "--meta and --filter can't be combined", nil),
            (["a.b", "--meta", "--join"], "--meta and --join can't be combined", nil),
            (["a.b", "--heartbeat=nan"], "--heartbeat takes a number of seconds", nil),
            (["a.b", "--reconnect", "maybe"], "--reconnect", nil),
            (["a.b", "--last-event-id", "1", "Last-Event-ID:2"], "can't be combined", nil),
            (["a.b", "--filter", "nope["], "--filter", nil),
        ] as [([String], String, String?)]
    )
    func mistakesAreNamed(arguments: [String], reason: String, hint: String?) {
        let found = mistake(["events"] + arguments)
        #expect(found?.reason.contains(reason) == true, "\(String(describing: found))")
        if let hint { #expect(found?.hint == hint) }
    }

    @Test(arguments: [
        ("auto", Reconnection.automatic), ("always", .always), ("get", .byGet), ("never", .never),
    ])
    func reconnectTakesEachRule(word: String, rule: Reconnection) throws {
        guard case .events(let plan) = try Invocation.parse(["events", "a.b", "--reconnect", word], in: .of()) else {
            throw SystemProblem(description: "not events")
        }
        #expect(plan.reconnection == rule)
        #expect(Completion(["events", "a.b", "--reconnect", ""], in: .of()).candidates.map(\.word).contains(word))
    }

    @Test func completionKnowsThatAMethodMayComeBeforeTheURL() {
        #expect(Completion(["events", "post", "Acc"], in: .of()).candidates.isEmpty)
        #expect(Completion(["events", "post", "a.b", "Acc"], in: .of()).candidates.map(\.word).contains("Accept:"))
        #expect(Completion(["events", "a.b", "Acc"], in: .of()).candidates.map(\.word).contains("Accept:"))
    }
}
