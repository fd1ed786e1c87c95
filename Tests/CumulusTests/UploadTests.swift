// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTestServer
import CumulusTesting
import Foundation
import Synchronization
import Testing

/// Uploads on the wire, over the platform's default transport.
@Suite(.timeLimit(.minutes(10))) struct UploadTests {
    private func sample(_ count: Int) -> [UInt8] {
        // In blocks, since a debug build takes a number of seconds byte by byte; of a prime length, so that none aligns with a
        // piece.
        let block = (0..<4_099).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 9) }
        var bytes: [UInt8] = []
        while bytes.count < count { bytes += block }
        return Array(bytes.prefix(count))
    }

    private func withFile(_ bytes: [UInt8], _ body: (URL) async throws -> Void) async throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("cumulus-\(UUID().uuidString).bin")
        try Data(bytes).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        try await body(url)
    }

    @Test(arguments: [false, true]) func aFileArrivesByteForByte(isWatched: Bool) async throws {
        let bytes = sample(3_000_000)
        try await withLoopbackServer(routes: { $0.put("/up") { _ in .text("fine") } }) { server in
            try await withFile(bytes) { url in
                let events = Mutex<[TransferProgress]>([])
                let watch: @Sendable (TransferProgress) -> Void = { event in
                    if event.direction == .sending { events.withLock { $0.append(event) } }
                }
                let up = Resource(server.url)["up"].with { if isWatched { $0.observers.append(.progress(watch)) } }
                let answer = try await up.put(.file(url))
                #expect(answer.text == "fine")
                let request = try #require(server.requests.first)
                #expect(request.body == bytes && request.headers[.contentLength] == "3000000")
                #expect(events.withLock(\.last)?.completed == (isWatched ? 3_000_000 : nil))
            }
        }
    }

    @Test func anEmptyFileIsSentAsOne() async throws {
        try await withLoopbackServer(routes: { $0.put("/up") { _ in .text("fine") } }) { server in
            try await withFile([]) { url in
                for watch in [nil, { _ in }] as [(@Sendable (TransferProgress) -> Void)?] {
                    let up = Resource(server.url)["up"].with { if let watch { $0.observers.append(.progress(watch)) } }
                    try await up.put(.file(url)).requireSuccess()
                }
                #expect(server.requests.map { $0.headers[.contentLength] } == ["0", "0"])
            }
        }
    }

    @Test func anAnswerThatComesEarlyIsRead() async throws {
        try await withLoopbackServer(routes: { routes in
            routes.on(.put, "/up", body: .discarded) { _ in .text("too much", status: .contentTooLarge) }
        }) { server in
            try await withFile(sample(20_000_000)) { url in
                for watch in [nil, { _ in }] as [(@Sendable (TransferProgress) -> Void)?] {
                    let up = Resource(server.url)["up"].with { if let watch { $0.observers.append(.progress(watch)) } }
                    let answer = try await up.put(.file(url))
                    #expect(answer.status == .contentTooLarge && answer.text == "too much")
                }
            }
        }
    }

    @Test func progressIsWhatTheServerIsWillingToTake() async throws {
        let size = 96 << 20
        let isHeld = Gate()
        try await withLoopbackServer(routes: { routes in
            routes.onStream(.put, "/up") { _, body in
                try await isHeld.wait()
                var count = 0
                while let piece = try await body.next() { count += piece.count }
                return .text("\(count)")
            }
        }) { server in
            try await withFile([UInt8](repeating: 7, count: size)) { url in
                let furthestAhead = Mutex<Int64>(0)
                let opening = Task {
                    try await server.wait(for: "the head") { $0.requestsBegun == 1 }
                    // Only time shows that the client has stopped; too short a wait makes the test weaker.
                    try await Task.sleep(for: .milliseconds(300))
                    isHeld.open()
                }
                let up = Resource(server.url)["up"].with { settings in
                    settings.observers.append(
                        .progress { event in
                            if event.direction == .receiving { return }
                            let ahead = event.completed - Int64(server.counts.bodyBytesRead)
                            furthestAhead.withLock { $0 = max($0, ahead) }
                        }
                    )
                }
                let answer = try await up.put(.file(url))
                try await opening.value
                #expect(answer.text == "\(size)")
                // Only the bytes in the buffers of two sockets count as taken.
                #expect(furthestAhead.withLock(\.self) < Int64(size) / 3)
            }
        }
    }

    @Test(arguments: [(false, false), (false, true), (true, false), (true, true)])
    func aFileThatGrowsOrShrinksIsAnError(shrinks: Bool, isWatched: Bool) async throws {
        let isHeld = Gate()
        try await withLoopbackServer(routes: { routes in
            routes.onStream(.put, "/up") { _, body in
                try await isHeld.wait()
                while try await body.next() != nil {}
                return .text("whole")
            }
        }) { server in
            try await withFile([UInt8](repeating: 7, count: 64 << 20)) { url in
                let up = Resource(server.url)["up"].with { if isWatched { $0.observers.append(.progress { _ in }) } }
                // Waits at the gate, and ends below.
                let answer = Task { try await up.put(.file(url)) }
                try await server.wait(for: "the head") { $0.requestsBegun == 1 }
                try Data([UInt8](repeating: 8, count: (shrinks ? 1 : 65) << 20)).write(to: url)
                isHeld.open()
                let error = await #expect(throws: CumulusError.self) { try await answer.value }
                #expect(error?.code == .requestBody)
                let problem = (error?.cause as? TransportFailure)?.cause as? UploadProblem
                #expect(problem?.kind == .changed)
            }
        }
    }
}
