// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CumulusCore

/// The addresses of public hosts: the ends of each block of IANA's registries, and their neighbors.
struct AddressPolicyTests {
    private static let version4: [(String, AddressRefusal.Rule?)] = [
        ("0.0.0.0", .unspecified), ("0.255.255.255", .unspecified), ("1.0.0.0", nil), ("8.8.8.8", nil),
        ("9.255.255.255", nil), ("10.0.0.0", .privateUse), ("10.255.255.255", .privateUse), ("11.0.0.0", nil),
        ("100.63.255.255", nil), ("100.64.0.0", .sharedSpace), ("100.127.255.255", .sharedSpace), ("100.128.0.0", nil),
        ("100.100.100.200", .metadata), ("100.100.100.201", .sharedSpace),
        ("126.255.255.255", nil), ("127.0.0.0", .loopback), ("127.255.255.255", .loopback), ("128.0.0.0", nil),
        ("168.63.129.15", nil), ("168.63.129.16", .metadata), ("168.63.129.17", nil),
        ("169.253.255.255", nil), ("169.254.0.0", .linkLocal), ("169.254.255.255", .linkLocal), ("169.255.0.0", nil),
        ("169.254.169.253", .linkLocal), ("169.254.169.254", .metadata), ("169.254.170.2", .metadata),
        ("172.15.255.255", nil), ("172.16.0.0", .privateUse), ("172.31.255.255", .privateUse), ("172.32.0.0", nil),
        ("191.255.255.255", nil), ("192.0.0.0", .protocolAssignment), ("192.0.0.170", .protocolAssignment),
        ("192.0.0.192", .metadata), ("192.0.0.255", .protocolAssignment), ("192.0.1.0", nil),
        ("192.0.2.0", .documentation), ("192.0.2.255", .documentation), ("192.0.3.0", nil),
        ("192.88.98.255", nil), ("192.88.99.0", .transition), ("192.88.99.255", .transition), ("192.88.100.0", nil),
        ("192.167.255.255", nil), ("192.168.0.0", .privateUse), ("192.168.255.255", .privateUse), ("192.169.0.0", nil),
        ("198.17.255.255", nil), ("198.18.0.0", .benchmarking), ("198.19.255.255", .benchmarking), ("198.20.0.0", nil),
        ("198.51.99.255", nil), ("198.51.100.0", .documentation), ("198.51.100.255", .documentation),
        ("198.51.101.0", nil), ("203.0.112.255", nil), ("203.0.113.0", .documentation),
        ("203.0.113.255", .documentation), ("203.0.114.0", nil), ("223.255.255.255", nil),
        ("224.0.0.0", .multicast), ("239.255.255.255", .multicast), ("240.0.0.0", .reserved),
        ("255.255.255.254", .reserved), ("255.255.255.255", .reserved),
        // Globally reachable, although IANA lists them: AS112 and AMT.
        ("192.31.196.1", nil), ("192.52.193.1", nil), ("192.175.48.1", nil),
    ]

