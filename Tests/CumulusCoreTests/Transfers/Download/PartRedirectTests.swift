// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import CumulusTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// A redirect that leads to another resource never contributes bytes to a partial file.
@Suite(.timeLimit(.minutes(10))) struct PartRedirectTests {
    /// `/latest` redirects to one target after the other, and in the end always to the last one; all have the same tag.
    private final class Releases: Sendable {
        let files: [RemoteFile]
        let targets: [String]
        private let redirects = Mutex(0)
        private let paths = Mutex<[String]>([])

        init(_ files: [RemoteFile], targets: [String]) { (self.files, self.targets) = (files, targets) }

        /// The targets of the requests, in order.
        var requests: [String] { paths.withLock(\.self) }

        var transport: StubTransport {
            StubTransport { [self] request in
                paths.withLock { $0.append(request.request.target) }
                if request.path == "/latest" {
                    let number = redirects.withLock { count in
                        defer { count += 1 }
                        return count
                    }
                    return .response(.found, headers: [.location: targets[min(number, targets.count - 1)]])
                }
                guard let index = targets.firstIndex(of: request.request.target) else { return .response(.notFound) }
                return files[index % files.count].answer(request)
            }
        }
    }

    private let folder: TemporaryFolder
    private var path: String { folder.path + "/data.bin" }
    private static let resuming = DownloadOptions(resume: true, existing: .replace)

    init() throws { folder = try TemporaryFolder() }

    private func site(_ releases: Releases) -> Resource {
        Resource("http://a.example/latest", transport: releases.transport.watched) { $0.clock = HastyClock() }
    }

    private var bytes: [UInt8]? { FileManager.default.contents(atPath: path).map { [UInt8]($0) } }

    @Test func aBreakIsMendedAtTheRedirectsTarget() async throws {
        let releases = Releases([RemoteFile(), RemoteFile(seed: 9)], targets: ["/r1", "/r2"])
        releases.files[0].change { $0.breaks = [40_000] }
        let file = try await site(releases).download(to: .file(path), options: Self.resuming)
        #expect((bytes == releases.files[0].bytes) as Bool)
        #expect(releases.requests == ["/latest", "/r1", "/r1"])
        #expect(file.response?.history.count == 1)
    }

    @Test(arguments: [401, 403, 404, 410, 0])
    func aTargetThatHasExpiredIsRequestedAgainAndStartsOver(code: Int) async throws {
        let releases = Releases([RemoteFile(), RemoteFile(seed: 9)], targets: ["/r1", "/r2"])
        releases.files[0].change { state in
            state.breaks = [40_000]
            let failure = StubResponse.failure(TransportFailure(.connect, "it is gone"))
            state.twists = [nil, { _, _ in code == 0 ? failure : .response(.init(code: code)) }]
        }
        _ = try await site(releases).download(to: .file(path), options: Self.resuming)
        #expect((bytes == releases.files[1].bytes) as Bool)
        #expect(releases.requests == ["/latest", "/r1", "/r1", "/latest", "/r2", "/latest", "/r2"])
    }

    @Test func anotherCallThatIsRedirectedElsewhereStartsOver() async throws {
        let releases = Releases([RemoteFile(), RemoteFile(seed: 9)], targets: ["/r1", "/r2"])
        releases.files[0].change { $0.breaks = [40_000, 0, 0] }
        let site = site(releases)
        let error = try await failure { try await site.download(to: .file(path), options: Self.resuming) }
        #expect(error.code == .incomplete)
        let file = try await site.download(to: .file(path), options: Self.resuming)
        #expect(file.resumedByteCount == 0)
        #expect((bytes == releases.files[1].bytes) as Bool)
    }

    @Test func anotherCallThatIsRedirectedToTheSameTargetResumes() async throws {
        let releases = Releases([RemoteFile()], targets: ["/r1"])
        releases.files[0].change { $0.breaks = [40_000, 0, 0] }
        let site = site(releases)
        _ = try await failure { try await site.download(to: .file(path), options: Self.resuming) }
        #expect(try await site.download(to: .file(path), options: Self.resuming).resumedByteCount == 40_000)
        #expect((bytes == releases.files[0].bytes) as Bool)
    }

    @Test("a checksum allows another target, since it verifies the whole") func checksum() async throws {
        let releases = Releases([RemoteFile()], targets: ["/r1?key=1", "/r1?key=2"])
        releases.files[0].change { $0.breaks = [40_000, 0, 0] }
        let site = site(releases)
        _ = try await failure { try await site.download(to: .file(path), options: Self.resuming) }
        var options = Self.resuming
        options.checksum = try Checksum(.sha256, MessageDigest.sha256(of: releases.files[0].bytes))
        #expect(try await site.download(to: .file(path), options: options).resumedByteCount == 40_000)
        #expect((bytes == releases.files[0].bytes) as Bool)
    }

    @Test("several connections use one target, although each redirect leads to another") func segments() async throws {
        let server = RangeServer(RangeServer.bytes(40_000))
        let count = Mutex(0)
        let transport = StubTransport { request in
            guard request.path == "/latest" else { return server.answer(request) }
            let number = count.withLock { count in
                count += 1
                return count
            }
            return .response(.found, headers: [.location: "/signed?key=\(number)"])
        }
        let site = Resource("http://a.example/latest", transport: transport.watched) { $0.chunks.size = 4_000 }
        var options = DownloadOptions()
        options.connections = 4
        #expect(try await site.download(to: .file(path), options: options).byteCount == 40_000)
        #expect((bytes == server.state.withLock(\.bytes)) as Bool)
        #expect(count.withLock(\.self) == 1)
        #expect(Set(server.requests.map(\.request.target)) == ["/signed?key=1"])
    }

    // MARK: In memory

    @Test("a body in memory is not continued with another resource's bytes") func memory() async throws {
        let releases = Releases([RemoteFile(), RemoteFile(seed: 9)], targets: ["/r1", "/r2"])
        releases.files[0].change { state in
            state.breaks = [70_000]
            state.twists = [nil, { _, _ in .response(.found, headers: [.location: "/r2"]) }]
        }
        let response = try await site(releases).get()
        #expect(releases.files.contains { $0.bytes == response.bytes.bytes })
        #expect(releases.requests.prefix(4) == ["/latest", "/r1", "/r1", "/r2"])
    }
}
