// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCLI

@Suite(.timeLimit(.minutes(10))) struct RepetitionCommandTests {
    private final class Count: Sendable {
        let number: Mutex<Int>

        init(_ number: Int = 0) { self.number = Mutex(number) }
    }

    /// A job that is done after some requests.
    private final class Job: Sendable {
        let transport: StubTransport

        init(doneAfter count: Int, failure: HTTPResponse.Status? = nil) {
            let left = Count(count)
            transport = StubTransport { _ in
                let remaining = left.number.withLock { number in
                    number -= 1
                    return number
                }
                if remaining > 0, let failure { return .response(failure) }
                return .json(#"{"state":"\#(remaining > 0 ? "running" : "done")"}"#)
            }
        }
    }

    @Test func requestIsRepeatedUntilItsConditionIsTrue() async {
        let (job, console) = (Job(doneAfter: 3), MemoryConsole())
        let line = ["http://a.test/", "--until", ".state == done", "--every", "0", "--filter", ".state"]
        #expect(await console.run(line, over: job.transport) == .success)
        #expect(console.output == "done\n" && job.transport.requests.count == 3)
        #expect(console.notes == ["cumulus: try 1: status 200, \"running\""])
    }

    @Test func fileIsReplacedByTheLastResponseOnly() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("old", to: "x")
        let found = Mutex<[[UInt8]]>([])
        let transport = StubTransport { request in
            let bytes = try folder.bytes("x")
            found.withLock { $0.append(bytes) }
            return .json("\(request.number)")
        }
        var console = MemoryConsole().console
        console.replace = { OutputFile(replacing: $0) }
        let run = CommandRun(console, makeTransport: { _ in transport })
        #expect(await run.run(["http://a.test/", "--until", ". == 3", "--every", "0", "-o", path]) == .success)
        #expect(found.withLock(\.self) == [Array("old".utf8), Array("old".utf8), Array("old".utf8)])
        #expect(try folder.bytes("x") == Array("3".utf8) && folder.names == ["x"])
    }

    @Test func exchangesOfATryAreDroppedAtItsEnd() async throws {
        let asked = try plan(["http://a.test/"])
        let recorder = ExchangeRecorder(OfflineTransport(), for: asked)
        #expect(try await CommandRun(MemoryConsole().console).perform(asked, over: recorder) == .success)
        #expect(recorder.exchanges.isEmpty)
    }

    @Test("an exchange that ends after the others were dropped, as a token's renewal may, is not recorded")
    func exchangeThatEndsLateIsNotRecorded() async throws {
        let (begun, gate) = (Gate(), Gate())
        let slow = StubTransport { _ in
            begun.open()
            try await gate.wait()
            return .json("{}")
        }
        let recorder = ExchangeRecorder(slow, for: try plan(["http://a.test/"]))
        async let response = Resource("http://a.test/", transport: recorder).get()
        try await begun.wait()
        recorder.dropExchanges()
        gate.open()
        _ = try await response
        #expect(recorder.exchanges.isEmpty)
    }

    @Test func triesEndWithTheirOwnCode() async {
        let (job, console) = (Job(doneAfter: 9), MemoryConsole())
        let line = ["http://a.test/", "--until", ".state == done", "--every", "0", "--tries", "2", "-q"]
        #expect(await console.run(line, over: job.transport) == .unmet)
        #expect(job.transport.requests.count == 2 && console.output.isEmpty)
        #expect(console.notes == ["cumulus: --until '.state == done' was not true after 2 tries"])
    }

    @Test func errorsCountAsTries() async {
        let (job, console) = (Job(doneAfter: 3, failure: .serviceUnavailable), MemoryConsole())
        let line = ["http://a.test/", "--until", ".state == done", "--every", "0", "--tries", "3"]
        #expect(await console.run(line, over: job.transport) == .success)
        #expect(console.notes == ["cumulus: try 1: status 503"])
        let refused = StubTransport(answering: { _ in throw TransportFailure(.connect, "refused") })
        let second = MemoryConsole()
        #expect(await second.run(line, over: refused) == .unmet)
        #expect(refused.requests.count == 3 && second.notes.first?.hasPrefix("cumulus: try 1: connect: ") == true)
    }

    @Test func statusMayBeTheCondition() async {
        let console = MemoryConsole()
        let line = ["http://a.test/", "--until", "status == 404"]
        #expect(await console.run(line, over: StubTransport { _ in .response(.notFound) }) == .success)
    }

    /// Spaces without end, as JSON text may begin with.
    private var endless: StubTransport {
        let mebibyte = [UInt8](repeating: 0x20, count: 1 << 20)
        return StubTransport { _ in
            .script([StubResponse.Step](repeating: .chunk(mebibyte), count: 70) + [.gate(Gate())])
        }
    }

    @Test("a response without an end is an error, printed or not", arguments: [[], ["-q"], ["-o", "x"]])
    func endlessResponse(options: [String]) async {
        let console = MemoryConsole()
        #expect(await console.run(["http://a.test/", "--until", ".a"] + options, over: endless) == .failure)
        #expect(console.notes.last?.contains("the response is longer than 64 MiB") == true, "\(console.notes)")
    }

    @Test(
        "a condition reads the charsets that a filter reads",
        arguments: [
            ("application/json; charset=iso-8859-1", [0xE9], []),
            ("application/json", [0xE9], ["--response-charset=iso-8859-1"]),
            ("text/plain", [0xC3, 0xA9], []),
        ] as [(String, [UInt8], [String])]
    )
    func charset(type: String, letter: [UInt8], options: [String]) async {
        let body = Array(#"{"a":""#.utf8) + letter + Array(#""}"#.utf8)
        let transport = StubTransport { _ in .response(headers: [.contentType: type], body: body) }
        let line = ["http://a.test/", "--until", ".a == \u{E9}", "--tries", "1", "-q"]
        #expect(await MemoryConsole().run(line + options, over: transport) == .success)
    }

    @Test(
        "a response of several values is refused before its end, unless the condition is about the status",
        arguments: [
            ("text/event-stream", "a stream of events"), ("application/x-ndjson", "one value per line"),
        ]
    )
    func severalValues(type: String, reason: String) async {
        let (console, headers) = (MemoryConsole(), [.contentType: type] as Headers)
        let endless = StubTransport { _ in .script([.gate(Gate())], headers: headers) }
        #expect(await console.run(["http://a.test/", "--until", ".a"], over: endless) == .failure)
        #expect(console.notes.count == 1 && console.notes[0].contains(reason), "\(console.notes)")
        #expect(endless.requests.count == 1)
        let short = StubTransport { _ in .response(headers: headers, body: Array("\n".utf8)) }
        let line = ["http://a.test/", "--until", "status == 200"]
        #expect(await MemoryConsole().run(line, over: short) == .success)
        #expect(
            await MemoryConsole().run(["http://a.test/", "--until", ".a", "--tries", "1"], over: short) == .failure
        )
    }

    @Test func unmetConditionIsNotSuccessForAReaderWhoLeaves() async {
        let (console, transport) = (MemoryConsole(outputIsClosed: true), StubTransport { _ in .json("{}") })
        let line = ["http://a.test/", "--until", ".a", "--tries", "1"]
        #expect(await console.run(line, over: transport) == .unmet)
    }

    @Test func longBodyDoesNotMatterToAConditionOnTheStatus() async {
        let transport = StubTransport { _ in .response(body: [UInt8](repeating: 0x20, count: 70 << 20)) }
        let line = ["http://a.test/", "--until", "status == 200", "-q"]
        #expect(await MemoryConsole().run(line, over: transport) == .success)
    }

    @Test func pauseIsNeverMissing() throws {
        let watched = try plan(["http://a.test/", "--watch", "0"]).repetition
        #expect(watched == .watch(every: .milliseconds(10)))
        let repeated = try plan(["http://a.test/", "--until", ".a", "--every", "0"]).repetition
        let condition = try ResponseCondition(parsing: ".a")
        #expect(repeated == .until(condition, every: .milliseconds(10), tries: nil))
    }

    @Test func watchEndsWhenItsReaderLeaves() async {
        let (console, transport) = (MemoryConsole(outputIsClosed: true), StubTransport { _ in .text("1\n") })
        #expect(await console.run(["http://a.test/", "--watch", "0"], over: transport) == .success)
        #expect(transport.requests.count == 1)
    }

    @Test func watchPrintsEachResponse() async {
        let count = Count()
        let transport = StubTransport { _ in
            let number = count.number.withLock { number in
                number += 1
                return number
            }
            return .text("\(number)\n")
        }
        let console = MemoryConsole()
        let task = Task { await console.run(["http://a.test/", "--watch", "0"], over: transport) }
        while console.output.utf8.count < 4 { await Task.yield() }
        task.cancel()
        #expect(await task.value == .interrupted)
        #expect(console.output.hasPrefix("1\n2\n"))
    }

    @Test(arguments: [
        (["--every", "2"], "--every needs --until"), (["--tries", "2"], "--tries needs --until"),
        (["--until", ".a", "--watch", "1"], "can't be combined"),
        (["--until", ".a", "--offline"], "can't be combined"),
        (["--until", ".a", "http://b.test/"], "--until takes one URL"), (["--until", "a"], "--until takes a path"),
        (["--until", ".state=done"], "--until takes a path"),
    ])
    func optionsThatDoNotFitAreRefused(options: [String], reason: String) {
        #expect(mistake(["http://a.test/"] + options)?.reason.contains(reason) == true)
    }
}