    private static let version6: [(String, AddressRefusal.Rule?)] = [
        ("::", .unspecified), ("::1", .loopback), ("::2", .reserved),
        // An embedded IPv4 address: mapped, compatible (RFC 4291), translated (RFC 2765, RFC 6052).
        ("::ffff:127.0.0.1", .loopback), ("::ffff:a9fe:a9fe", .metadata), ("::ffff:10.0.0.1", .privateUse),
        ("::ffff:0.0.0.0", .unspecified), ("::ffff:8.8.8.8", nil), ("::127.0.0.1", .reserved), ("::8.8.8.8", .reserved),
        ("::ffff:0:127.0.0.1", .reserved), ("::fffe:8.8.8.8", .reserved), ("::1:ffff:8.8.8.8", .reserved),
        ("64:ff9b::127.0.0.1", .loopback), ("64:ff9b::a9fe:a9fe", .metadata), ("64:ff9b::a00:1", .privateUse),
        ("64:ff9b::8.8.8.8", nil), ("64:ff9a:ffff:ffff:ffff:ffff:808:808", .reserved),
        ("64:ff9b::1:0:0", .reserved), ("64:ff9b:1::", .transition), ("64:ff9b:1:ffff:ffff:ffff:808:808", .transition),
        ("64:ff9b:2::808:808", .reserved),
        ("100::1", .reserved), ("100:0:0:1::1", .reserved), ("1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .reserved),
        ("2000::1", nil), ("2001::", .transition), ("2001:0:ffff:ffff:ffff:ffff:ffff:ffff", .transition),
        ("2001:1::1", .protocolAssignment), ("2001:2::1", .protocolAssignment), ("2001:10::1", .protocolAssignment),
        ("2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", .protocolAssignment), ("2001:200::", nil),
        ("2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", nil), ("2001:db8::", .documentation),
        ("2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", .documentation), ("2001:db9::", nil), ("2001:4860:4860::8888", nil),
        ("2002::", .transition), ("2002:7f00:1::1", .transition), ("2002:808:808::1", .transition), ("2003::", nil),
        ("2606:2800:220:1:248:1893:25c8:1946", nil), ("2620:4f:8000::1", nil),
        ("3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", nil), ("3fff::", .documentation),
        ("3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", .documentation), ("3fff:1000::", nil), ("4000::", .reserved),
        ("5f00::1", .reserved), ("fbff:ffff::1", .reserved), ("fc00::", .uniqueLocal),
        ("fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .uniqueLocal), ("fd00:ec2::253", .uniqueLocal),
        ("fd00:ec2::254", .metadata), ("fd20:ce::254", .metadata), ("fe00::", .reserved),
        ("fe7f:ffff::1", .reserved), ("fe80::", .linkLocal), ("fe80::1", .linkLocal), ("febf:ffff::1", .linkLocal),
        ("fec0::", .siteLocal), ("feff:ffff::1", .siteLocal), ("ff00::", .multicast), ("ff02::1", .multicast),
        ("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", .multicast),
    ]

    @Test("special-purpose addresses, those that embed one, and metadata services are refused")
    func special() throws {
        for (text, rule) in AddressPolicyTests.version4 + AddressPolicyTests.version6 {
            let origin = Origin(scheme: .http, host: "a.example")
            let address = try #require(IPAddress(text), "\(text)")
            let refusal = AddressPolicy.publicOnly.refusal(of: address, for: origin)
            #expect(refusal?.rule == rule, "\(text)")
            #expect(refusal.map { $0.host == "a.example" && $0.address == "\(address)" } ?? true)
            #expect(AddressPolicy.any.refusal(of: address, for: origin) == nil)
            // The same in the URL.
            let literal = Origin(scheme: .https, host: text)
            #expect(AddressPolicy.publicOnly.refusal(of: literal)?.rule == rule, "\(text)")
        }
        let rules = Set((AddressPolicyTests.version4 + AddressPolicyTests.version6).compactMap(\.1))
        #expect(rules == Set(AddressRefusal.Rule.allCases).subtracting([.unixSocket, .lookedUpByProxy]))
    }

    @Test("a mapped address counts as the IPv4 address, however it was made") func mappedNumbers() {
        for width in [32, 128] {
            let address = IPAddress(value: 0xFFFF_7F00_0001 & (width == 32 ? 0xFFFF_FFFF : .max), width: width)
            #expect(SpecialAddresses.rule(of: address) == .loopback)
        }
    }

    @Test("addresses are checked, not names") func names() throws {
        for host in ["localhost", "a.example", "0x7f.1", "2130706433", "127.1", "1.2.3.4.5"] {
            #expect(AddressPolicy.publicOnly.refusal(of: Origin(scheme: .http, host: host)) == nil)
        }
    }

    @Test(
        "exceptions are compared as numbers and label by label, with their ports",
        arguments: [
            ("10.0.0.0/8", "a.example", "10.9.8.7", 80, true), ("10.0.0.0/8", "a.example", "192.168.0.1", 80, false),
            ("10.0.0.0/8", "10.1.1.1", "10.1.1.1", 80, true), ("127.0.0.1", "a.example", "127.0.0.1", 80, true),
            ("127.0.0.1", "a.example", "127.0.0.2", 80, false), ("::1", "localhost", "::1", 80, true),
            ("127.0.0.1", "a.example", "::ffff:127.0.0.1", 80, true), ("::1", "localhost", "127.0.0.1", 80, false),
            ("10.0.0.0/8", "a.example", "64:ff9b::a00:1", 80, false),
            ("[::1]:8080", "localhost", "::1", 8080, true), ("[::1]:8080", "localhost", "::1", 80, false),
            ("api.internal", "api.internal", "10.0.0.1", 80, true), ("api.internal", "x.api.internal", "::1", 80, true),
            ("api.internal", "api.internal.evil.example", "10.0.0.1", 80, false),
            ("api.internal", "evilapi.internal", "10.0.0.1", 80, false),
            ("api.internal:8080", "api.internal", "10.0.0.1", 80, false),
            ("api.internal:8080", "api.internal", "10.0.0.1", 8080, true),
            ("fd00::/8 169.254.169.254", "a.example", "169.254.169.254", 80, true),
        ]
    )
    func exceptions(_ list: String, _ host: String, _ text: String, _ port: Int, _ isAllowed: Bool) throws {
        let policy = try AddressPolicy.publicOnly(allowing: list)
        let refusal = policy.refusal(
            of: try #require(IPAddress(text)),
            for: Origin(scheme: .http, host: host, port: port)
        )
        #expect((refusal == nil) == isAllowed)
    }

    @Test(
        "an invalid exception is an error, and so is one that disables the guard",
        arguments: ["*", "a.example,*", "10.0.0.0/33", "a b/c", "0x7f000001", "fe80::1%eth0", "http://a", ".", "a@b"]
    )
    func malformedExceptions(_ list: String) {
        let error = #expect(throws: AddressPolicyMalformation.self) { try AddressPolicy.publicOnly(allowing: list) }
        #expect("\(error as Any)".contains(list == "a.example,*" ? "`.any`" : "\""))
    }

    @Test func policiesAreEqualByWhatTheyAllow() throws {
        let (one, other) = (
            try AddressPolicy.publicOnly(allowing: "a.example"), try AddressPolicy.publicOnly(allowing: "b")
        )
        #expect(AddressPolicy.any != .publicOnly && AddressPolicy.publicOnly != one && one != other)
        #expect(one == (try .publicOnly(allowing: "a.example")) && AddressPolicy.any.isAny && !one.isAny)
        #expect(try AddressPolicy.publicOnly(allowing: "") == .publicOnly)
        #expect(Set([.any, .publicOnly, one, other, try .publicOnly(allowing: "b")]).count == 4)
        #expect(
            "\(AddressPolicy.any), \(AddressPolicy.publicOnly), \(one)"
                == "any, public only, public only, and a.example"
        )
    }

    @Test("addresses are written as RFC 5952 defines")
    func addressText() throws {
        for text in [
            "::", "::1", "1::", "2001:db8::1", "fe80::1:0:0:1", "1:0:0:2::3", "1:2:3:4:5:6:7:8", "0:1:2:3:4:5:6:7",
            "127.0.0.1", "255.255.255.255", "ff02::1:ff00:0",
        ] {
            #expect(IPAddress(text).map { "\($0)" } == text)
        }
        #expect(IPAddress("2001:DB8:0:0:1:0:0:1").map { "\($0)" } == "2001:db8::1:0:0:1")
        #expect(IPAddress("::ffff:a9fe:a9fe").map { "\($0)" } == "169.254.169.254")
    }
}
