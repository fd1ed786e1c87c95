// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import TestSupport
import Testing

@testable import CumulusNIO

/// The cipher suite in the first bytes of a server.
@Suite struct ServerHelloTests {
    /// A ServerHello in a record, up to the bytes after its cipher suite.
    private func bytes(session: Int, suite: [UInt8] = [0x13, 0x02], record: Int = 122) -> [UInt8] {
        [0x16, 3, 3, 0, UInt8(record), 2, 0, 0, 118, 3, 3] + [UInt8](repeating: 7, count: 32)
            + [UInt8(session)] + [UInt8](repeating: 9, count: session) + suite + [0, 0, 46]
    }

    private func read(_ pieces: [[UInt8]]) -> ServerHello {
        var hello = ServerHello()
        for piece in pieces { hello.take(piece) }
        return hello
    }

    @Test("The suite is found wherever the bytes are divided", arguments: [0, 1, 31, 32])
    func divided(session: Int) {
        let all = bytes(session: session)
        for place in 0...all.count {
            let hello = read([Array(all[..<place]), Array(all[place...])])
            #expect(hello.isOver && hello.cipherSuite?.rawValue == 0x1302, "\(place)")
        }
        #expect(read(all.map { [$0] }).cipherSuite?.rawValue == 0x1302)
        #expect(!read([Array(all[..<(45 + session)])]).isOver)
    }

    @Test func otherBytesHaveNoSuite() {
        #expect(read([[0x15, 3, 3, 0, 2, 2, 40]]).isOver, "an alert")
        #expect(read([Array("HTTP/1.1 400 Bad Request\r\n\r\n----------------------------".utf8)]).isOver)
        #expect(read([bytes(session: 33)]).isOver && read([bytes(session: 33)]).cipherSuite == nil)
        // The suite is in the next record.
        #expect(read([bytes(session: 32, record: 72)]).cipherSuite == nil)
        #expect(read([]).cipherSuite == nil)
    }

    @Test func arbitraryBytesNeverTrap() {
        var numbers = SeededNumbers(3)
        for _ in 1...2_000 {
            var changed = bytes(session: 32)
            for _ in 1...3 {
                changed[Int.random(in: changed.indices, using: &numbers)] = UInt8.random(in: 0...255, using: &numbers)
            }
            _ = read([changed])
        }
    }
}
