// SPDX-License-Identifier: Apache-2.0

import CumulusTesting

/// Sends a body's bytes to one peer, waiting while the peer doesn't read.
public struct ServerBodyWriter: Sendable {
    let link: ServerLink
    let isChunked: Bool
    var faults: BodyFaults?

    /// Sends bytes, as one chunk if the response is chunked.
    ///
    /// It returns when the socket has room for more.
    ///
    /// - Throws: An error if the peer has disconnected.
    public func write(_ bytes: [UInt8]) async throws {
        guard !bytes.isEmpty else { return }
        guard let faults else { return try await send(bytes) }
        try await faults.write(bytes, send)
    }

    private func send(_ bytes: [UInt8]) async throws {
        if isChunked {
            try await link.send(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8))
        } else {
            try await link.send(bytes)
        }
    }

    /// Sends a string's UTF-8 bytes.
    public func write(_ text: String) async throws { try await write(Array(text.utf8)) }

    /// Performs one step of a script.
    func perform(_ step: ServerResponse.Step) async throws {
        switch step {
        case .chunk(let bytes): try await write(bytes)
        // In real time, like a slow server.
        case .pause(let time): try await Task.sleep(for: time)
        case .gate(let gate): try await gate.wait()
        case .repeating(let bytes):
            while !bytes.isEmpty { try await write(bytes) }
        case .hold: try await Gate().wait()
        case .close: throw ServerResponse.Abort.close
        case .reset: throw ServerResponse.Abort.reset
        }
    }
}
