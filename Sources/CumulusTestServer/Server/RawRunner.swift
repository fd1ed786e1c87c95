// SPDX-License-Identifier: Apache-2.0

import CumulusTesting

/// The source of bytes for a raw script: a bare connection, or one with the HTTP decoder.
protocol RawSource {
    /// Reads until the end of the next request head.
    func awaitHead() async throws
    /// Reads until `count` bytes have followed that head.
    func awaitBytes(_ count: Int) async throws
}

/// Plays a raw script on a connection.
struct RawRunner<Source: RawSource> {
    let link: ServerLink
    let source: Source

    /// Plays the steps; throws `ServerResponse.Abort` if the script ends the connection forcibly.
    func run(_ script: RawScript) async throws {
        for step in script.steps { try await perform(step) }
    }

    private func perform(_ step: RawScript.Step) async throws {
        switch step {
        case .awaitHead: try await source.awaitHead()
        case .awaitBytes(let count): try await source.awaitBytes(count)
        case .send(let bytes): try await link.send(bytes)
        case .split(let bytes, let every, let pause): try await send(bytes, every: max(1, every), pause: pause)
        case .repeating(let bytes):
            while !bytes.isEmpty { try await link.send(bytes) }
        // In real time, like a slow peer: the script tests the client's own clock.
        case .pause(let time): try await Task.sleep(for: time)
        case .gate(let gate): try await gate.wait()
        case .hold: try await Gate().wait()
        case .close: throw ServerResponse.Abort.close
        case .reset: throw ServerResponse.Abort.reset
        }
    }

    private func send(_ bytes: [UInt8], every: Int, pause: Duration) async throws {
        for start in stride(from: 0, to: bytes.count, by: every) {
            // In real time, as above.
            if start > 0, pause > .zero { try await Task.sleep(for: pause) }
            try await link.send(Array(bytes[start..<min(start + every, bytes.count)]))
        }
    }
}
