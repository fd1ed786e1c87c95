// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// One observer, typed events: each call's steps in order, and exactly one end.
@Suite(.timeLimit(.minutes(10))) struct CallObserverTests {
    /// Records one word per event.
    private final class Notes: Sendable {
        private let events = Mutex<[CallEvent]>([])

        func observe(_ event: CallEvent) { events.withLock { $0.append(event) } }

        var all: [CallEvent] { events.withLock(\.self) }

        var words: [String] {
            all.map { event in
                switch event.kind {
                case .started: "started"
                case .waited(let wait): "waited \(wait)"
                case .sending: "sending \(event.attempt)"
                case .responded(let head): "answered \(head.status.code)"
                case .failed: "failed"
                case .retry: "retry"
                case .again(let reason, _, _): "again \(reason)"
                case .exchanged(let facts): "exchanged \(facts.protocolName ?? "")"
                case .progressed(let progress): "progressed \(progress.direction) \(progress.completed)"
                case .sent(let bytes): "sent \(bytes.count)"
                case .received(let bytes): "received \(bytes.count)"
                case .delivered(let response): "delivered \(response.bytes.count)"
                case .streaming: "streaming"
                case .ended(.finished(let status, let size)): "finished \(status.code) \(size ?? -1)"
                case .ended(.streamed(let status, let count)): "streamed \(status.code) \(count)"
                case .ended(.failed): "ended by a failure"
                case .ended(.cancelled): "cancelled"
                }
            }
        }
    }

    private func site(_ notes: Notes, _ answer: @escaping StubRoutes.Respond) -> Resource {
        let site = Resource("https://a.example", transport: StubTransport(answering: answer).watched) {
            $0.observers = [CallObserver(notes.observe)]
        }
        return site
    }

    @Test func aRedirectedCallTellsEachStep() async throws {
        let notes = Notes()
        let site = site(notes) { request in
            request.path == "/old" ? .response(.found, headers: [.location: "/new"]) : .text("hello")
        }
        site.setRules { $0.authorizers = [.bearer("secret")] }
        let response = try await site["old"].get()
        #expect(
            notes.words == [
                "started", "sending 1", "answered 302", "exchanged stub", "again redirect", "sending 2", "answered 200",
                "exchanged stub", "delivered 5", "finished 200 5",
            ]
        )
        #expect(Set(notes.all.map(\.id)) == [response.request.id].compactMap(\.self).reduce(into: []) { $0.insert($1) })
        guard case .sending(let sent) = notes.all[1].kind else { return }
        #expect(sent.headers[.authorization] == "Bearer secret", "observers see what is sent")
        #expect(!"\(sent)".contains("secret"))
    }

    @Test func anObserverOfCallsDoesNotSeeTheirExchanges() async throws {
        let (calls, exchanges) = (Notes(), Notes())
        let site = Resource(
            "https://a.example",
            transport: StubTransport { request in
                request.path == "/old" ? .response(.found, headers: [.location: "/new"]) : .text("hello")
            }.watched
        ) { $0.observers = [CallObserver(of: .calls, calls.observe)] }
        _ = try await site["old"].get()
        #expect(calls.words == ["started", "again redirect", "delivered 5", "finished 200 5"])
        site.setRules { $0.observers.append(CallObserver(of: .exchanges, exchanges.observe)) }
        _ = try await site["new"].get()
        #expect(calls.words.suffix(3) == ["started", "delivered 5", "finished 200 5"])
        #expect(exchanges.words == ["sending 1", "answered 200", "exchanged stub"])
    }

    @Test func anAttemptThatFailsAndACallThatFails() async throws {
        let notes = Notes()
        let site = site(notes) { _ in .failure(TransportFailure(.connect, "no way")) }
        site.setRules { $0.retry = .never }
        await #expect(throws: CumulusError.self) { try await site.get() }
        #expect(notes.words == ["started", "sending 1", "failed", "ended by a failure"])
        site.setRules { $0.preflights = [{ _ in throw CancellationError() }] }
        await #expect(throws: CancellationError.self) { try await site.get() }
        #expect(notes.words.suffix(2) == ["started", "cancelled"])
    }

    @Test func aStreamEndsWithItsBody() async throws {
        let notes = Notes()
        let site = site(notes) { _ in .script([.chunk([1, 2]), .chunk([3])]) }
        let stream = try await site.call(.get).stream()
        #expect(notes.words == ["started", "sending 1", "answered 200", "streaming"])
        for try await _ in stream {}
        #expect(notes.words.suffix(2) == ["exchanged stub", "streamed 200 3"])
        _ = try await site.call(.get).stream()
        #expect(notes.words.last == "streamed 200 0", "a reader who lets go ends it, too")
    }

    @Test func aStreamThatBreaksOffOrIsCancelledSaysSo() async throws {
        let notes = Notes()
        let gate = Gate()
        let site = site(notes) { request in
            request.path == "/cut"
                ? .script([.chunk([1]), .fail(TransportFailure(.truncated, "cut"))])
                : .script([.chunk([1]), .gate(gate)])
        }
        let cut = try await site["cut"].call(.get).stream()
        await #expect(throws: CumulusError.self) { for try await _ in cut {} }
        #expect(notes.words.last == "ended by a failure")
        let held = try await site["held"].call(.get).stream()
        site.cancelAll()
        await #expect(throws: CancellationError.self) { for try await _ in held {} }
        #expect(notes.words.last == "cancelled")
    }

    @Test func bytesAreToldOnlyToThoseWhoWantThem() async throws {
        let (eager, plain, both) = (Notes(), Notes(), Notes())
        let site = site(Notes()) { _ in .text("hello") }
        site.setRules {
            $0.observers = [
                CallObserver(of: .progress, eager.observe), CallObserver(of: [.steps, .progress], both.observe),
            ]
        }
        try await site.post(.text("12")).requireSuccess()
        let bytes: Set = [
            "progressed sending 0", "progressed sending 2", "progressed receiving 0", "progressed receiving 5",
        ]
        #expect(Set(eager.words) == bytes)
        #expect(bytes.isSubset(of: both.words) && both.words.last == "finished 200 5")
        site.setRules { $0.observers = [CallObserver(plain.observe)] }
        try await site.post(.text("12")).requireSuccess()
        #expect(!plain.words.contains { $0.hasPrefix("progressed") })
    }

    @Test func allInheritedOnesAreToldTheRootsFirst() async throws {
        let order = Mutex<[String]>([])
        let site = site(Notes()) { _ in .text("") }
        for (place, name) in [(site, "root"), (site["x"], "child")] {
            place.setRules {
                $0.observers.append { event in
                    if case .started = event.kind { order.withLock { $0.append(name) } }
                }
            }
        }
        let child = site["x"]
        try await child.get().requireSuccess()
        #expect(order.withLock(\.self) == ["root", "child"])
    }

    @Test func aDownloadTellsEachOfItsRequestsAndOneEnd() async throws {
        let notes = Notes()
        let folder = try TemporaryFolder()
        let site = site(notes) { _ in .text("hello") }
        _ = try await site["x"].download(to: .file("\(folder.path)/x"))
        #expect(notes.words.first == "started")
        #expect(notes.words.contains("sending 1"))
        #expect(notes.words.last == "finished 200 5")
        #expect(notes.words.count { $0.hasPrefix("finished") } == 1)
    }

    @Test func whoJoinsACallIsToldOfItsAnswer() async throws {
        let notes = [Notes(), Notes()]
        let gate = Gate()
        let site = site(Notes()) { _ in
            try? await gate.wait()
            return .text("nobody", status: .notFound)
        }
        let calls = notes.map { notes in
            site["me"].with { $0.observers = [CallObserver(notes.observe)] }.keyed(.joining("me"))
        }
        async let first = calls[0].get()
        try await eventually { notes[0].words.contains("sending 1") }
        async let second = calls[1].get()
        try await eventually { site.tree.context.joins.waiterCount == 2 }
        gate.open()
        _ = try await (first, second)
        #expect(
            notes[0].words == [
                "started", "sending 1", "answered 404", "exchanged stub", "delivered 6", "finished 404 6",
            ]
        )
        #expect(notes[1].words == ["started", "delivered 6", "finished 404 6"])
    }

    @Test func nothingFollowsTheEndOfACallWhoseExchangeGoesOnForOthers() async throws {
        let notes = Notes()
        let gate = Gate()
        let site = site(Notes()) { _ in
            try? await gate.wait()
            return .text("late")
        }
        let observed = site["me"].with { $0.observers = [CallObserver(notes.observe)] }.keyed(.joining("me"))
        let first = Task { try await observed.get() }
        try await eventually { notes.words.contains("sending 1") }
        let second = Task { try await site["me"].keyed(.joining("me")).get() }
        try await eventually { site.tree.context.joins.waiterCount == 2 }
        first.cancel()
        _ = await first.result
        gate.open()
        try await second.value.requireSuccess()
        #expect(notes.words == ["started", "sending 1", "cancelled"])
    }

    @Test func anEventPrintsOnOneLineWithoutSecrets() async throws {
        let notes = Notes()
        let site = site(notes) { _ in .text("hello") }
        site.setRules { $0.authorizers = [.bearer("hidden")] }
        try await site["x"].get(query: ["q": "hidden"]).requireSuccess()
        let lines = notes.all.map { "\($0)" }
        #expect(lines.allSatisfy { $0.contains("GET https://a.example/x?q=<redacted>") && !$0.contains("hidden") })
        #expect(lines.last?.hasSuffix(": ended: 200, 5 bytes") == true, "\(lines)")
    }

    @Test("who wants a call's bytes gets them, each once, and nothing else costs bodies anything")
    func bytes() async throws {
        let notes = Notes()
        let site = Resource("https://a.example", transport: StubTransport { .text("you said \($0.text)") }.watched)
        site.setRules { $0.observers.append(CallObserver(of: .bytes, notes.observe)) }
        #expect(try await site.post(.text("hello")).text == "you said hello")
        #expect(notes.words == ["sent 5", "received 14"])
        #expect(notes.all.map(\.attempt) == [1, 1])
        for try await _ in try await site.call(.get).stream() {}
        _ = try await site.download(to: .temporary)
        #expect(notes.words.suffix(2) == ["received 9", "received 9"])
    }

    @Test("each event has the number of its request")
    func numbers() async throws {
        let notes = Notes()
        let count = Mutex(0)
        let site = site(notes) { _ in
            count.withLock { count in
                count += 1
                return count == 1 ? .status(.misdirectedRequest) : .text("hello")
            }
        }
        try await site.post(.text("x")).requireSuccess()
        #expect(
            notes.words == [
                "started", "sending 1", "answered 421", "again misdirected", "sending 2", "answered 200",
                "exchanged stub",
                "delivered 5", "finished 200 5",
            ]
        )
        #expect(notes.all.map(\.attempt) == [0, 1, 1, 1, 2, 2, 2, 2, 2])
    }

    @Test func nobodyObservesByDefault() async throws {
        let site = Resource("https://a.example", transport: StubTransport { _ in .text("") }.watched) {
            $0.logger = nil
        }
        #expect(CallObservers(site.snapshot.values) == nil)
        site.setRules { $0.observers = [CallObserver(Notes().observe)] }
        _ = try await site.call(.get).curl()
        #expect(CallObservers(site.snapshot.values)?.kinds == .steps)
    }
}
