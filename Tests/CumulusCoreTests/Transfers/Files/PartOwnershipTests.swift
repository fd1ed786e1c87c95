// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import CumulusTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// Unfinished files belong to one download: no response names them, nothing planted is resumed, and what is reported as
/// complete is what was received.
@Suite(.timeLimit(.minutes(10))) struct PartOwnershipTests {
    /// How something else gets at a part file while its download runs.
    enum Attack: CaseIterable {
        case replaced, removed, movedAside, symbolicLink, hardLink, emptied
    }

    private static let poison = [UInt8](repeating: 0x58, count: 100_000)

    // MARK: Names

    @Test("a part file that is not in its directory is refused")
    func mustBeAChild() throws {
        let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
        let path = try #require(FilePath(of: "x", inFolder: folder.path))
        #expect(throws: Never.self) { try PartFile(path.appending(".part")) }
        // As if the code that joins paths were wrong.
        let link = folder.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: other.path)
        let elsewhere = try #require(FilePath(of: "link", inFolder: folder.path)).appending("/x")
        #expect(throws: FileProblem.self) { try PartFile(elsewhere) }
    }

    @Test("No proposed name is an unfinished file's, in whatever case", arguments: [false, true])
    func names(inDirectory: Bool) throws {
        let url = try RequestURL("http://a.example/victim.bin")
        let destination = inDirectory ? DownloadDestination.directory("/tmp") : .file("/tmp/victim.bin")
        let name = try DownloadTarget(destination, of: url, caches: "", resumes: true).part.name
        #expect(name.utf8.first == UInt8(ascii: "."))
        for ending in ["", ".json", ".new", ".json.new"] {
            for proposed in [name + ending, (name + ending).uppercased(), "x/\(name)\(ending)", "\u{200D}\(name)"] {
                let safe = try #require(FileName.safe(proposed))
                #expect(!PartFileName.isReserved(safe))
                #expect(safe.lowercased() != (name + ending).lowercased())
            }
            #expect(PartFileName.isReserved(name + ending))
            #expect(PartFileName.isReserved((name + ending).uppercased()))
        }
    }

    @Test("A destination may be called anything but that") func destinations() async throws {
        let bench = try DownloadBench()
        for name in ["x.part", ".x.part", ".data.bin.part", "data.bin.part.json", bench.partName + "x"] {
            let file = try await bench.resource.download(to: .file("\(bench.folder.path)/\(name)"))
            #expect(bench.bytes(file.path) == bench.remote.bytes)
        }
        let before = bench.remote.seen.count
        for ending in ["", ".json", ".json.new", ".NEW"] {
            let path = bench.part + ending
            let error = try await failure { try await bench.resource.download(to: .file(path)) }
            #expect(error.code == .disk && error.message.contains("unfinished"))
        }
        #expect(bench.remote.seen.count == before, "nothing is sent")
    }

    @Test("Two destinations, or a destination and a URL, never share an unfinished file") func distinct() throws {
        let url = try RequestURL("http://a.example/a")
        let paths = ["/t/a", "/t/A", "/t/a.part", "/t/.a.part", "/t/\(String(repeating: "x", count: 255))"]
        var names = paths.map { DownloadTarget.part(of: FilePath($0)).name }
        for target in ["http://a.example/a", "http://a.example/a?b", "http://b.example/a"] {
            let url = try RequestURL(target)
            names.append(try DownloadTarget(.directory("/t"), of: url, caches: "", resumes: true).part.name)
        }
        #expect(Set(names.map { $0.lowercased() }).count == names.count)
        #expect(names.allSatisfy { $0.utf8.count <= 255 - ".json.new".utf8.count })
        #expect(PartFileName.name("a", of: .destination("x")) != PartFileName.name("a", of: .place("x")))
        _ = url
    }

    // MARK: Planted state

    @Test("A server's files never become another download's state, whatever it calls them", arguments: [false, true])
    func planted(inDirectory: Bool) async throws {
        let bench = try DownloadBench()
        let folder = bench.folder.path
        let destination = inDirectory ? DownloadDestination.directory(folder) : .file(bench.path)
        let url = try RequestURL("http://a.example/data.bin")
        let target = try DownloadTarget(destination, of: url, caches: "", resumes: true)
        let record = DownloadRecord(
            place: DownloadRecord.place(of: url),
            wanted: nil,
            remote: .known(entityTag: "\"v1\"", length: 100_000),
            checksums: [],
            done: [.init(start: 0, end: 50_000)]
        )
        let old = inDirectory ? "data.bin.\(record.place.prefix(8)).part" : "data.bin.part"
        for name in [target.part.name, old] {
            for (name, body) in [
                (name, PartOwnershipTests.poison), (name + ".json", try JSON(encoding: record).encoded()),
            ] {
                let evil = StubTransport { _ in
                    .response(headers: ["Content-Disposition": "attachment; filename=\"\(name)\""], body: body)
                }
                _ = try await Resource("http://evil.example/x", transport: evil.watched)
                    .download(to: .directory(folder), options: DownloadOptions(existing: .replace))
            }
        }
        let file = try await bench.resource.download(to: destination, options: DownloadOptions(resume: true))
        #expect(file.resumedByteCount == 0)
        #expect(bench.bytes(file.path) == bench.remote.bytes)
    }

    @Test("State that came from elsewhere, a copy or an archive, is not resumed") func copied() async throws {
        let bench = try DownloadBench()
        try await bench.breakOff(after: 40_000)
        let bytes = try #require(bench.bytes(bench.part))
        let copy = try bench.folder.write(bytes, to: "copy")
        #expect(rename(copy, bench.part) == 0)
        let file = try await bench.download(DownloadOptions(resume: true))
        #expect(file.resumedByteCount == 0)
        #expect(bench.bytes() == bench.remote.bytes)
        #expect(bench.names == ["data.bin"])
    }

    // MARK: A live part file

    @Test(
        "Whatever takes a running download's part file, a reported success has its own bytes",
        arguments: Attack.allCases,
        [DownloadOptions.ExistingFile.refuse, .replace, .keepBoth, .extend]
    )
    func taken(attack: Attack, existing: DownloadOptions.ExistingFile) async throws {
        let bench = try DownloadBench()
        if existing == .replace || existing == .keepBoth { _ = try bench.folder.write("old", to: "data.bin") }
        let (gate, bytes) = (Gate(), bench.remote.bytes)
        bench.remote.change { state in
            state.twists = [
                { _, _ in
                    .script(
                        [.chunk(Array(bytes[..<50_000])), .chunk(Array(bytes[50_000...])), .gate(gate)],
                        headers: [.contentLength: "100000", .eTag: "\"v1\""]
                    )
                }
            ]
        }
        let task = Task { try await bench.download(DownloadOptions(resume: true, existing: existing)) }
        try await eventually { gate.waiterCount == 1 }
        let poison = try bench.folder.write(PartOwnershipTests.poison, to: "poison")
        try PartOwnershipTests.apply(attack, to: bench.part, poison)
        gate.open()
        let result = await Result { try await task.value }
        switch result {
        case .success(let file): #expect(bench.bytes(file.path) == bytes)
        case .failure(let error): #expect((error as? CumulusError)?.code == .disk, "\(error)")
        }
        if attack == .movedAside || attack == .hardLink {
            #expect((try? result.get()) != nil, "the open file still has a name")
        }
        if attack == .removed || attack == .replaced || attack == .symbolicLink {
            #expect((try? result.get()) == nil, "the open file has no name any more")
            #expect(bench.bytes() == (existing == .replace || existing == .keepBoth ? Array("old".utf8) : nil))
        }
        // What isn't the download's is left alone.
        if attack == .replaced { #expect(bench.bytes(bench.part) == PartOwnershipTests.poison) }
        #expect(attack == .replaced || bench.bytes(poison) == PartOwnershipTests.poison || attack == .hardLink)
    }

    private static func apply(_ attack: Attack, to part: String, _ poison: String) throws {
        let files = FileManager.default
        switch attack {
        case .replaced: #expect(rename(poison, part) == 0)
        case .removed: try files.removeItem(atPath: part)
        case .movedAside:
            #expect(rename(part, part + "-aside") == 0)
            try files.copyItem(atPath: poison, toPath: part)
        case .symbolicLink:
            try files.removeItem(atPath: part)
            try files.createSymbolicLink(atPath: part, withDestinationPath: poison)
        case .hardLink: try files.linkItem(atPath: part, toPath: part + "-second")
        case .emptied: _ = truncate(part, 100_000)
        }
    }

    @Test("A finishing download never removes or describes another's part file") func ending() async throws {
        let folder = try TemporaryFolder()
        let target = FilePath(folder.path + "/data.bin")
        let first = try DownloadFile(target: target, part: DownloadTarget.part(of: target))
        #expect(unlink(first.part.path.text) == 0)
        let second = try DownloadFile(target: target, part: DownloadTarget.part(of: target))
        let record = DownloadRecord(
            place: "x",
            wanted: nil,
            remote: .known(entityTag: "\"v1\"", length: 3),
            checksums: [],
            done: [.init(start: 0, end: 3)]
        )
        try [1, 2, 3].withUnsafeBytes { try second.part.write(UnsafeRawBufferPointer(rebasing: $0[..<3]), at: 0) }
        try await second.keep(record)
        await #expect(throws: FileProblem.self) { try await first.keep(record) }
        try await first.clear()
        await first.discard()
        await #expect(throws: FileProblem.self) { try await first.commit(length: 0, .replace, modified: nil) }
        #expect(second.earlier()?.done == record.done)
        #expect(try await second.commit(length: 3, .refuse, modified: nil) == target)
        #expect(folder.names == ["data.bin"])
    }

    @Test("Finishing with an occupied draft, or over its own name, ends with one name") func drafts() async throws {
        let folder = try TemporaryFolder()
        let target = FilePath(try folder.write("old", to: "data.bin"))
        let file = try DownloadFile(target: target, part: DownloadTarget.part(of: target))
        _ = try folder.write("left by a killed one", to: file.part.path.name + ".new")
        #expect(link(file.part.path.text, folder.path + "/other") == 0)
        #expect(try await file.commit(length: 0, .replace, modified: nil) == target)
        #expect(folder.names == ["data.bin", "other"])
        #expect(try folder.bytes("data.bin").isEmpty)
    }

    // MARK: Many at once

    @Test("Downloads of one folder, some of them aimed at another's files, each end with their own bytes or fail")
    func stress() async throws {
        for round in 0..<60 {
            var random = SeededNumbers(UInt64(round))
            let folder = try TemporaryFolder()
            let (path, options) = (folder.path, DownloadOptions(resume: true, existing: .replace))
            let part = DownloadTarget.part(of: FilePath(path + "/victim.bin")).name
            let names = [part, part.uppercased(), "victim.bin.part", part + ".json", "victim.bin.part.json"]
            let order = (0..<3).shuffled(using: &random)
            let name = names[Int(random.next() % UInt64(names.count))]
            let transport = StubTransport { request in
                let byte: UInt8 = request.url.hasPrefix("http://good.example") ? 1 : 2
                var headers: Headers = [.eTag: "\"v\(byte)\"", .contentLength: "20000"]
                if byte == 2 { headers["Content-Disposition"] = "attachment; filename=\"\(name)\"" }
                return .script(RemoteFile.steps([UInt8](repeating: byte, count: 20_000)), headers: headers)
            }
            let good = Resource("http://good.example/victim.bin", transport: transport.watched)
            let evil = Resource("http://evil.example/x", transport: transport.watched)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for who in order {
                    group.addTask {
                        do {
                            let file =
                                who == 0
                                ? try await good.download(to: .file(path + "/victim.bin"), options: options)
                                : try await evil[segment: "\(who)"].download(to: .directory(path), options: options)
                            let found = FileManager.default.contents(atPath: file.path).map { Set($0) }
                            #expect(found == [who == 0 ? 1 : 2], "round \(round), \(file)")
                        } catch let error as CumulusError {
                            // The two evil ones may meet at one name.
                            #expect(who != 0 && error.code == .disk, "round \(round): \(error)")
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try Set(folder.bytes("victim.bin")) == [1])
        }
    }
}

extension Result where Failure == any Error {
    /// The outcome of asynchronous work.
    init(_ work: () async throws -> Success) async {
        do { self = .success(try await work()) } catch { self = .failure(error) }
    }
}
