// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// Lists that are followed, against stand-ins of CouchDB, Kubernetes and etcd.
@Suite(.timeLimit(.minutes(1))) struct ListFollowingTests {
    private struct Changes: Decodable, Sendable {
        struct Change: Decodable, Sendable { var id: String }

        var results: [Change]
        var last_seq: String
    }

    private static let broken = TransportFailure(.connectionClosed, "the connection was closed", fate: .unknown)

    private func queries(_ site: EventSite) -> [String] {
        site.transport.requests.map { $0.url.split(separator: "?", maxSplits: 1).dropFirst().joined() }
    }

    private func lines(_ text: String, then step: StubResponse.Step? = nil) -> StubResponse {
        .script([.chunk(Array(text.utf8))] + [step].compactMap(\.self), headers: [.contentType: "application/json"])
    }

    private func waits(_ site: EventSite) -> [String] { site.log.filter { $0.hasPrefix("waiting") } }

    // MARK: CouchDB

    /// A database with a change for each of some requests.
    private func couch(quiet: Set<Int> = []) -> EventSite {
        EventSite { request in
            let number = quiet.contains(request.number) ? request.number - 1 : request.number
            let results = quiet.contains(request.number) ? "" : "{\"id\":\"d\(number)\",\"seq\":\"\(number)-x\"}"
            return .json("{\"results\":[\n\(results)\n],\n\"last_seq\":\"\(number)-x\",\"pending\":0}\n")
        }
    }

    @Test func longPollContinuesWithTheLastSequence() async throws {
        let site = couch(quiet: [3])
        let call = site.site["db/_changes"].call(.get, query: ["feed": "longpoll"])
        let pages = try await site.read(4, of: call.follow(as: Changes.self, query: "since", cursor: { $0.last_seq }))
        #expect(pages.flatMap(\.results).map(\.id) == ["d1", "d2", "d4"])
        #expect(
            queries(site) == [
                "feed=longpoll", "feed=longpoll&since=1-x", "feed=longpoll&since=2-x", "feed=longpoll&since=2-x",
            ]
        )
        // Only the response without news is followed by a wait.
        #expect(waits(site) == ["waiting 1.0 seconds"])
        #expect(site.transport.lastRequest?.headers[.cacheControl] == "no-store")
    }

    @Test func storedCursorIsTheFirst() async throws {
        let site = couch()
        let stream = site.site["c"].follow(query: "since", from: "7-x", cursor: { (page: Changes) in page.last_seq })
        let pages = try await site.read(2, of: stream.withMetadata)
        #expect(queries(site) == ["since=7-x", "since=1-x"])
        #expect(pages.map(\.event.id) == ["1-x", "2-x"])
        #expect(pages.first?.event.data.hasPrefix("{\"results\":[") == true)
    }

    @Test func continuousFeedContinuesAfterTheLastWholeLine() async throws {
        struct Row: Decodable, Sendable {
            var seq: String?
            var last_seq: String?
        }
        let site = EventSite { request in
            switch request.number {
            case 1: self.lines("{\"seq\":\"1\"}\n\n\n{\"seq\":\"2\"}\n{\"seq\":", then: .fail(Self.broken))
            case 2: self.lines("{\"seq\":\"3\"}\n{\"seq\":\"4")
            case 3: self.lines("\n\n{\"last_seq\":\"5\"}\n")
            default: self.lines("{\"seq\":\"6\"}\n")
            }
        }
        let rows = try await site.read(
            5,
            of: site.site["c"].follow(as: Row.self, query: "since", cursor: { $0.seq ?? $0.last_seq })
        )
        #expect(rows.map { $0.seq ?? $0.last_seq } == ["1", "2", "3", "5", "6"])
        #expect(queries(site) == ["", "since=2", "since=3", "since=5"])
        #expect(waits(site) == ["waiting 1.0 seconds connectionClosed"])
    }

    @Test func responsesWithoutNewsAreMetWithBackoff() async throws {
        let site = couch(quiet: [2, 3, 4, 5])
        let answers = site.site["c"].follow(as: Changes.self, query: "since", cursor: { _ in "same" })
        _ = try await site.read(6, of: answers)
        let expected = [1, 2, 4, 8].map { "waiting \($0).0 seconds" }
        #expect(Array(waits(site).prefix(4)) == expected)
    }

    @Test func responseThatTookLongIsFollowedByAShortWait() async throws {
        let site = EventSite { _ in .json("{\"results\":[],\"last_seq\":\"1\"}").delayed(by: .seconds(20)) }
        _ = try await site.read(5, of: site.site["c"].follow(as: Changes.self, query: "since", cursor: { $0.last_seq }))
        #expect(Set(waits(site)) == ["waiting 1.0 seconds"] && waits(site).count == 3)
    }

    @Test func responseWithoutContentHasNoNews() async throws {
        let site = EventSite {
            $0.number < 3 ? .status(.noContent) : .json("{\"results\":[],\"last_seq\":\"1\"}")
        }
        _ = try await site.read(1, of: site.site["c"].follow(as: Changes.self, query: "since", cursor: { $0.last_seq }))
        #expect(waits(site) == ["waiting 1.0 seconds", "waiting 2.0 seconds"])
    }

    // MARK: Kubernetes

    private struct WatchEvent: Decodable, Sendable {
        struct Object: Decodable, Sendable {
            struct Metadata: Decodable, Sendable { var resourceVersion: String? }

            var metadata: Metadata?
            var code: Int?
        }

        var type: String
        var object: Object
    }

    private struct Expired: Error {}

    private static func added(_ version: Int) -> String {
        "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"resourceVersion\":\"\(version)\"}}}\n"
    }

    /// A cluster that has forgotten the versions up to 7; if it `isLate`, it reports that in the stream.
    private func cluster(isLate: Bool) -> EventSite {
        EventSite { request in
            if !request.url.contains("watch") { return .json("{\"metadata\":{\"resourceVersion\":\"20\"}}") }
            if request.url.hasSuffix("=7") {
                let status = "{\"kind\":\"Status\",\"code\":410,\"reason\":\"Expired\"}"
                if !isLate { return .json(status, status: .gone) }
                return self.lines("{\"type\":\"ERROR\",\"object\":\(status)}\n")
            }
            return request.url.hasSuffix("=20")
                ? self.lines(Self.added(21), then: .pause(.seconds(100_000)))
                : self.lines(Self.added(6) + Self.added(7))
        }
    }

    private func version(of event: WatchEvent) throws -> String? {
        if event.object.code == 410 { throw Expired() }
        return event.object.metadata?.resourceVersion
    }

    @Test(arguments: [false, true]) func goneIsAnErrorByDefault(isLate: Bool) async throws {
        let site = cluster(isLate: isLate)
        let pods = site.site["pods"].call(.get, query: ["watch": 1])
        let stream = pods.follow(query: "resourceVersion", from: "5") { try self.version(of: $0) }
        var versions: [String?] = []
        let error = await #expect(throws: (any Error).self) {
            for try await event in stream.onStateChange({ site.note($0) }) {
                versions.append(event.object.metadata?.resourceVersion)
            }
        }
        #expect(versions == ["6", "7"])
        #expect(isLate ? error is Expired : (error as? CumulusError)?.statusCode == 410)
        #expect(site.log.last?.hasPrefix("failed") == true && site.transport.requests.count == 2)
    }

    @Test(arguments: [false, true]) func goneRestartsAtTheVersionOfTheCallersList(isLate: Bool) async throws {
        let site = cluster(isLate: isLate)
        let pods = site.site["pods"]
        let stream = pods.call(.get, query: ["watch": 1]).follow(
            query: "resourceVersion",
            from: "5",
            cursor: { try self.version(of: $0) },
            restart: { error in
                guard error is Expired || (error as? CumulusError)?.statusCode == 410 else { throw error }
                return try await pods.get(as: WatchEvent.Object.self).metadata?.resourceVersion
            }
        )
        let events = try await site.read(3, of: stream)
        #expect(events.map(\.object.metadata?.resourceVersion) == ["6", "7", "21"])
        #expect(
            queries(site) == [
                "watch=1&resourceVersion=5", "watch=1&resourceVersion=7", "", "watch=1&resourceVersion=20",
            ]
        )
        #expect(waits(site).count == 1)
    }

    @Test func staleFirstCursorRestartsFromTheBeginning() async throws {
        let site = EventSite { request in
            request.url.contains("since") ? .status(.gone) : .json("{\"results\":[],\"last_seq\":\"1\"}")
        }
        let stream = site.site["c"].follow(
            as: Changes.self,
            query: "since",
            from: "old",
            cursor: { $0.last_seq },
            restart: { _ in nil }
        )
        _ = try await site.read(1, of: stream)
        #expect(queries(site) == ["since=old", ""])
    }

    @Test func restartsAreMetWithBackoff() async throws {
        let site = EventSite { $0.number < 5 ? .status(.gone) : .json("{\"results\":[],\"last_seq\":\"1\"}") }
        let stream = site.site["c"].follow(
            as: Changes.self,
            query: "since",
            cursor: { $0.last_seq },
            restart: { _ in "\(site.transport.requests.count)" }
        )
        _ = try await site.read(1, of: stream)
        #expect(waits(site).count == 4 && waits(site).last == "waiting 8.0 seconds status")
    }

    // MARK: etcd

    @Test func watchByPostContinuesAtTheNextRevision() async throws {
        struct Watch: Decodable, Sendable {
            struct Result: Decodable, Sendable {
                struct Header: Decodable, Sendable { var revision: String }

                var header: Header
                var compact_revision: String?
            }

            var result: Result
        }
        struct Compacted: Error { var revision: Int }
        struct Start: Encodable, Sendable {
            var key: String
            var start_revision: Int
        }
        let site = EventSite { request in
            let start = request.text.contains("\"start_revision\":9") ? 9 : 1
            switch request.number {
            case 1, 3:
                let results = (start..<start + 2).map { "{\"result\":{\"header\":{\"revision\":\"\($0)\"}}}" }
                // The gateway writes one object after the other.
                return self.lines(results.joined(), then: .fail(Self.broken))
            default:
                return self.lines("{\"result\":{\"header\":{\"revision\":\"9\"},\"compact_revision\":\"8\"}}\n")
            }
        }
        let watch = site.site["v3/watch"].call(.post, .json(["create_request": ["key": "Zm9v"] as JSON]))
        let stream = watch.follow(
            as: Watch.self,
            cursor: { message in
                if let compacted = message.result.compact_revision.flatMap(Int.init) {
                    throw Compacted(revision: compacted)
                }
                return Int(message.result.header.revision)
            },
            continuing: { call, revision in
                call.payload = .json(["create_request": Start(key: "Zm9v", start_revision: revision + 1)])
            },
            restart: { error in
                guard let compacted = error as? Compacted else { throw error }
                return compacted.revision
            }
        )
        let revisions = try await site.read(4, of: stream).map(\.result.header.revision)
        #expect(revisions == ["1", "2", "9", "10"])
        #expect(site.transport.requests.map(\.method) == [.post, .post, .post])
        #expect(site.transport.requests[1].text.contains("\"start_revision\":3"))
        #expect(site.transport.requests[2].text.contains("\"start_revision\":9"))
    }

    // MARK: Ends

    @Test func invalidValueEndsTheListWithItsNumber() async throws {
        let site = EventSite { _ in .json("{\"results\":[],\"last_seq\":\"1\"}{\"last_seq\":2}") }
        let stream = site.site["c"].follow(as: Changes.self, query: "since", cursor: { $0.last_seq })
        let error = await #expect(throws: CumulusError.self) { _ = try await site.read(9, of: stream) }
        #expect(error?.code == .decoding && (error?.cause as? LineProblem)?.value == 2)
        #expect(site.log.last == "failed decoding")
    }

    @Test func errorInPlaceOfAValueIsTheServicesError() async throws {
        let site = EventSite { _ in .json("{\"error\":{\"code\":\"gone\"}}") }
        site.site.setRules { $0.errorDecoders = [.jsonMember("error")] }
        let stream = site.site["c"].follow(as: Changes.self, query: "since", cursor: { $0.last_seq })
        let error = await #expect(throws: CumulusError.self) { _ = try await site.read(1, of: stream) }
        #expect(error?.serviceError()?.code == "gone")
    }

    @Test func silentServerIsAskedAgain() async throws {
        let site = EventSite { request in
            self.lines("{\"results\":[],\"last_seq\":\"\(request.number)\"}", then: .gate(Gate()))
        }
        let call = site.site["c"].call(.get)
        let stream = call.follow(query: "s", heartbeat: .seconds(30), cursor: { (page: Changes) in page.last_seq })
        _ = try await site.read(3, of: stream)
        #expect(queries(site) == ["", "s=1", "s=2"])
        #expect(waits(site).allSatisfy { $0.hasSuffix("timeout") })
    }

    @Test func cancellationEndsTheList() async throws {
        let site = couch(quiet: [2])
        let stream = site.site["c"].follow(as: Changes.self, query: "since", cursor: { $0.last_seq })
        let reader = Task { for try await _ in stream.onStateChange({ site.note($0) }) {} }
        try await site.clock.waitForSleepers()
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
        #expect(site.log.last == "closed cancelled" && site.transport.requests.count == 2)
    }
}
