// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCache
@testable import CumulusCore

/// What a folder keeps, seen by another program.
@Suite(.timeLimit(.minutes(10))) struct CacheListingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func site(_ headers: Headers) -> CachedSite {
        CachedSite(headers, .disk(folder.path, date: Stored.arrival))
    }

    private func entries(_ url: String? = nil, after seconds: Double = 10) throws -> [CacheListing.Entry] {
        let url = try url.map { try RequestURL($0) }
        return try #require(try CacheListing(in: folder.path)).entries(
            of: url,
            at: Stored.arrival.addingTimeInterval(seconds)
        )
    }

    @Test func eachResponseIsListedWithoutTheValuesOfItsQuery() async throws {
        let site = site([.cacheControl: "max-age=60", .contentType: "text/plain"])
        _ = try await site.site["y"].get(query: ["q": "topsecret"])
        _ = try await site.site["x"].get()
        _ = try await site.site["x"].with { $0.authorizers = [.bearer("ann")] }.get()
        let all = try entries()
        #expect(all.map(\.url) == ["https://a.example/x", "https://a.example/x", "https://a.example/y?q=<redacted>"])
        #expect(Set(all.map(\.user)).count == 3 && all.allSatisfy { $0.method == "GET" && $0.status == .ok })
        #expect(all.map(\.length) == [6, 6, 6] && all.allSatisfy { $0.age == 10 && $0.state == .fresh(50) })
        #expect(all.first?.fields[.contentType] == "text/plain")
        #expect(try entries("https://a.example/y?q=topsecret").count == 1)
        #expect(try entries("https://a.example/y").isEmpty)
    }

    @Test(
        "It says what the rules say now",
        arguments: [
            ("max-age=60", 59, .fresh(1)), ("max-age=60", 70, .stale(10)), ("no-cache", 1, .checked),
            ("max-age=60, stale-while-revalidate=30", 70, .refreshed(10)), ("max-age=60", -5, .checked),
        ] as [(String, Double, CacheListing.State)]
    ) func states(_ cacheControl: String, _ seconds: Double, _ state: CacheListing.State) async throws {
        _ = try await site([.cacheControl: .init(cacheControl), .eTag: "\"1\""]).get()
        #expect(try entries(after: seconds).map(\.state) == [state])
    }

    @Test func whatAQueryAskedWithIsAnotherEntry() async throws {
        let site = site([.cacheControl: "max-age=60"])
        let method = try #require(HTTPRequest.Method(rawValue: "QUERY"))
        for text in ["a", "b"] { _ = try await site.site["x"].call(method, .text(text)).send() }
        let all = try entries("https://a.example/x")
        #expect(all.map(\.method) == ["QUERY", "QUERY"] && Set(all.map(\.user)).count == 2)
    }

    @Test func aLinkInAFoldersPlaceIsNotFollowed() async throws {
        _ = try await site([.cacheControl: "max-age=60"]).get()
        let root = "\(folder.path)/\(CacheFolder.name)"
        let manager = FileManager.default
        let name = try #require(try manager.contentsOfDirectory(atPath: root).first(where: CacheFolder.isOwnFolder))
        let elsewhere = "\(folder.path)/elsewhere"
        try manager.moveItem(atPath: "\(root)/\(name)", toPath: elsewhere)
        try manager.createSymbolicLink(atPath: "\(root)/\(name)", withDestinationPath: elsewhere)
        #expect(try entries().isEmpty)
        #expect(try CacheListing(in: folder.path)?.remove(nil) == 0)
        #expect(try manager.contentsOfDirectory(atPath: elsewhere).count == 2)
    }

    @Test func oneURLIsRemovedOrAll() async throws {
        let site = site([.cacheControl: "max-age=60"])
        for path in ["x", "y", "z"] { _ = try await site.get([:], path) }
        let listing = try #require(try CacheListing(in: folder.path))
        #expect(listing.remove(try RequestURL("https://a.example/x")) == 1)
        #expect(try entries().map(\.url) == ["https://a.example/y", "https://a.example/z"])
        #expect(try await site.get([:], "x").note == "fwd=uri-miss; stored")
        #expect(listing.remove(nil) == 3)
        #expect(try entries().isEmpty)
        #expect(try await site.get([:], "y").note == "fwd=uri-miss; stored")
    }

    @Test func whatIsDamagedIsNotListed() async throws {
        let site = site([.cacheControl: "max-age=60"])
        for path in ["x", "y"] { _ = try await site.get([:], path) }
        let names = FileManager.default.subpaths(atPath: folder.path) ?? []
        for ending in [".head", ".body"] {
            let path = try #require(names.filter { $0.hasSuffix(ending) }.min())
            try Data([1]).write(to: URL(fileURLWithPath: "\(folder.path)/\(path)"))
        }
        #expect(try entries().count <= 1)
    }

    @Test("a folder without a cache has no responses; one that can't be read says so") func otherFolders() throws {
        #expect(try CacheListing(in: folder.path).map { _ in true } == nil)
        #expect(try CacheListing(in: "\(folder.path)/none").map { _ in true } == nil)
        func problem(_ path: String) -> String {
            do {
                _ = try CacheListing(in: path)
                return ""
            } catch { return "\(error)" }
        }
        #expect(problem(try folder.write("", to: "file")).hasSuffix(": Not a directory"))
        _ = try folder.write("", to: "cumulus-responses-7/key")
        #expect(problem(folder.path).contains("written by another version, \"cumulus-responses-7\""))
        _ = try folder.write("", to: "cumulus-responses-3/key")
        #expect(problem(folder.path).contains("it is not a folder that only its owner can read"))
    }
}
