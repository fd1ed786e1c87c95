// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// A stranger's setting that puts a transport before the one that would send the requests.
@Suite(.timeLimit(.minutes(10))) struct TransportSettingTests {
    private let stub = StubTransport { _ in .text("from the stub") }
    private let notes = Notes()

    private var site: Resource { Resource("https://api.example.com", transport: stub.watched) }

    @Test("it sees the requests of its place and below, and passes them on") func passing() async throws {
        let site = site
        site["a"].setRules { $0.notes = notes }
        #expect(try await site["a/b"].get().text == "from the stub")
        try await site["c"].get().requireSuccess()
        #expect(notes.all == ["/a/b"])
        #expect(stub.requests.count == 2)
    }

    @Test("behind it is the nearest transport, whoever wrote it last") func behind() async throws {
        let site = site
        let other = StubTransport { _ in .text("from the other") }
        site.setRules { $0.notes = notes }
        let near = site["a"].with { $0.transport = other }
        #expect(try await near.get().text == "from the other")
        #expect(try await site["a"].with { $0.notes = nil }.get().text == "from the stub")
        #expect(notes.all == ["/a"])
    }

    @Test("of two, each sees what the other passes on; fixtures answer what they have") func two() async throws {
        let site = site
        site.setRules {
            $0.notes = notes
            $0.fixtures["GET /a"] = .text("from a fixture")
        }
        #expect(try await site["a"].get().text == "from a fixture")
        #expect(try await site["b"].get().text == "from the stub")
        // The key's name is behind those of fixtures in the alphabet, so it comes first.
        #expect(notes.all == ["/a", "/b"])
    }

    @Test("what it can do is what the place's transport can do") func capabilities() {
        let site = site
        #expect(!site.transportCapabilities.sendsNothing)
        site["a"].setRules { $0.fixtureUse = .only }
        #expect(site["a/b"].transportCapabilities.sendsNothing)
        #expect(!site.transportCapabilities.sendsNothing)
    }

    @Test("an error that a transport makes without a request gets it") func error() async throws {
        let site = site
        site.setRules { $0.fixtureUse = .only }
        let error = try await failure { try await site["a"].get() }
        #expect(error.request?.target == "/a")
        #expect(error.cause is FixtureProblem)
    }

    @Test("requests of an authorizer's own are answered by fixtures, too") func ownTrees() async throws {
        let site = site
        site.setRules { $0.fixtures["POST https://auth.example/token"] = .json(["access_token": "t"]) }
        let token = try await site["a"].separateTree(at: "https://auth.example/token").post(as: JSON.self)
        #expect(token["access_token"].string == "t")
        #expect(stub.requests.isEmpty)
    }
}

private final class Notes: Sendable {
    private let paths = Mutex<[String]>([])
    var all: [String] { paths.withLock(\.self) }
    func note(_ path: String) { paths.withLock { $0.append(path) } }
}

private enum NotesKey: TransportSettingKey {
    static var defaultValue: Notes? { nil }
    static func transport(before next: any Transport, in settings: Resource.Settings) -> any Transport {
        settings.notes.map { NotingTransport(notes: $0, next: next) } ?? next
    }
}

extension Resource.Settings {
    fileprivate var notes: Notes? {
        get { self[key: NotesKey.self] }
        set { self[key: NotesKey.self] = newValue }
    }
}

private struct NotingTransport: Transport {
    let notes: Notes
    let next: any Transport
    var capabilities: TransportCapabilities { next.capabilities }

    func identity(at origin: Origin) -> TransportIdentity { next.identity(at: origin) }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        notes.note(request.target)
        return try await next.send(request)
    }
}
