// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCore

struct IPAddressTests {
    @Test(
        arguments: [
            ("127.0.0.1", [127, 0, 0, 1]), ("0.0.0.0", [0, 0, 0, 0]), ("255.255.255.255", [255, 255, 255, 255]),
            ("::ffff:10.0.0.1", [10, 0, 0, 1]), ("::FFFF:0a00:1", [10, 0, 0, 1]),
            ("::", Array(repeating: 0, count: 16)), ("::1", Array(repeating: 0, count: 15) + [1]),
            ("fd00::1:2", [0xFD] + Array(repeating: 0, count: 12) + [1, 0, 2]),
            ("1:2:3:4:5:6:7:8", [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8]),
            ("1:2:3:4:5:6:7::", [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 0]),
            ("64:ff9b::1.2.3.4", [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]),
        ] as [(String, [UInt8])]
    )
    func readsAddresses(_ text: String, _ bytes: [UInt8]) {
        #expect(IPAddress(text)?.bytes == bytes)
    }

    @Test(arguments: [
        "", "1", "127.1", "0x7f.0.0.1", "0177.0.0.1", "127.0.0.01", "127.0.0.256", "127.0.0.1.", "127.0.0.1.1",
        "a.b.c.d", "+1.0.0.0", ":", ":::", "1::2::3", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7", "12345::", "g::", "[::1]",
        "fe80::1%eth0", "::1.2.3", "1.2.3.4::", "::+1", "1:2:3:4:5:6:7:8::", "::1\u{301}",
    ])
    func refusesWhatIsNone(_ text: String) { #expect(IPAddress(text) == nil) }

    @Test func networksAreComparedBitByBit() throws {
        func network(_ text: String, _ prefix: Int) throws -> IPNetwork? {
            IPNetwork(try #require(IPAddress(text)), prefix: prefix)
        }
        let ten = try #require(try network("10.0.0.0", 8))
        #expect(try ten.contains(#require(IPAddress("10.255.0.1"))))
        #expect(try !ten.contains(#require(IPAddress("11.0.0.1"))))
        #expect(try !ten.contains(#require(IPAddress("::10.0.0.1"))))
        let half = try #require(try network("192.168.128.0", 17))
        #expect(try half.contains(#require(IPAddress("192.168.129.1"))))
        #expect(try !half.contains(#require(IPAddress("192.168.127.1"))))
        #expect(try #require(try network("1.2.3.4", 0)).contains(#require(IPAddress("9.9.9.9"))))
        #expect(try #require(try network("::1", 128)).contains(#require(IPAddress("0:0::1"))))
        #expect(try network("1.2.3.4", 33) == nil)
        #expect(try network("1.2.3.4", -1) == nil)
        #expect(try network("::", 129) == nil)
    }
}
