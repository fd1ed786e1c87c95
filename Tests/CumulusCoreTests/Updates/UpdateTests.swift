// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusFormats
import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// Documents that are changed only if nobody else has changed them.
@Suite struct UpdateTests {
    private struct Note: Codable, Sendable, Equatable {
        var title: String
        var count: Int?
    }

    /// A server of one document, which other people may change.
    private final class Server: Sendable {
        struct State {
            var document: String
            var version = 1
            /// The changes of others, each made before the next write is checked.
            var others: [String] = []
        }

        let state: Mutex<State>
        let tag: @Sendable (Int) -> String?

        init(_ document: String, others: [String] = [], tag: @escaping @Sendable (Int) -> String? = { "\"v\($0)\"" }) {
            state = Mutex(State(document: document, others: others))
            self.tag = tag
        }

        var document: String { state.withLock(\.document) }

        func answer(_ request: StubRequest, _ status: HTTPResponse.Status = .ok) -> StubResponse {
            state.withLock { state in
                if request.method == .get {
                    let headers: Headers = tag(state.version).map { ["ETag": $0] } ?? [:]
                    return .json(state.document, headers: headers)
                }
                if !state.others.isEmpty {
                    state.document = state.others.removeFirst()
                    state.version += 1
                }
                guard request.headers[.ifMatch] == tag(state.version) else { return .status(.preconditionFailed) }
                guard let old = try? JSON(parsing: state.document), let sent = try? JSON(parsing: request.body) else {
                    return .status(.badRequest)
                }
                switch request.headers[.contentType] {
                case "application/merge-patch+json": state.document = "\(old.applying(mergePatch: sent))"
                default: state.document = request.text
                }
                state.version += 1
                return .status(status)
            }
        }
    }

    private static let text = #"{"zone":12345678901234567890.50,"title":"a","extra":{"b":[1,2]},"count":1}"#

    private func place(_ server: Server) -> (Resource, StubTransport) {
        let transport = StubTransport { server.answer($0, .noContent) }
        return (Resource("http://a.example/note", transport: transport.watched), transport)
    }

    @Test("the whole value is put: members that its type doesn't have are lost")
    func whole() async throws {
        let server = Server(Self.text)
        let (note, transport) = place(server)
        let written = try await note.update(as: Note.self) { $0.title = "b" }
        #expect(written == Note(title: "b", count: 1))
        #expect(server.document == #"{"title":"b","count":1}"#)
        let (got, sent) = (transport.requests[0], transport.requests[1])
        #expect(got.headers[.acceptEncoding] == "identity")
        #expect(sent.method == .put && sent.headers[.contentType] == "application/json")
        #expect(sent.headers[.ifMatch] == "\"v1\"")
    }

    @Test("a merge patch has the changed members only: the others are kept")
    func mergePatch() async throws {
        let server = Server(Self.text)
        let (note, transport) = place(server)
        let written = try await note.update(as: Note.self, by: .mergePatch) { $0.title = "b" }
        #expect(written == Note(title: "b", count: 1))
        #expect(server.document == #"{"zone":12345678901234567890.50,"title":"b","extra":{"b":[1,2]},"count":1}"#)
        let sent = transport.requests[1]
        #expect(sent.method == .patch && sent.headers[.ifMatch] == "\"v1\"")
        #expect(sent.text == #"{"title":"b"}"#)
    }

    @Test("a document that is put as JSON keeps all its members, their order and its numbers")
    func wholeAsJSON() async throws {
        let server = Server(Self.text)
        try await place(server).0.update(as: JSON.self) { $0["title"] = "b" }
        #expect(server.document == #"{"zone":12345678901234567890.50,"title":"b","extra":{"b":[1,2]},"count":1}"#)
    }

