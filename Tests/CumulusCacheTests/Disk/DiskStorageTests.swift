// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import Foundation
import HTTPTypes
import Logging
import Synchronization
import TestSupport
import Testing

@testable import CumulusCache
@testable import CumulusCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The cache in a folder, through the whole pipeline: found again by another process, never wrong.
@Suite(.timeLimit(.minutes(20))) struct DiskStorageTests {
    private let folder: TemporaryFolder
    private let warnings = Warnings()

    init() throws { folder = try TemporaryFolder() }

    /// What another process would have.
    private func cache(megabytes: Int = 1) -> ResponseCache {
        let warnings = warnings
        let logger = Logger(label: "test") { _ in warnings }
        return .disk(folder.path, megabytes: megabytes, logger: logger, date: Stored.arrival)
    }

    private func site(_ cache: ResponseCache? = nil, size: Int = 6, _ headers: Headers = [.cacheControl: "max-age=60"])
        -> CachedSite
    {
        CachedSite(cache ?? self.cache()) { request in
            .response(headers: headers, body: (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ request.number) })
        }
    }

    private func files(_ ending: String) -> [String] {
        FileManager.default.subpaths(atPath: folder.path)?.filter { $0.hasSuffix(ending) }.map {
            "\(folder.path)/\($0)"
        } ?? []
    }

    @Test(arguments: [0, 1, 6, 65_536, 65_537, 200_000])
    func anotherProcessFindsIt(_ size: Int) async throws {
        let first = try await site(size: size).site["x"].get()
        let other = site(size: size)
        let second = try await other.site["x"].get()
        #expect((second.storeNote, other.count) == ("hit; ttl=60", 0))
        #expect(second.bytes == first.bytes && second.bytes.count == size)
        #expect(second.headers[.age] == "0" && second.headers[.date] == Stored.date(0))
    }

    @Test(
        "of responses that a request finds by different `Vary`, the newest one stays, whatever its server's clock says"
    )
    func aheadClocks() async throws {
        let ahead: Headers = [.cacheControl: "max-age=60", .vary: "Accept", .date: .init(Stored.date(40))]
        let site = CachedSite(cache()) { request in
            .response(
                headers: request.number == 1 ? ahead : [.cacheControl: "max-age=60", .date: .init(Stored.date(10))],
                body: [64 + UInt8(request.number)]
            )
        }
        #expect(try await site.get().text == "A")
        site.clock.advance(by: .seconds(10))
        let reloading = site.site["x"].with { $0.cachePolicy = .reload }
        #expect(try await reloading.get().text == "B")
        #expect(try await site.get().text == "B" && site.count == 2)
        #expect(files(".head").count == 1)
    }

    @Test("a response with a date ahead of its arrival does not win over a newer one for other requests")
    func aheadVariants() async throws {
        let site = CachedSite(cache()) { request in
            let isFirst = request.number == 1
            return .response(
                headers: [
                    .cacheControl: "max-age=60", .vary: isFirst ? "Accept" : "Foo",
                    .date: .init(Stored.date(isFirst ? 40 : 10)),
                ],
                body: [64 + UInt8(request.number)]
            )
        }
        _ = try await site.get([.accept: "text/a"])
        site.clock.advance(by: .seconds(10))
        _ = try await site.get([.accept: "text/b"])
        #expect(files(".head").count == 2)
        #expect(try await site.get([.accept: "text/a"]).text == "B")
    }

    @Test("a tag that is not UTF-8 keeps its bytes") func latinTags() async throws {
        let tag: [UInt8] = [0x22, 0x63, 0x61, 0x66, 0xE9, 0x22]
        func site() -> CachedSite {
            CachedSite(cache()) { request in
                let isSame = request.headers[fields: .ifNoneMatch].first?.bytes.bytes == tag
                let answer = StubResponse.response(
                    isSame ? .notModified : .ok,
                    headers: [.cacheControl: "max-age=0"],
                    body: isSame ? [] : [64 + UInt8(request.number)]
                )
                return answer.adding(HTTPField(name: .eTag, value: tag))
            }
        }
        _ = try await site().get()
        let other = site()
        #expect(try await other.get().note == "fwd=stale; fwd-status=304; ttl=0")
    }

    /// What the folder's files take, by blocks.
    private var taken: Int64 {
        let names = FileManager.default.subpaths(atPath: folder.path) ?? []
        return names.reduce(0) { sum, name in
            var facts = stat()
            return lstat("\(folder.path)/\(name)", &facts) == 0 ? sum + Int64(facts.st_blocks) * 512 : sum
        }
    }

    @Test func manySmallBodiesStayWithinTheBound() async throws {
        let site = site(cache(megabytes: 1), size: 100)
        for number in 0..<300 { _ = try await site.get([:], "\(number)") }
        #expect(taken <= 1_100_000)
    }

    /// Readers of so many places that have the first piece of a body.
    private func begun(_ count: Int, at site: CachedSite) async throws -> [ResponseStream.Iterator] {
        var readers: [ResponseStream.Iterator] = []
        for number in 0..<count {
            let reader = try await site.site[segment: number].call(.get).stream().makeAsyncIterator()
            _ = try await reader.next()
            readers.append(reader)
        }
        return readers
    }

    @Test func whatIsOnItsWayTakesHalfOfTheRoomAtMost() async throws {
        let (gate, sizes) = (Gate(), 200_000)
        let site = CachedSite(cache(megabytes: 1)) { _ in
            let body = [UInt8](repeating: 65, count: sizes)
            return .script(
                [.chunk(body), .gate(gate), .chunk([66])],
                headers: [.cacheControl: "max-age=60", .contentLength: "\(sizes + 1)"]
            )
        }
        let readers = try await begun(10, at: site)
        // Half a megabyte has room for two.
        #expect(files(".body").count == 2)
        gate.open()
        for reader in readers { while try await reader.next() != nil {} }
        #expect(taken <= 1_100_000)
    }

    @Test func smallBodiesOfUnknownLengthAllHaveRoomAndLargeOnesShareIt() async throws {
        for (size, count, kept) in [(1_000, 20, 20), (200_000, 12, 9)] {
            let gate = Gate()
            let site = CachedSite(cache(megabytes: 4), announces: false) { _ in
                let body = [UInt8](repeating: 65, count: size)
                return .script([.chunk(body), .gate(gate), .chunk([66])], headers: [.cacheControl: "max-age=60"])
            }
            await site.cache.removeAll()
            let readers = try await begun(count, at: site)
            gate.open()
            for reader in readers { while try await reader.next() != nil {} }
            #expect(files(".head").count == kept, "\(size) bytes")
        }
    }

    @Test func ofTheSameSecondTheLaterResponseIsGiven() async throws {
        for round in 0..<8 {
            let site = CachedSite(cache()) { request in
                let vary = request.number == 1 ? "X-A" : "X-B"
                return .response(
                    headers: [.cacheControl: "max-age=60", .vary: vary, .date: Stored.date(0)],
                    body: Array("\(request.number)".utf8)
                )
            }
            _ = try await site.get([:], "r\(round)")
            site.clock.advance(by: .milliseconds(10))
            let newer = try await site.get([.cacheControl: "no-cache"], "r\(round)")
            #expect(try await site.get([:], "r\(round)").text == newer.text)
        }
    }

    @Test func largeBodiesAreStreamedAndReadInParts() async throws {
        let size = 3_000_000
        let first = try await site(cache(megabytes: 100), size: size).site["x"].get()
        let other = site(cache(megabytes: 100), size: size)
        #expect(try await other.site["x"].get().bytes == first.bytes)
        for range in [0..<1, 65_535..<65_537, 100_000..<1_400_000, 2_999_999..<3_000_000] {
            let part = try await other.site["x"].get(headers: [
                .range: "bytes=\(range.lowerBound)-\(range.upperBound - 1)"
            ])
            #expect(part.status == .partialContent && part.bytes.bytes == Array(first.bytes.bytes[range]))
        }
        #expect(other.count == 0)
    }

    @Test func itIsConfirmedReplacedAndRemoved() async throws {
        let site = CachedSite(cache()) { request in
            let headers: Headers = [.cacheControl: "max-age=60", .eTag: "\"1\"", "X-N": "\(request.number)"]
            if request.headers[.ifNoneMatch] != nil { return .response(.notModified, headers: headers) }
            return .response(headers: headers, body: [64 + UInt8(request.number)])
        }
        _ = try await site.get()
        site.clock.advance(by: .seconds(60))
        #expect(try await site.get().note == "fwd=stale; fwd-status=304; ttl=60")
        let confirmed = try await site.site["x"].get()
        #expect((confirmed.headers["X-N"], confirmed.text, confirmed.storeNote) == ("2", "A", "hit; ttl=60"))
        #expect(try await site.get([.cacheControl: "no-cache"]).note == "fwd=request; fwd-status=304; ttl=60")
        #expect(files(".head").count == 1 && files(".body").count == 1)
        _ = try await site.site["x"].delete()
        #expect(files(".head").isEmpty && files(".body").isEmpty)
        #expect(try await site.get().note == "fwd=uri-miss; stored")
        await site.cache.removeAll()
        #expect(try await site.get().note == "fwd=uri-miss; stored")
    }

    @Test func variantsAndUsersAreApart() async throws {
        let site = CachedSite(cache()) { request in
            let who = request.headers["X-API-Key"] ?? "nobody"
            return .response(
                headers: [.cacheControl: "public, max-age=60", .vary: "Foo"],
                body: Array("\(who) \(request.headers["Foo"] ?? "-")".utf8)
            )
        }
        for _ in 0..<2 {
            for key in ["ann", "bob"] {
                let user = site.site["x"].with { $0.headers["X-API-Key"] = .init(key) }
                for foo in ["1", "2"] {
                    #expect(try await user.get(headers: ["Foo": .init(foo)]).text == "\(key) \(foo)")
                }
            }
        }
        #expect(site.count == 4 && files(".head").count == 4)
    }

    @Test func whatOneProcessOnlyKnowsStaysInMemory() async throws {
        let jar = CookieJar()
        try jar.set("s=1", from: "https://a.example/")
        let site = site()
        let user = site.site["x"].with { $0.cookies = jar }
        _ = try await user.get()
        #expect(try await user.get().storeNote == "hit; ttl=60")
        #expect(files(".head").isEmpty && files(".body").isEmpty)
    }

    @Test func noSecretIsWritten() async throws {
        let site = site(nil, [.cacheControl: "max-age=60", .vary: "X-Secret-Thing, User-Agent"])
        let user = site.site["x"].with { $0.headers["X-API-Key"] = "topsecretkey" }
        let fields: Headers = ["X-Secret-Thing": "topsecretfield", .userAgent: "topsecretagent"]
        for isHit in [false, true] {
            let response = try await user.get(query: ["token": "topsecrettoken"], headers: fields)
            #expect(response.cacheStatus?.isHit == isHit)
        }
        _ = try await user.get(query: ["token": "topsecrettoken"])
        #expect(files(".head").count == 2)
        for path in files("") where !FileManager.default.isFolder(path) {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            #expect(bytes.range(of: Data("topsecret".utf8)) == nil, "\(path)")
            #expect(!path.contains("topsecret"))
        }
    }

    @Test func filesArePrivate() async throws {
        _ = try await site().get()
        for path in files("") where path.contains("cumulus-responses") {
            let mode = try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
            #expect(mode & 0o077 == 0, "\(path)")
        }
    }

    @Test func aLargeBodyThatIsDamagedIsAskedForAgain() async throws {
        let first = try await site(cache(megabytes: 100), size: 2_000_000).site["x"].get()
        let body = try #require(files(".body").first)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: body))
        bytes[1_500_000] ^= 1
        try bytes.write(to: URL(fileURLWithPath: body))
        let other = CachedSite(cache(megabytes: 100), rules: { $0.retry = RetryPolicy(limit: 2) }) { _ in
            .response(headers: [.cacheControl: "max-age=60"], body: first.bytes.bytes)
        }
        let call = other.site["x"].call(.get).start()
        #expect(try await other.value(of: call).bytes == first.bytes && other.count == 1)
    }

    @Test func aReaderKeepsWhatIsReplaced() async throws {
        let site = site(cache(megabytes: 100), size: 2_000_000)
        let first = try await site.site["x"].get()
        let stream = try await site.site["x"].call(.get).stream()
        #expect(stream.storeNote == "hit; ttl=60")
        _ = try await site.site["x"].with { $0.cachePolicy = .reload }.get()
        _ = try await site.site["x"].delete()
        var bytes: [UInt8] = []
        for try await chunk in stream { bytes += chunk.bytes }
        #expect(bytes == first.bytes.bytes)
    }

    @Test func theFolderIsBounded() async throws {
        let site = site(size: 100_000)
        for number in 0..<30 { _ = try await site.get([:], "\(number)") }
        let size = files(".body").count * 100_000
        #expect(size <= 1_000_000 && size >= 500_000)
        #expect(try await site.get([:], "29").note == "hit; ttl=60")
        _ = try await self.site(size: 250_001).get([:], "large")
        #expect(files(".body").count * 100_000 == size)
    }

    @Test func onlyOurFilesAreRemoved() async throws {
        let own = try folder.write("mine", to: "notes.txt")
        let site = site()
        _ = try await site.get()
        let beside = try folder.write("mine", to: "cumulus-responses-3/readme.head")
        let head = try #require(files(".head").first { !$0.hasSuffix("readme.head") })
        let within = URL(fileURLWithPath: head).deletingLastPathComponent().path + "/mine.body"
        try Data("mine".utf8).write(to: URL(fileURLWithPath: within))
        await site.cache.removeAll()
        for path in [own, beside, within] { #expect(FileManager.default.fileExists(atPath: path)) }
        #expect(!FileManager.default.fileExists(atPath: head))
    }

    @Test func aFolderThatCannotBeUsedIsAMissAndOneWarning() async throws {
        let path = try folder.write("a file", to: "file")
        let warnings = warnings
        let cache = ResponseCache.disk(path, logger: Logger(label: "test") { _ in warnings }, date: Stored.arrival)
        let site = site(cache)
        for _ in 0..<3 { #expect(try await site.get().note == "fwd=uri-miss") }
        #expect(warnings.count == 1 && site.count == 3)
    }

    @Test func aFolderThatOthersCanReadIsNotUsed() async throws {
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/cumulus-responses-3",
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755]
        )
        let site = site()
        for _ in 0..<2 { _ = try await site.get() }
        #expect(warnings.count == 1 && site.count == 2)
    }

    @Test func aHeadNeverGetsTheBodyOfAnother() async throws {
        let (storage, place) = (storage(), place())
        try await keep("old", in: storage, at: place)
        let old = try #require(await storage.responses(for: place).first)
        try await keep("newer", in: storage, at: place)
        for response in [Stored.response([("X-N", "confirmed")]), nil] {
            await storage.update(old, to: response, for: place)
            let kept = await storage.responses(for: place)
            #expect(kept.map { $0.response.fields[.init("X-N")!] } == ["newer"])
            #expect(try await text(of: kept.first) == "newer")
        }
        let newer = try #require(await storage.responses(for: place).first)
        await storage.update(newer, to: Stored.response([("X-N", "confirmed")]), for: place)
        let kept = await storage.responses(for: place)
        #expect(kept.map { $0.response.fields[.init("X-N")!] } == ["confirmed"])
        #expect(try await text(of: kept.first) == "newer")
    }

    @Test func aDamagedBodyRemovesItsOwnHeadOnly() async throws {
        let (storage, place) = (storage(), place())
        try await keep("old", in: storage, at: place)
        let old = try #require(await storage.responses(for: place).first)
        try FileManager.default.removeItem(atPath: try #require(files(".body").first))
        try await keep("newer", in: storage, at: place)
        #expect(await !old.body.prepare())
        #expect(try await text(of: await storage.responses(for: place).first) == "newer")
    }

    @Test func aBodyThatOthersMayWriteIsAMiss() async throws {
        _ = try await site().get()
        let body = try #require(files(".body").first)
        try FileManager.default.setAttributes([.posixPermissions: 0o622], ofItemAtPath: body)
        #expect(try await site().get([.cacheControl: "only-if-cached"]).note == "detail=only-if-cached")
    }

    @Test func aUserHasSomeVariantsOfAURL() async throws {
        let site = site(nil, size: 6, [.cacheControl: "max-age=60", .vary: "Foo"])
        for number in 0..<40 { _ = try await site.get(["Foo": "\(number)"]) }
        #expect(files(".head").count == 32 && files(".body").count == 32)
        #expect(try await site.get(["Foo": "39"]).note == "hit; ttl=60")
    }

    @Test func whatAKilledProcessLeavesDoesNotPushOutTheRest() async throws {
        let site = site(size: 100_000)
        for number in 0..<3 { _ = try await site.get([:], "\(number)") }
        let body = try #require(files(".body").first)
        let folder = URL(fileURLWithPath: body).deletingLastPathComponent()
        for digit in 0..<9 {
            let name = String(repeating: "\(digit)", count: 32) + ".body"
            try Data(count: 200_000).write(to: folder.appendingPathComponent(name))
        }
        _ = try await self.site(size: 100_000).get([:], "new")
        #expect(files(".head").count >= 3)
        #expect(try await self.site().get([:], "new").note == "hit; ttl=60")
    }

    @Test func aFolderIsTriedAgain() async throws {
        let path = try folder.write("a file", to: "file")
        let (storage, place) = (
            DiskStorage(path, capacity: 1_000_000, logger: .init(label: "test"), pause: .zero), place()
        )
        #expect(await storage.write(Stored.response([]), for: place, length: nil) == nil)
        try FileManager.default.removeItem(atPath: path)
        try await keep("new", in: storage, at: place)
        #expect(await storage.responses(for: place).count == 1)
    }

    @Test func processesThatBeginTogetherShareAKey() async throws {
        let path = folder.path
        let keys = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<20 { group.addTask { try CacheFolder(in: path).key } }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(keys.count == 1)
        #expect(files(".new").isEmpty)
    }

    @Test func theDraftsOfTheDeadAreRemoved() async throws {
        let root = "\(folder.path)/cumulus-responses-3"
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true, attributes: attributes)
        let drafts = ["key.2000000000.new", "key.2000000000.7.new"].map { "\(root)/\($0)" }
        for draft in drafts { try Data([1]).write(to: URL(fileURLWithPath: draft)) }
        #expect(try CacheFolder(in: folder.path).key.count == 32)
        for draft in drafts { #expect(!FileManager.default.fileExists(atPath: draft)) }
    }

    private func storage() -> DiskStorage {
        DiskStorage(folder.path, capacity: 1_000_000, logger: Logger(label: "test"))
    }

    private func place() -> CachePlace { CachePlace(url: "https://a.example/x", partition: StorePartition()) }

    private func keep(_ text: String, in storage: DiskStorage, at place: CachePlace) async throws {
        let response = Stored.response([("X-N", text), ("Cache-Control", "max-age=60")])
        let writer = try #require(await storage.write(response, for: place, length: nil))
        #expect(await writer.write(ByteChunk(Array(text.utf8))))
        await writer.finish()
    }

    private func text(of kept: KeptResponse?) async throws -> String? {
        guard let kept, await kept.body.prepare() else { return nil }
        let body = kept.body.read(0..<kept.body.length)
        var bytes: [UInt8] = []
        while let chunk = try await body.next() { bytes += chunk.bytes }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func bodiesThatBreakOffLeaveNothing() async throws {
        let site = CachedSite(cache()) { _ in
            .script([.chunk([65]), .fail(TransportFailure(.truncated, "cut"))], headers: [.cacheControl: "max-age=60"])
        }
        await #expect(throws: CumulusError.self) { _ = try await site.get() }
        // The next work on the folder comes after the removal.
        _ = try? await site.get([.cacheControl: "only-if-cached"])
        #expect(files(".head").isEmpty && files(".body").isEmpty)
    }
}

extension FileManager {
    fileprivate func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
