// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import Testing

@testable import CumulusNIO

/// The byte classes for parsing heads.
struct HTTP1SyntaxTests {
    @Test("a byte that is invalid in field values is found in any position, as by checking each byte")
    func noFieldText() {
        for length in [0, 1, 7, 8, 9, 16, 23] {
            for place in 0..<max(length, 1) {
                for byte in UInt8.min...UInt8.max {
                    var bytes = [UInt8](repeating: 0x80, count: length)
                    if place < length { bytes[place] = byte }
                    let found = bytes.withUnsafeBytes { HTTP1Syntax.firstNoFieldText(in: $0) }
                    #expect(found == bytes.firstIndex { !HTTP1Syntax.isFieldText($0) })
                }
            }
        }
    }

    @Test("tabs hide no control character behind them", arguments: [0x0A, 0x0D, 0x00, 0x7F] as [UInt8])
    func behindTabs(byte: UInt8) {
        for place in 0..<24 {
            var bytes = [UInt8](repeating: 0x09, count: 24)
            bytes[place] = byte
            #expect(bytes.withUnsafeBytes { HTTP1Syntax.firstNoFieldText(in: $0) } == place)
        }
    }

    @Test("a token ends at the same byte as by checking each byte, whatever the byte and its position")
    func endOfToken() {
        let name = Array("X-Content-Security-Policy".utf8)
        for length in [0, 1, 7, 8, 9, 16, 17, 25] {
            for place in 0..<max(length, 1) {
                for byte in UInt8.min...UInt8.max {
                    var bytes = Array(name.prefix(length))
                    if place < length { bytes[place] = byte }
                    let end = bytes.withUnsafeBytes { HTTP1Syntax.endOfToken(in: $0, from: 0, to: length) }
                    #expect(end == bytes.firstIndex { !HTTP1Syntax.isToken($0) } ?? length)
                }
            }
        }
    }

    @Test("a host and a target are checked byte by byte, whatever the byte and its position")
    func hostAndTarget() {
        for length in [1, 7, 8, 9, 16, 17] {
            for place in 0..<length {
                for byte in UInt8.min..<0x80 {
                    var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: length)
                    bytes[place] = byte
                    let text = String(decoding: bytes, as: UTF8.self)
                    let isVisible = byte > 0x20 && byte < 0x7f
                    #expect(isWritten(target: "/a", host: text) == (isVisible && !"#/?@\\".utf8.contains(byte)))
                    #expect(isWritten(target: "/" + text, host: "a") == (isVisible && byte != UInt8(ascii: "#")))
                }
            }
        }
    }

    private func isWritten(target: String, host: String) -> Bool {
        var (writer, buffer) = (HTTP1RequestWriter(), ByteBuffer())
        let head = HTTP1RequestWriter.Head(method: "GET", target: target, host: host, fields: [:], body: .none)
        return (try? writer.writeHead(head, into: &buffer)) != nil
    }

    @Test("a word matches regardless of case, and no other byte matches in any position")
    func matches() {
        for word in ["te", "timeout", "chunked", "connection", "content-length", "transfer-encoding"] as [StaticString]
        {
            let lower = word.withUTF8Buffer { Array($0) }
            for place in lower.indices {
                for byte in UInt8.min...UInt8.max {
                    var bytes = Array("<".utf8) + lower + Array(">".utf8)
                    bytes[place + 1] = byte
                    let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                    let isSame = byte == lower[place] || isCapital && byte + 0x20 == lower[place]
                    #expect(bytes.withUnsafeBytes { HTTP1Syntax.matches($0[1...lower.count], word) } == isSame)
                }
            }
            #expect(!lower.withUnsafeBytes { HTTP1Syntax.matches($0.dropLast(), word) })
        }
    }
}
