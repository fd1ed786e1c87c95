// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusCore

/// Downloads over several connections, where a rate limit has no permit for each of them.
@Suite(.timeLimit(.minutes(10))) struct SegmentedLimitTests {
    private let bytes = RangeServer.bytes(100_000)

    /// Numbers the credentials, which are valid for one request only.
    private final class OneTimeAuthorizer: Authorizer {
        let mayWait = false
        let hasSingleUseCredentials = true
        private let number = Atomic(0)

        var count: Int { number.load(ordering: .relaxed) }

        func authorize(_ request: inout EncodedRequest) async throws {
            request.headers[.authorization] = "\(number.add(1, ordering: .relaxed).newValue)"
        }
    }

    /// Holds the body of the first response after its first piece.
    private func holdFirst(of server: RangeServer, by gate: Gate) {
        server.change { state in
            state.steps = { request, pieces in
                guard request.number == 1 else { return pieces.map { .chunk($0) } }
                return [.chunk(pieces[0]), .gate(gate)] + pieces.dropFirst().map { .chunk($0) }
            }
        }
    }

    private func download(_ resource: Resource, to folder: TemporaryFolder) -> Task<[UInt8], any Error> {
        var options = DownloadOptions()
        options.connections = 2
        let (wanted, path) = (options, "\(folder.path)/data")
        return Task {
            let file = try await resource.download(to: .file(path), options: wanted)
            return try [UInt8](Data(contentsOf: URL(fileURLWithPath: file.path)))
        }
    }

    @Test func extraConnectionAuthorizedAgainWaitsForPermit() async throws {
        let (server, folder, clock) = (RangeServer(bytes), try TemporaryFolder(), ManualClock())
        let (authorizer, gate) = (OneTimeAuthorizer(), Gate())
        holdFirst(of: server, by: gate)
        server.change { $0.special = { request, _ in request.number == 2 ? .response(.misdirectedRequest) : nil } }
        let resource = server.resource()
        resource.setRules {
            $0.clock = clock
            $0.rateLimit = .requests(2, per: .seconds(10), burst: 2)
            $0.authorizers = [.custom(authorizer)]
        }
        let download = download(resource, to: folder)
        try await eventually { authorizer.count >= 3 }
        #expect(server.requests.count == 2, "the third request has no permit yet")
        try await eventually {
            clock.advanceToNextSleeper()
            return server.requests.count >= 3
        }
        #expect(server.requests.prefix(3).map { $0.headers[.authorization] } == ["1", "2", "3"])
        #expect(server.ranges[1] == server.ranges[2])
        gate.open()
        try await clock.drive(until: download)
        #expect(try await download.value == bytes)
    }

    @Test func extraConnectionWithoutPermitIsTriedOncePerReview() async throws {
        let (server, folder, clock) = (RangeServer(bytes), try TemporaryFolder(), ManualClock())
        let (authorizer, gate) = (OneTimeAuthorizer(), Gate())
        holdFirst(of: server, by: gate)
        let resource = server.resource()
        resource.setRules {
            $0.clock = clock
            $0.rateLimit = .requests(1, per: .seconds(1_000))
            $0.authorizers = [.custom(authorizer)]
        }
        let download = download(resource, to: folder)
        var reviews = 0
        try await eventually {
            if clock.advanceToNextSleeper() { reviews += 1 }
            return authorizer.count >= 20
        }
        #expect(authorizer.count <= reviews + 2, "the first request, a first try, and one for each review")
        #expect(server.requests.count == 1)
        clock.advance(by: .seconds(1_000))
        gate.open()
        try await clock.drive(until: download)
        #expect(try await download.value == bytes)
    }
}
