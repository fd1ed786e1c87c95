// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCore

/// One file from several sources.
@Suite struct MirrorTests {
    private let bytes = RangeServer.bytes(60_000)

    /// Serves `one.example` and `two.example` from two servers.
    private func resource(_ one: RangeServer, _ two: RangeServer) -> Resource {
        let site = Resource(
            "http://one.example",
            transport: StubTransport { request in
                request.request.origin.host == "one.example" ? one.answer(request) : two.answer(request)
            }
        )
        site.chunkSize = 4000
        return site["data.bin"]
    }

    private func options(_ connections: Int?) -> DownloadOptions {
        var options = DownloadOptions()
        options.connections = connections
        options.mirrors = ["http://two.example/pub/data.bin"]
        return options
    }

    private func download(_ resource: Resource, _ options: DownloadOptions) async throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let file = try await resource.download(to: .file("\(folder.path)/data"), options: options)
        return try [UInt8](Data(contentsOf: file.url))
    }

    /// Holds the first answer until the other source has been asked.
    private func hold(_ one: RangeServer, until two: RangeServer) {
        one.change { state in
            state.steps = { request, pieces in
                guard request.number == 1, pieces.count > 1 else { return pieces.map { .chunk($0) } }
                let gate = Gate()
                Task {
                    try await eventually { !two.requests.isEmpty }; gate.open()
                }
                return [.chunk(pieces[0]), .gate(gate)] + pieces.dropFirst().map { .chunk($0) }
            }
        }
    }

    @Test func aMirrorWithTheSameFileTakesItsShare() async throws {
        let (one, two) = (RangeServer(bytes), RangeServer(bytes))
        hold(one, until: two)
        #expect(try await download(resource(one, two), options(2)) == bytes)
        #expect(two.ranges.first == "bytes=30000-59999")
        #expect(two.requests.first?.headers[.ifRange] == "\"one\"")
        #expect(two.requests.first?.path == "/pub/data.bin")
    }

    @Test func aMirrorWithAnotherFileIsLeftAlone() async throws {
        let (one, two) = (RangeServer(bytes), RangeServer(RangeServer.bytes(60_000, seed: 2)))
        two.change { $0.tag = "\"other\"" }
        hold(one, until: two)
        #expect(try await download(resource(one, two), options(2)) == bytes)
        #expect(two.requests.count == 1)
    }

    @Test func aDigestCoversAMirrorThatKnowsTheFileByAnotherTag() async throws {
        let (one, two) = (RangeServer(bytes), RangeServer(bytes))
        two.change { $0.tag = "\"theirs\"" }
        hold(one, until: two)
        var options = options(2)
        var digest = RunningDigest([.sha256])
        bytes.withUnsafeBytes { digest.update($0) }
        options.checksum = digest.checksum(.sha256)
        #expect(try await download(resource(one, two), options) == bytes)
        #expect(two.requests.first?.headers[.range] == "bytes=30000-59999")
        #expect(two.requests.first?.headers[.ifRange] == nil)

        let third = RangeServer(RangeServer.bytes(60_000, seed: 2))
        third.change { $0.tag = "\"wrong\"" }
        hold(one, until: third)
        let failure = await #expect(throws: CumulusError.self) { try await download(resource(one, third), options) }
        #expect(failure?.code == .checksum, "what the digest doesn't cover is never handed out")
    }

    @Test func aMirrorOfAnotherLengthIsLeftAloneWhateverTheDigest() async throws {
        let (one, two) = (RangeServer(bytes), RangeServer(RangeServer.bytes(60_001)))
        two.change { $0.tag = "\"theirs\"" }
        hold(one, until: two)
        var options = options(2)
        var digest = RunningDigest([.sha256])
        bytes.withUnsafeBytes { digest.update($0) }
        options.checksum = digest.checksum(.sha256)
        #expect(try await download(resource(one, two), options) == bytes)
        #expect(two.requests.count == 1)
    }

    @Test func aMirrorThatFailsIsDropped() async throws {
        let (one, two) = (RangeServer(bytes), RangeServer(bytes))
        hold(one, until: two)
        two.change { state in state.special = { _, _ in .failure(TransportFailure(.connect, "refused")) } }
        #expect(try await download(resource(one, two), options(4)) == bytes)
        #expect((1...3).contains(two.requests.count))
    }

    @Test func aMirrorStandsInForTheFirstPlace() async throws {
        for failure in [StubAnswer.failure(TransportFailure(.connect, "refused")), .text("gone", status: .gone)] {
            let (one, two) = (RangeServer(bytes), RangeServer(bytes))
            one.change { state in state.special = { _, _ in failure } }
            #expect(try await download(resource(one, two), options(2)) == bytes)
            #expect(one.requests.count == 1)
        }
    }

    @Test func credentialsStayWithTheirOrigin() async throws {
        let (one, two) = (RangeServer(bytes), RangeServer(bytes))
        hold(one, until: two)
        let resource = resource(one, two)
        resource.headers[.authorization] = "secret"
        #expect(try await download(resource, options(2)) == bytes)
        #expect(one.requests.allSatisfy { $0.headers[.authorization] == "secret" })
        #expect(!two.requests.isEmpty)
        #expect(two.requests.allSatisfy { $0.headers[.authorization] == nil })
    }

    @Test func aMirrorThatIsNoURLIsRefusedBeforeAnythingIsSent() async throws {
        let (one, two) = (RangeServer(bytes), RangeServer(bytes))
        var options = options(2)
        options.mirrors = ["http://[bad/"]
        let failure = await #expect(throws: CumulusError.self) { try await download(resource(one, two), options) }
        #expect(failure?.code == .invalidURL)
        #expect(one.requests.isEmpty)
    }
}
