// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import NIOCore

/// The subject of a certificate (RFC 5280), as far as we check it ourselves.
///
/// NIOSSL accepts a certificate with the socket's address, even if the URL has a host name. An attacker who controls
/// DNS could then answer for any host with a certificate for an address of their own, so names are compared with names
/// here (RFC 9525 section 6).
struct CertificateNames {
    /// Whether issuer and subject are the same.
    private(set) var isSelfIssued = false
    /// Whether the key may be used by servers (RFC 5280 section 4.2.1.12).
    private(set) var isForServers = true
    /// The DNS names among the subject's alternative names.
    private(set) var dnsNames: [[UInt8]] = []
    /// The IP addresses among them, in network order.
    private(set) var addresses: [[UInt8]] = []

    /// Reads a certificate; an unreadable one has no names.
    init(der: [UInt8]) {
        var outer = DERReader(der[...])
        guard let certificate = outer.next(), var fields = DERReader(contentsOf: certificate).nested() else { return }
        // Version (tagged 0, absent in version 1), serial number, signature algorithm.
        if fields.peek == 0xa0 { _ = fields.next() }
        _ = fields.next()
        _ = fields.next()
        guard let issuer = fields.next(), fields.next() != nil, let subject = fields.next() else { return }
        isSelfIssued = issuer.elementsEqual(subject)
        while let field = fields.next() {
            // Extensions are tagged 3.
            if field.first == 0xa3, let extensions = DERReader(contentsOf: field).nested() { read(extensions) }
        }
    }

    /// Whether a name matches the host; `*` matches one whole label, the first of at least three.
    func include(host: String) -> Bool {
        let host = Self.labels(Array(host.lowercased().utf8))
        return dnsNames.contains { name in
            let pattern = Self.labels(name.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 })
            guard pattern.count == host.count, !(pattern + host).contains(where: \.isEmpty) else { return false }
            if pattern.count >= 3, pattern[0] == [UInt8(ascii: "*")] {
                return pattern.dropFirst().elementsEqual(host.dropFirst())
            }
            return pattern == host
        }
    }

    /// Whether one of the addresses equals an address in text form.
    func include(address: String) -> Bool {
        guard let address = try? SocketAddress(ipAddress: address, port: 0) else { return false }
        return addresses.contains { (try? SocketAddress(packedIPAddress: ByteBuffer(bytes: $0), port: 0)) == address }
    }

    private mutating func read(_ extensions: DERReader) {
        var extensions = extensions
        while let element = extensions.next() {
            var parts = DERReader(contentsOf: element)
            guard let identifier = parts.next() else { continue }
            var value = parts.next()
            if value?.first == 0x01 { value = parts.next() }
            guard let value, value.first == 0x04, let content = DERReader(contentsOf: value).nested() else { continue }
            if identifier.elementsEqual(Self.subjectAltName) { readNames(content) }
            if identifier.elementsEqual(Self.extKeyUsage) { readUsages(content) }
        }
    }

    private mutating func readNames(_ names: DERReader) {
        var names = names
        while let name = names.next() {
            // dNSName is tagged 2.
            if name.first == 0x82 { dnsNames.append(DERReader(contentsOf: name).remainder) }
            // iPAddress is tagged 7.
            if name.first == 0x87 { addresses.append(DERReader(contentsOf: name).remainder) }
        }
    }

    private mutating func readUsages(_ usages: DERReader) {
        var usages = usages
        isForServers = false
        while let usage = usages.next() {
            if usage.elementsEqual(Self.serverAuth) || usage.elementsEqual(Self.anyExtendedKeyUsage) {
                isForServers = true
            }
        }
    }

    // The object identifiers 2.5.29.17, 2.5.29.37, 1.3.6.1.5.5.7.3.1 and 2.5.29.37.0.
    private static let subjectAltName: [UInt8] = [0x06, 0x03, 0x55, 0x1d, 0x11]
    private static let extKeyUsage: [UInt8] = [0x06, 0x03, 0x55, 0x1d, 0x25]
    private static let serverAuth: [UInt8] = [0x06, 0x08, 0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01]
    private static let anyExtendedKeyUsage: [UInt8] = [0x06, 0x04, 0x55, 0x1d, 0x25, 0x00]

    private static func labels(_ name: [UInt8]) -> [[UInt8]] {
        name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { Array($0) }
    }
}
