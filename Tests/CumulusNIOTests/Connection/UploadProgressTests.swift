// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTestServer
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import CumulusNIO

@Suite(.timeLimit(.minutes(10))) struct UploadProgressTests {
    @Test("each of many uploads at once has reported its end, and all of its bytes, when its call returns")
    func everyUploadReportsItsEnd() async throws {
        let size = 3_000_000
        let server = try await LoopbackServer.start { routes in
            routes.onStream(.put, "/") { _, body in
                var count = 0
                for try await piece in body { count += piece.count }
                return .text("\(count)")
            }
        }
        try await withTransport(server) { transport in
            let site = Resource("http://127.0.0.1:\(server.port)", transport: transport.watched)
            let bytes = ByteChunk([UInt8](repeating: 7, count: size))
            let uploads = SlowTests.rounds(24, of: 200)
            let faults = try await withThrowingTaskGroup(of: [String].self) { group in
                var faults: [String] = []
                for number in 0..<uploads {
                    if number >= 8 { faults += try await group.next() ?? [] }
                    group.addTask { try await self.faults(of: number, at: site, bytes) }
                }
                for try await more in group { faults += more }
                return faults
            }
            #expect(faults == [])
        }
    }

    /// What is wrong with the events of an upload.
    private func faults(of number: Int, at site: Resource, _ bytes: ByteChunk) async throws -> [String] {
        let seen = Mutex<(last: TransferProgress?, sent: Int)>((nil, 0))
        let watched = site.with {
            $0.observers = [
                CallObserver(of: [.progress, .bytes]) { event in
                    switch event.kind {
                    case .progressed(let progress) where progress.direction == .sending:
                        seen.withLock { $0.last = progress }
                    case .sent(let piece): seen.withLock { $0.sent += piece.count }
                    default: break
                    }
                }
            ]
        }
        let response = try await watched.put(.bytes(bytes))
        let (last, sent) = seen.withLock(\.self)
        var faults: [String] = []
        if response.text != "\(bytes.count)" { faults.append("\(number): the server got \(response.text ?? "none")") }
        if last?.isFinished != true { faults.append("\(number): the end is missing after \(last?.completed ?? -1)") }
        if last?.completed != Int64(bytes.count) { faults.append("\(number): reported \(last?.completed ?? -1)") }
        if sent != bytes.count { faults.append("\(number): observed \(sent) bytes") }
        if response.facts.bytesSent <= Int64(bytes.count) {
            faults.append("\(number): bytesSent is \(response.facts.bytesSent)")
        }
        return faults
    }
}
