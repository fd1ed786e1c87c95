// SPDX-License-Identifier: Apache-2.0

/// The addresses that no public host has: IANA's registries of special-purpose addresses (RFC 6890), and clouds'
/// metadata services.
enum SpecialAddresses {
    private struct Block {
        let base: UInt128
        let prefix: Int
        let width: Int
        let rule: AddressRefusal.Rule

        func contains(_ value: UInt128) -> Bool { (value ^ base) >> UInt128(width - prefix) == 0 }
    }

    /// Why an address can't be a public host's; `nil` if it can.
    static func rule(of address: IPAddress) -> AddressRefusal.Rule? {
        let value = address.value
        // RFC 4291 section 2.5.5.2: an IPv4-mapped IPv6 address.
        if address.width == 32 || value >> 32 == 0xFFFF { return rule(ofIPv4: value & 0xFFFF_FFFF) }
        if let block = version6.first(where: { $0.contains(value) }) { return block.rule }
        // RFC 6052: a translator forwards to the IPv4 address in the last 32 bits.
        if value >> 32 == 0x0064_FF9B_0000_0000_0000_0000 { return rule(ofIPv4: value & 0xFFFF_FFFF) }
        // Only 2000::/3 is assigned to hosts.
        return value >> 125 == 1 ? nil : .reserved
    }

    private static func rule(ofIPv4 value: UInt128) -> AddressRefusal.Rule? {
        version4.first { $0.contains(value) }?.rule
    }

    private static func block(_ base: UInt32, _ prefix: Int, _ rule: AddressRefusal.Rule) -> Block {
        Block(base: UInt128(base), prefix: prefix, width: 32, rule: rule)
    }

    private static func block(high: UInt64, low: UInt64 = 0, _ prefix: Int, _ rule: AddressRefusal.Rule) -> Block {
        Block(base: UInt128(high) << 64 | UInt128(low), prefix: prefix, width: 128, rule: rule)
    }

    /// The first match counts.
    private static let version4 = [
        // AWS, Azure, Google and others; AWS's containers; Alibaba; Oracle's older ones; Azure's wire server.
        block(0xA9FE_A9FE, 32, .metadata), block(0xA9FE_AA02, 32, .metadata), block(0x6464_64C8, 32, .metadata),
        block(0xC000_00C0, 32, .metadata), block(0xA83F_8110, 32, .metadata),
        // 0/8, 127/8, 10/8, 172.16/12, 192.168/16, 169.254/16, 100.64/10.
        block(0x0000_0000, 8, .unspecified), block(0x7F00_0000, 8, .loopback), block(0x0A00_0000, 8, .privateUse),
        block(0xAC10_0000, 12, .privateUse), block(0xC0A8_0000, 16, .privateUse), block(0xA9FE_0000, 16, .linkLocal),
        block(0x6440_0000, 10, .sharedSpace),
        // 192.0.0/24, 192.0.2/24, 198.51.100/24, 203.0.113/24, 192.88.99/24, 198.18/15.
        block(0xC000_0000, 24, .protocolAssignment), block(0xC000_0200, 24, .documentation),
        block(0xC633_6400, 24, .documentation), block(0xCB00_7100, 24, .documentation),
        block(0xC058_6300, 24, .transition), block(0xC612_0000, 15, .benchmarking),
        // 224/4, and 240/4 with the broadcast address.
        block(0xE000_0000, 4, .multicast), block(0xF000_0000, 4, .reserved),
    ]

    private static let version6 = [
        // AWS and Google.
        block(high: 0xFD00_0EC2_0000_0000, low: 0x254, 128, .metadata),
        block(high: 0xFD20_00CE_0000_0000, low: 0x254, 128, .metadata),
        block(high: 0, low: 0, 128, .unspecified), block(high: 0, low: 1, 128, .loopback),
        block(high: 0xFC00_0000_0000_0000, 7, .uniqueLocal), block(high: 0xFE80_0000_0000_0000, 10, .linkLocal),
        block(high: 0xFEC0_0000_0000_0000, 10, .siteLocal), block(high: 0xFF00_0000_0000_0000, 8, .multicast),
        // 64:ff9b:1::/48, 2002::/16, 2001::/32.
        block(high: 0x0064_FF9B_0001_0000, 48, .transition), block(high: 0x2002_0000_0000_0000, 16, .transition),
        block(high: 0x2001_0000_0000_0000, 32, .transition),
        // 2001::/23, 2001:db8::/32, 3fff::/20.
        block(high: 0x2001_0000_0000_0000, 23, .protocolAssignment),
        block(high: 0x2001_0DB8_0000_0000, 32, .documentation), block(high: 0x3FFF_0000_0000_0000, 20, .documentation),
    ]
}
