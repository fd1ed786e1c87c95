// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Foundation
import HTTPTypes
import Testing

@testable import CumulusURLSession

@Suite(.timeLimit(.minutes(10))) struct UploadSpoolTests {
    private let request = TransportRequest(method: .post, origin: Origin(scheme: .http, host: "127.0.0.1"))

    @Test func holdsTheStreamUntilItIsRemoved() async throws {
        let spool = try UploadSpool()
        let stream = StreamBody(length: 6) { _, writer in
            try await writer.write(ByteChunk("abc"))
            try await writer.write(ByteChunk("def"))
        }
        try await spool.fill(from: stream, of: request)
        #expect(try Data(contentsOf: spool.url) == Data("abcdef".utf8))
        let mode = try FileManager.default.attributesOfItem(atPath: spool.url.path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
        spool.remove()
        #expect(!FileManager.default.fileExists(atPath: spool.url.path))
        spool.remove()
    }

    @Test func isGoneWhenNobodyHoldsIt() throws {
        var spool: UploadSpool? = try UploadSpool()
        let path = try #require(spool).url.path
        #expect(FileManager.default.fileExists(atPath: path))
        spool = nil
        #expect(spool == nil && !FileManager.default.fileExists(atPath: path))
    }

    @Test func aProducerThatTakesTooLongTimesOut() async throws {
        let clock = ManualClock()
        var request = request
        request.clock = clock
        request.deadlines.total = clock.now + .seconds(5)
        let work = Task { [request] in
            try await UploadSpool().fill(from: StreamBody { _, _ in try await Gate().wait() }, of: request)
        }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(5))
        let failure = await #expect(throws: TransportFailure.self) { try await work.value }
        #expect(failure?.kind == .timeout(.total))
        #expect(failure?.limit == .seconds(5))
    }
}
