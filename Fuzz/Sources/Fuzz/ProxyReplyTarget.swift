// SPDX-License-Identifier: Apache-2.0

import NIOCore

@testable import SOCKS

/// A SOCKS proxy's answers read the same however their bytes are cut, and what is said to it depends on nothing else.
///
/// The first byte chooses the version and whether there is a user; the rest is what the proxy sends. Answers to CONNECT
/// are read by the parser of `http1-response`.
enum ProxyReplyTarget: FuzzTarget {
    static let name = "proxy-reply"

    static func check(_ input: UnsafeRawBufferPointer) {
        guard let choice = input.first else { return }
        let bytes = Array(input.dropFirst())
        let single = reading(bytes, choice, every: 1)
        for size in 2...7 {
            let other = reading(bytes, choice, every: size)
            // Answers that come before they were asked for are seen as such only where they are in one piece.
            if other.problem == .unaskedBytes { continue }
            expect(single == other, "in pieces of \(size) it reads \(other), and of one \(single)")
        }
        expect(!single.isOpen || single.problem == nil || single.problem == .unaskedBytes, "open, and then a problem")
        expect(single.sent.count <= 2, "\(single.sent.count) answers of ours")
    }

    private struct Reading: Equatable {
        var sent: [[UInt8]] = []
        var isOpen = false
        var problem: SOCKSProblem?
    }

    private static func reading(_ bytes: [UInt8], _ choice: UInt8, every size: Int) -> Reading {
        let target = SOCKSTarget.name(Array("a.example".utf8))
        let user: SOCKS5Handshake.User? = choice & 2 == 0 ? nil : (Array("ada".utf8), Array("love".utf8))
        var version5 = SOCKS5Handshake(to: target, port: 443, user: user)
        var version4 = SOCKS4Handshake(to: target, port: 443, user: user?.name ?? [])
        var reading = Reading()
        do throws(SOCKSProblem) {
            for start in stride(from: 0, to: bytes.count, by: size) {
                let piece = ByteBuffer(bytes: bytes[start..<min(start + size, bytes.count)])
                let step = choice & 1 == 0 ? try version5.receive(piece) : try version4.receive(piece)
                switch step {
                case .wait: continue
                case .send(let words): reading.sent.append(words)
                case .open: reading.isOpen = true
                }
            }
        } catch {
            reading.problem = error
        }
        return reading
    }
}