    @Test func aMapFindsTheFieldsToChange() async throws {
        let server = Server(#"{"meta":{"by":"ada","name":"a"},"n":7}"#)
        let note = place(server).0
        note.setRules {
            $0.coders.register([.field("title", at: "meta.name"), .optional("count", at: "n")], for: Note.self)
        }
        try await note.update(as: Note.self, by: .mergePatch) { $0.title = "b" }
        #expect(server.document == #"{"meta":{"by":"ada","name":"b"},"n":7}"#)
    }

    @Test func whatBecomesNilIsRemoved() async throws {
        let server = Server(Self.text)
        try await place(server).0.update(as: Note.self, by: .mergePatch) { $0.count = nil }
        #expect(server.document == #"{"zone":12345678901234567890.50,"title":"a","extra":{"b":[1,2]}}"#)
    }

    @Test func aChangeMeetsOneOfSomebodyElse() async throws {
        let server = Server(Self.text, others: [#"{"title":"theirs","count":10}"#])
        let (note, transport) = place(server)
        let seen = Mutex<[Int?]>([])
        let written = try await note.update(as: Note.self) { value in
            seen.withLock { $0.append(value.count) }
            value.count = (value.count ?? 0) + 1
        }
        #expect(seen.withLock { $0 } == [1, 10])
        #expect(written == Note(title: "theirs", count: 11))
        #expect(server.document == #"{"title":"theirs","count":11}"#)
        #expect(transport.requests.map(\.method) == [.get, .put, .get, .put])
        #expect(transport.requests[2].headers[.cacheControl] == "no-cache")
    }

    @Test func afterThreeRoundsItIsAConflict() async throws {
        let server = Server(Self.text, others: (2...9).map { #"{"title":"\#($0)"}"# })
        let (note, transport) = place(server)
        let error = try await failure { try await note.update(as: Note.self) { $0.title = "mine" } }
        #expect(error.code == .conflict)
        #expect(error.kind == .server)
        #expect(error.statusCode == 412)
        #expect((error.cause as? UpdateConflict)?.rounds == 3)
        #expect((error.cause as? UpdateConflict)?.entityTag == "\"v3\"")
        #expect(transport.requests.count == 6)
        #expect(server.document == #"{"title":"4"}"#)
    }

    @Test(arguments: [nil, "W/\"v1\"", "v1", ""])
    func withoutAStrongTagNothingIsWritten(tag: String?) async throws {
        let (note, transport) = place(Server(Self.text, tag: { _ in tag }))
        let error = try await failure { try await note.update(as: Note.self) { $0.title = "b" } }
        #expect(error.code == .invalidRequest)
        #expect(transport.requests.count == 1)
    }

    @Test func whereNothingChangesNothingIsSent() async throws {
        let (note, transport) = place(Server(Self.text))
        #expect(try await note.update(as: Note.self) { $0.title = "a" } == Note(title: "a", count: 1))
        #expect(transport.requests.count == 1)
    }

    @Test func aRememberedTagMakesNoConditionOfTheQuestion() async throws {
        let (note, transport) = place(Server(Self.text))
        note.setRules { $0.tracksRevisions = true }
        _ = try await note.get()
        try await note.update(as: Note.self) { $0.title = "b" }
        #expect(transport.requests.allSatisfy { $0.headers[.ifNoneMatch] == nil })
    }

    @Test func theValueOfTheAnswerCountsIfItIsOne() async throws {
        let server = Server(Self.text)
        let transport = StubTransport { request in
            let answer = server.answer(request)
            return request.method == .put ? .json(["title": "by the server", "count": 2]) : answer
        }
        let note = Resource("http://a.example/note", transport: transport.watched)
        #expect(try await note.update(as: Note.self) { $0.title = "b" } == Note(title: "by the server", count: 2))
        let other = StubTransport { request in
            request.method == .put ? .json(["ok": true]) : server.answer(request)
        }
        let place = Resource("http://a.example/note", transport: other.watched)
        #expect(try await place.update(as: Note.self) { $0.title = "c" }.title == "c")
    }

    @Test func aWriteWhoseAnswerWasLostIsNotMadeTwice() async throws {
        let server = Server(Self.text)
        let writes = Mutex(0)
        let transport = StubTransport { request in
            let answer = server.answer(request, .noContent)
            guard request.method == .put else { return answer }
            let number = writes.withLock { writes in
                writes += 1
                return writes
            }
            return number == 1 ? .failure(TransportFailure(.connectionClosed, "lost")) : answer
        }
        let note = Resource("http://a.example/note", transport: transport.watched) {
            $0.retry = RetryPolicy(backoff: RetryBackoff(base: .zero))
        }
        let written = try await note.update(as: Note.self) { $0.count = ($0.count ?? 0) + 1 }
        // The second attempt was refused, since the first had already changed the document.
        #expect(written.count == 2)
        #expect(try JSON(parsing: server.document)["count"].int == 2)
        #expect(writes.withLock { $0 } == 2)
    }

    @Test("a write whose answer was lost is recognized beside somebody else's change", arguments: UpdateMethod.allCases)
    func lostBesideAnother(method: UpdateMethod) async throws {
        let server = Server(Self.text)
        let writes = Mutex(0)
        let transport = StubTransport { request in
            let answer = server.answer(request, .noContent)
            guard request.method != .get else { return answer }
            let number = writes.withLock { writes in
                writes += 1
                return writes
            }
            guard number == 1 else { return answer }
            server.state.withLock { state in
                state.document = #"{"title":"theirs","count":2}"#
                state.version += 1
            }
            return .status(.badGateway)
        }
        let note = Resource("http://a.example/note", transport: transport.watched(allowing: .init(repeats: true))) {
            $0.retry = RetryPolicy(methods: [.put, .patch], backoff: RetryBackoff(base: .zero))
        }
        let written = try await note.update(as: Note.self, by: method) { $0.count = ($0.count ?? 0) + 1 }
        #expect(written == Note(title: "theirs", count: 2))
    }

    @Test("a change of somebody else that is the same as ours is not taken for ours", arguments: [307, 503, 429])
    func theSameChangeByAnother(code: Int) async throws {
        let server = Server(Self.text, others: [#"{"title":"a","count":2}"#])
        let writes = Mutex(0)
        let transport = StubTransport { request in
            let isFirst =
                request.method == .put
                && writes.withLock { writes in
                    writes += 1
                    return writes == 1
                }
            return isFirst
                ? .response(.init(code: code), headers: [.location: "/elsewhere"]) : server.answer(request, .noContent)
        }
        let note = Resource("http://a.example/note", transport: transport.watched) {
            $0.retry = RetryPolicy(backoff: RetryBackoff(base: .zero))
        }
        let written = try await note.update(as: Note.self) { $0.count = ($0.count ?? 0) + 1 }
        // The server didn't carry out our first attempt, so the 412 to the second one is due to the other change.
        #expect(written.count == 3)
        #expect(try JSON(parsing: server.document)["count"].int == 3)
    }

    @Test("a write whose answer a gateway or an interceptor has lost is not made twice", arguments: [502, 504, nil])
    func answersLostOnTheWay(code: Int?) async throws {
        let server = Server(Self.text)
        let writes = Mutex(0)
        let transport = StubTransport { request in
            let answer = server.answer(request, .noContent)
            guard request.method == .put else { return answer }
            let number = writes.withLock { writes in
                writes += 1
                return writes
            }
            guard number == 1 else { return answer }
            return code.map { .status(.init(code: $0)) }
                ?? .failure(TransportFailure(.connectionClosed, "lost", fate: .unknown))
        }
        let note = Resource("http://a.example/note", transport: transport.watched) {
            $0.retry = code == nil ? .never : RetryPolicy(backoff: RetryBackoff(base: .zero))
        }
        if code == nil {
            note.setRules {
                $0.interceptors.append { request, next in
                    do { return try await next(request) } catch { return try await next(request) }
                }
            }
        }
        let written = try await note.update(as: Note.self) { $0.count = ($0.count ?? 0) + 1 }
        #expect(written.count == 2)
        #expect(try JSON(parsing: server.document)["count"].int == 2)
        #expect(writes.withLock(\.self) == 2)
    }

    @Test func otherFailuresEndIt() async throws {
        let server = Server(Self.text)
        let transport = StubTransport { $0.method == .put ? .status(.forbidden) : server.answer($0) }
        let note = Resource("http://a.example/note", transport: transport.watched)
        let error = try await failure { try await note.update(as: Note.self) { $0.title = "b" } }
        #expect(error.statusCode == 403)
        await #expect(throws: NeverHappened.self) {
            try await note.update(as: Note.self) { _ in throw NeverHappened() }
        }
        let nulls = try await failure { try await note.update(as: JSON.self, by: .mergePatch) { $0["extra"] = .null } }
        #expect(nulls.code == .encoding)
    }

    @Test func onlyJSONCanBeUpdated() async throws {
        let transport = StubTransport { _ in .text("plain", headers: ["ETag": "\"1\""]) }
        let place = Resource("http://a.example/note", transport: transport.watched)
        let error = try await failure { try await place.update(as: String.self) { $0 = "new" } }
        #expect(error.code == .encoding)
        #expect(transport.requests.count == 1)
    }
}
