// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import Foundation
import HTTPTypes
import Logging
import TestSupport
import Testing

@testable import CumulusCache
@testable import CumulusCore

/// Folders and files that can't be used: always a miss, and a warning if the user can do something about it.
@Suite(.timeLimit(.minutes(20))) struct DiskDamageTests {
    private let folder: TemporaryFolder
    private let warnings = Warnings()

    init() throws { folder = try TemporaryFolder() }

    private func site(_ path: String? = nil, size: Int = 700) -> CachedSite {
        let warnings = warnings
        let logger = Logger(label: "test") { _ in warnings }
        return CachedSite(.disk(path ?? folder.path, megabytes: 1, logger: logger, date: Stored.arrival)) { request in
            .response(
                headers: [.cacheControl: "max-age=60"],
                body: (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ request.number) }
            )
        }
    }

    private func file(_ ending: String) throws -> String {
        let names = FileManager.default.subpaths(atPath: folder.path) ?? []
        return "\(folder.path)/\(try #require(names.first { $0.hasSuffix(ending) }))"
    }

    private static let rounds = SlowTests.areWanted ? 10_000 : 500

    @Test("A file in which a byte was changed is a miss") func mutations() async throws {
        let cached = site()
        let right = try await cached.site["x"].get()
        let paths = (head: try file(".head"), body: try file(".body"))
        let whole = (
            head: try Data(contentsOf: URL(fileURLWithPath: paths.head)),
            body: try Data(contentsOf: URL(fileURLWithPath: paths.body))
        )
        var random = SystemRandomNumberGenerator()
        for round in 0..<Self.rounds {
            let isHead = round % 2 == 0
            var bytes = isHead ? whole.head : whole.body
            switch round % 10 {
            case 0, 1: bytes.removeLast(Int.random(in: 1...bytes.count, using: &random))
            case 2, 3: bytes.append(UInt8.random(in: .min ... .max, using: &random))
            default:
                bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= UInt8.random(in: 1 ... .max, using: &random)
            }
            try bytes.write(to: URL(fileURLWithPath: isHead ? paths.head : paths.body))
            let response = try await cached.site["x"].with { $0.cachePolicy = .onlyIfCached }.get()
            #expect(response.status == .gatewayTimeout, "round \(round)")
            try restore(paths.head, whole.head)
            try restore(paths.body, whole.body)
        }
        let last = try await site().site["x"].get()
        #expect((last.storeNote, last.bytes) == ("hit; ttl=60", right.bytes))
        #expect(warnings.count == 0)
    }

    /// Writes a file as it was, in its folder, which a miss may have removed.
    private func restore(_ path: String, _ bytes: Data) throws {
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        try FileManager.default.createDirectory(
            atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path,
            withIntermediateDirectories: true
        )
        #expect(FileManager.default.createFile(atPath: path, contents: bytes, attributes: attributes))
    }

    @Test("A full disk is a miss and one warning", .enabled(if: TinyDisk.isPossible)) func full() async throws {
        let disk = try TinyDisk(kilobytes: 256)
        let site = site(disk.path, size: 200_000)
        for number in 0..<4 { #expect(try await site.site["\(number)"].get().bytes.count == 200_000) }
        #expect(warnings.all == ["the cache can't use its folder"])
        #expect(try await site.get([:], "0").note == "hit; ttl=60")
        #expect(try await site.get([:], "3").note == "fwd=uri-miss; stored")
    }

    @Test(
        "A read-only folder gives what it has, and else is a miss and one warning",
        .enabled(if: TinyDisk.isPossible)
    ) func readOnly() async throws {
        let disk = try TinyDisk(kilobytes: 256)
        _ = try await site(disk.path).get([:], "0")
        try disk.makeReadOnly()
        let site = site(disk.path)
        #expect(try await site.get([:], "0").note == "hit; ttl=60")
        for number in 1..<4 { #expect(try await site.get([:], "\(number)").note == "fwd=uri-miss") }
        #expect(warnings.all == ["the cache can't use its folder"] && site.count == 3)
    }

    @Test func aFolderOfAnotherVersionIsAMissAndOneWarning() async throws {
        let other = try folder.write("key", to: "cumulus-responses-1/key")
        #expect(try await site().get().note == "fwd=uri-miss; stored")
        #expect(try await site().get().note == "hit; ttl=60")
        #expect(warnings.all == ["the cache ignores a folder written by another version"])
        #expect(FileManager.default.fileExists(atPath: other))
    }
}
