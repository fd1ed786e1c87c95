// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// One request of the soak: what it asks and when it is cancelled follow from its number and the seed.
struct SoakRequest: Sendable {
    /// How it ended.
    enum End: Sendable {
        case answered
        case cancelled
        case failed(CumulusError.Code)
        case wrong(String)

        var name: String {
            switch self {
            case .answered: "answered"
            case .cancelled: "cancelled"
            case .failed(let code): "failed: \(code)"
            case .wrong: "wrong"
            }
        }
    }

    private enum Kind: CaseIterable {
        case small, large, chunked, closing, reset, cut, slow, echo
    }

    let number: Int
    private let kind: Kind
    /// After how long it is cancelled; most aren't.
    private let cancelDelay: Duration?

    init(number: Int, seed: UInt64) {
        self.number = number
        var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(number) &* 0xBF58_476D_1CE4_E5B9
        func draw(_ bound: UInt64) -> UInt64 {
            state ^= state >> 30
            state = state &* 0xBF58_476D_1CE4_E5B9
            state ^= state >> 27
            state = state &* 0x94D0_49BB_1331_11EB
            state ^= state >> 31
            return state % bound
        }
        // Most requests are ordinary ones.
        kind = draw(2) == 0 ? .small : Kind.allCases[Int(draw(UInt64(Kind.allCases.count)))]
        cancelDelay = draw(10) == 0 ? .microseconds(Int64(draw(3_000))) : nil
    }

    /// Sends it and tells how it ended.
    ///
    /// - Throws: ``Hang`` if it doesn't end.
    func run(on site: Resource, patience: Duration) async throws -> End {
        let began = ContinuousClock.now
        let end: End
        if let cancelDelay {
            let task = Task { await self.end(on: site) }
            // The moment of cancelling is what is drawn at random.
            try await Task.sleep(for: cancelDelay)
            task.cancel()
            end = await task.value
        } else {
            end = await self.end(on: site)
        }
        if ContinuousClock.now - began > patience { throw Hang(number: number) }
        return end
    }

    /// A request that took longer than any should.
    struct Hang: Error {
        let number: Int
    }

    private func end(on site: Resource) async -> End {
        do {
            return try await isAnswered(on: site) ? .answered : .wrong("request \(number), \(kind)")
        } catch is CancellationError {
            return cancelDelay == nil ? .wrong("request \(number) was cancelled by nobody") : .cancelled
        } catch let error as CumulusError {
            let isExpected = kind == .reset || kind == .cut
            return isExpected ? .failed(error.code) : .wrong("request \(number), \(kind): \(error)")
        } catch {
            return .wrong("request \(number): \(error)")
        }
    }

    private func isAnswered(on site: Resource) async throws -> Bool {
        let place = site[segment: "\(kind)"][number]
        switch kind {
        case .small, .closing, .slow: return try await place.get(as: String.self) == "\(number)"
        case .large: return try await place.get().bytes.count == SoakService.largeBody.count
        case .chunked: return try await place.get(as: String.self) == String(repeating: "\(number)", count: 5)
        case .reset, .cut:
            _ = try await place.get().bytes
            return false
        case .echo:
            let body = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 20_000)
            return try await place.post(.bytes(body)).bytes == ByteChunk(body)
        }
    }
}
