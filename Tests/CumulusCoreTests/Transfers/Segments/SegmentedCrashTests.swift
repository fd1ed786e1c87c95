// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import CumulusTesting
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// After a crash at any moment, a download continues to the same bytes.
@Suite(.timeLimit(.minutes(10))) struct SegmentedCrashTests {
    private let bytes = RangeServer.bytes(40_000)
    private static let part = DownloadTarget.part(of: FilePath("data")).text

    /// Writes a part file, and its record, unless only the record's text is to be changed.
    private func leave(_ record: DownloadRecord, of bytes: [UInt8], in folder: TemporaryFolder) throws {
        let path = FilePath(try folder.write(bytes, to: SegmentedCrashTests.part))
        var record = record
        record.inode = try #require(FileIdentity(at: path)).inode
        try record.write(to: path.appending(".json"))
    }

    private var options: DownloadOptions {
        var options = DownloadOptions(resume: true)
        options.connections = 3
        return options
    }

    /// Copies the files on the disk, the record first, as a crash may leave them: the bytes may be newer.
    private func copy(_ folder: String, to place: String) throws {
        let files = FileManager.default
        try files.createDirectory(atPath: place, withIntermediateDirectories: true)
        for name in [SegmentedCrashTests.part + ".json", SegmentedCrashTests.part] {
            guard let contents = files.contents(atPath: "\(folder)/\(name)") else { continue }
            try contents.write(to: URL(fileURLWithPath: "\(place)/\(name)"))
        }
        // A copy is another file: the record is made to describe it.
        let part = FilePath("\(place)/\(SegmentedCrashTests.part)")
        guard var record = DownloadRecord(at: part.appending(".json")), let copy = FileIdentity(at: part) else {
            return
        }
        record.inode = copy.inode
        try record.write(to: part.appending(".json"))
    }

    /// Overwrites all bytes that the record doesn't list, since they need not have reached the disk.
    private func spoil(_ place: String) throws -> Int64 {
        let record = DownloadRecord(at: FilePath("\(place)/\(SegmentedCrashTests.part).json"))
        let url = URL(fileURLWithPath: "\(place)/\(SegmentedCrashTests.part)")
        guard var contents = try? Data(contentsOf: url) else { return 0 }
        let kept = record?.ranges ?? ByteRanges()
        for gap in kept.gaps(in: 0..<Int64(contents.count)) {
            for index in Int(gap.lowerBound)..<Int(gap.upperBound) { contents[index] = 0xEE }
        }
        try contents.write(to: url)
        return kept.count
    }

    @Test("a crash at each moment of a download in pieces, losing bytes that were not synced")
    func crashAtEachMoment() async throws {
        let (server, folder, clock) = (RangeServer(bytes), try TemporaryFolder(), ManualClock())
        server.change { state in
            // Many, since a record is left out while the one before is still being written.
            state.chunk = 400
            state.steps = { _, pieces in pieces.flatMap { [.pause(.seconds(1)), .chunk($0)] } }
        }
        let resource = server.resource()
        resource.setRules { $0.clock = clock }
        let (wanted, path) = (options, "\(folder.path)/live")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let hasEnded = Mutex(false)
        let download = Task {
            defer { hasEnded.withLock { $0 = true } }
            return try await resource.download(to: .file("\(path)/data"), options: wanted)
        }
        var moments = 0
        try await eventually {
            try? copy(path, to: "\(folder.path)/moment\(moments)")
            moments += 1
            clock.advanceToNextSleeper()
            return hasEnded.withLock(\.self)
        }
        #expect(try await Data(contentsOf: download.value.url) == Data(bytes))

        server.change { $0.steps = nil }
        var kept: Set<Int64> = []
        // Most moments are the same as the previous one.
        var seen: Set<Data> = []
        for moment in 0..<moments {
            let place = "\(folder.path)/moment\(moment)"
            kept.insert(try spoil(place))
            let state = FileManager.default.contents(atPath: "\(place)/\(SegmentedCrashTests.part).json") ?? Data()
            guard seen.insert(state).inserted else { continue }
            let file = try await server.resource().download(to: .file("\(place)/data"), options: options)
            #expect(try Data(contentsOf: file.url) == Data(bytes))
            #expect(try FileManager.default.contentsOfDirectory(atPath: place) == ["data"])
        }
        #expect(kept.count > 3, "there were moments with more and more bytes")
    }

    @Test(
        "a damaged record makes the download start over",
        arguments: [
            #""version":3"#: #""version":2"#,
            #""source":"#: #""origin":"#,
            #""done":["#: #""done":[{"start":1,"end":99999},"#,
            "}": "", "{": "[", #""end":"#: #""end":-"#,
        ]
    )
    func damagedRecord(old: String, new: String) async throws {
        let (server, folder) = (RangeServer(bytes), try TemporaryFolder())
        let path = "\(folder.path)/data"
        var poisoned = bytes
        for index in poisoned.indices { poisoned[index] ^= 0xFF }
        let record = DownloadRecord(
            place: DownloadRecord.place(of: try RequestURL("http://files.example/data.bin")),
            wanted: nil,
            remote: .known(entityTag: "\"one\"", length: 40_000),
            checksums: [],
            done: [.init(start: 0, end: 3000), .init(start: 5000, end: 20_000)]
        )
        try leave(record, of: poisoned, in: folder)
        let name = SegmentedCrashTests.part + ".json"
        let whole = String(decoding: try folder.bytes(name), as: UTF8.self)
        #expect(whole.contains(old))
        _ = try folder.write(whole.replacingOccurrences(of: old, with: new), to: name)
        let file = try await server.resource().download(to: .file(path), options: options)
        #expect(try Data(contentsOf: file.url) == Data(bytes))
        #expect(file.resumedByteCount == 0)
    }

    @Test func aRecordThatSpeaksOfBytesThatAreNotThereBeginsAnew() async throws {
        let (server, folder) = (RangeServer(bytes), try TemporaryFolder())
        let path = "\(folder.path)/data"
        let record = DownloadRecord(
            place: DownloadRecord.place(of: try RequestURL("http://files.example/data.bin")),
            wanted: nil,
            remote: .known(entityTag: "\"one\"", length: 40_000),
            checksums: [],
            done: [.init(start: 0, end: 3000), .init(start: 5000, end: 20_000)]
        )
        try leave(record, of: Array(bytes.prefix(19_999)), in: folder)
        let file = try await server.resource().download(to: .file(path), options: options)
        #expect(try Data(contentsOf: file.url) == Data(bytes))
        #expect(file.resumedByteCount == 0)
    }

    @Test(arguments: [1, 4])
    func onlyTheGapsAreFetched(connections: Int) async throws {
        let (server, folder) = (RangeServer(bytes), try TemporaryFolder())
        let path = "\(folder.path)/data"
        let done = [
            DownloadRecord.Done(start: 0, end: 3000), .init(start: 5000, end: 20_000),
            .init(start: 30_000, end: 39_000),
        ]
        let record = DownloadRecord(
            place: DownloadRecord.place(of: try RequestURL("http://files.example/data.bin")),
            wanted: nil,
            remote: .known(entityTag: "\"one\"", length: 40_000),
            checksums: [],
            done: done
        )
        try leave(record, of: bytes, in: folder)
        try spoilGaps(of: record, in: "\(folder.path)/\(SegmentedCrashTests.part)")
        var options = options
        options.connections = connections
        let file = try await server.resource().download(to: .file(path), options: options)
        #expect(try Data(contentsOf: file.url) == Data(bytes))
        #expect(file.resumedByteCount == 27_000)
        #expect(server.ranges.first == "bytes=3000-")
        let others = Set(server.ranges.dropFirst().compactMap(\.self))
        #expect(others.isSuperset(of: ["bytes=39000-39999"]))
        #expect(
            others.allSatisfy { range in
                let ends = range.dropFirst("bytes=".count).split(separator: "-").compactMap { Int64($0) }
                return ends.count == 2 && !record.ranges.contains(ends[0]..<ends[0] + 1)
            }
        )
    }

    private func spoilGaps(of record: DownloadRecord, in path: String) throws {
        var contents = try Data(contentsOf: URL(fileURLWithPath: path))
        for gap in record.ranges.gaps(in: 0..<Int64(contents.count)) {
            for index in Int(gap.lowerBound)..<Int(gap.upperBound) { contents[index] = 0xEE }
        }
        try contents.write(to: URL(fileURLWithPath: path))
    }
}
