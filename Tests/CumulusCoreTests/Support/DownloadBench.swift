// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import CumulusTesting
import Foundation
import TestSupport

@testable import CumulusCore

/// A remote file, a folder of its own, and a resource between them whose waits are over at once.
struct DownloadBench {
    let remote: RemoteFile
    let folder: TemporaryFolder
    let transport: StubTransport
    let site: Resource

    init(_ remote: RemoteFile = RemoteFile()) throws {
        self.remote = remote
        folder = try TemporaryFolder()
        transport = remote.transport
        site = Resource("http://a.example", transport: transport.watched)
        site.setRules {
            $0.clock = HastyClock()
            $0.cachesDirectory = folder.path + "/caches"
        }
    }

    /// Where downloads go.
    var path: String { folder.path + "/data.bin" }
    var part: String { DownloadTarget.part(of: FilePath(path)).text }
    var record: String { part + ".json" }
    var partName: String { FilePath(part).name }
    /// What a broken download leaves.
    var leftovers: [String] { [partName, partName + ".json"] }
    var resource: Resource { site["data.bin"] }

    func download(_ options: DownloadOptions = DownloadOptions()) async throws -> DownloadedFile {
        try await resource.download(to: .file(path), options: options)
    }

    /// The bytes of a file; `nil` where there is none.
    func bytes(_ path: String? = nil) -> [UInt8]? {
        FileManager.default.contents(atPath: path ?? self.path).map { [UInt8]($0) }
    }

    func exists(_ path: String) -> Bool { FilePath(path).exists }

    /// What is in the folder, but for caches.
    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter { $0 != "caches" }.sorted()
    }

    /// The error of a download that has to fail.
    func failure(_ options: DownloadOptions = DownloadOptions()) async throws -> CumulusError {
        try await TestSupport.failure(of: { try await download(options) })
    }

    /// Leaves the state of a download that broke off: so many bytes, and the record of them.
    func breakOff(after count: Int, tries: Int = 3) async throws {
        remote.change { $0.breaks = [count] + Array(repeating: 0, count: tries - 1) }
        _ = try await failure(DownloadOptions(resume: true))
        remote.change { state in
            state.breaks = []
            state.seen = []
        }
    }
}

/// Real time, but nobody has to sleep.
struct HastyClock: RequestClock {
    var now: ContinuousClock.Instant { .now }

    func sleep(until instant: ContinuousClock.Instant) async throws { try Task.checkCancellation() }
}
