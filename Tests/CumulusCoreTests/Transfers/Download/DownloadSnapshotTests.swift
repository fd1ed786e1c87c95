// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// A download keeps the settings that its call began with, and encodes its request once.
@Suite struct DownloadSnapshotTests {
    /// When the settings are changed.
    enum Moment: CaseIterable { case inItsPreflight, afterTheFirstAnswer }

    /// Sets everything to values that would affect a download immediately.
    private static func change(_ site: Resource, _ bench: DownloadBench) {
        site.setRules { settings in
            settings.cachesDirectory = bench.folder.path + "/elsewhere"
            settings.chunks.size = 1000
            settings.chunks.maxConcurrent = 6
            settings.bandwidth = Bandwidth(bytesPerSecond: 0)
            settings.headers[.acceptLanguage] = "later"
            settings.query["later"] = "yes"
            settings.trailingSlash = .added
            settings.authorizers.append(.bearer("later"))
            settings.userInfo["later"] = true
            settings.preflights.append { _ in throw CancellationError() }
            settings.validators.append { _ in throw CancellationError() }
        }
    }

    /// Changes the settings at a given moment of the next download.
    private static func changeSettings(_ moment: Moment, of bench: DownloadBench, _ site: Resource) {
        switch moment {
        case .inItsPreflight: site.setRules { $0.preflights.append { _ in change(site, bench) } }
        case .afterTheFirstAnswer:
            bench.remote.change { state in
                state.twists = [
                    { _, answer in
                        change(site, bench)
                        return answer
                    }
                ]
            }
        }
    }

    @Test(.timeLimit(.minutes(10)), arguments: Moment.allCases)
    func whatIsSetMeanwhileChangesNothing(moment: Moment) async throws {
        let bench = try DownloadBench()
        let site = bench.resource
        site.setRules {
            $0.chunks.maxConcurrent = 1
            $0.chunks.size = 1000
            $0.headers[.acceptLanguage] = "first"
        }
        DownloadSnapshotTests.changeSettings(moment, of: bench, site)
        bench.remote.change { $0.breaks = [40_000] }
        let file = try await site.download(to: .temporary)
        #expect(bench.bytes(file.path) == bench.remote.bytes)
        #expect(file.path.hasPrefix(bench.folder.path + "/caches/"))
        // With several pieces, the rest would be requested up to its end.
        #expect(bench.remote.seen.map { $0[.range] } == [nil, "bytes=40000-"])
        #expect(bench.remote.seen.allSatisfy { $0[.authorization] == nil })
        #expect(bench.transport.requests.map { $0.headers[.acceptLanguage] } == ["first", "first"])
        #expect(Set(bench.transport.requests.map(\.request.target)) == ["/data.bin"])
        #expect(site.cachesDirectory.locatorText == bench.folder.path + "/elsewhere")
    }

    @Test(.timeLimit(.minutes(10)), arguments: Moment.allCases)
    func soDoesOneInSeveralPieces(moment: Moment) async throws {
        let bench = try DownloadBench()
        let site = bench.resource
        site.setRules { $0.chunks.size = 60_000 }
        DownloadSnapshotTests.changeSettings(moment, of: bench, site)
        var options = DownloadOptions()
        options.connections = 4
        #expect(try await site.download(to: .file(bench.path), options: options).byteCount == 100_000)
        #expect(bench.remote.seen.count == 1, "half of it is less than a piece")
    }

    @Test(.timeLimit(.minutes(10)), arguments: Moment.allCases)
    func linksHaveTheSettingsThatTheCallBeganWith(moment: Moment) async throws {
        let bench = try DownloadBench()
        let site = bench.resource
        site.setRules { $0.headers[.acceptLanguage] = "first" }
        DownloadSnapshotTests.changeSettings(moment, of: bench, site)
        let changed = bench.remote.change
        changed { state in
            state.breaks = [40_000]
            state.twists += (state.twists.isEmpty ? [nil] : []) + [{ _, _ in .response(.forbidden) }]
        }
        var options = DownloadOptions()
        options.renewed = { _ in "renewed?key=2" }
        #expect(try await site.download(to: .file(bench.path), options: options).byteCount == 100_000)
        let requests = bench.transport.requests
        #expect(requests.map(\.request.target) == ["/data.bin", "/data.bin", "/renewed?key=2"])
        #expect(requests.allSatisfy { $0.headers[.acceptLanguage] == "first" })
        #expect(requests.allSatisfy { $0.headers[.authorization] == nil })
    }

    /// A payload that counts how often it is encoded.
    private struct Counted: Encodable, Sendable {
        let count: Counter

        func encode(to encoder: any Encoder) throws {
            count.add()
            var container = encoder.singleValueContainer()
            try container.encode("a question")
        }
    }

    private final class Counter: Sendable {
        private let count = Mutex(0)
        var value: Int { count.withLock(\.self) }

        func add() { count.withLock { $0 += 1 } }
    }

    @Test func itsRequestIsEncodedOnceHoweverOftenItIsAsked() async throws {
        let bench = try DownloadBench()
        let (site, checks, count) = (bench.resource, Counter(), Counter())
        site.setRules {
            $0.preflights = [
                { draft in
                    checks.add()
                    draft.payload = .json(Counted(count: count))
                }
            ]
        }
        bench.remote.change { $0.breaks = [40_000, 10_000] }
        #expect(try await site.download(to: .file(bench.path)).byteCount == 100_000)
        #expect(bench.remote.seen.map { $0[.range] } == [nil, "bytes=40000-", "bytes=50000-"])
        #expect(bench.transport.requests.allSatisfy { $0.text == "\"a question\"" })
        #expect(checks.value == 1)
        #expect(count.value == 1)
    }
}
