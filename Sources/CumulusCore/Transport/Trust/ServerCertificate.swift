// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A server's certificate: its subject, its issuer, and its expiration date.
public struct ServerCertificate: Sendable, Hashable {
    /// The subject's name, with the most specific part first: `CN=example.com,O=Example` (RFC 4514).
    ///
    /// It may be empty, since certificates can contain their host names elsewhere. Control characters are made visible,
    /// and a long name is truncated.
    public var subject: String
    /// The issuer's name, in the same form.
    public var issuer: String
    /// The end of the certificate's validity.
    public var expires: Date

    /// Creates a certificate from its parts.
    public init(subject: String, issuer: String, expires: Date) {
        self.subject = subject
        self.issuer = issuer
        self.expires = expires
    }

    /// Creates a certificate from DER (RFC 5280); `nil` if the bytes are not a certificate.
    public init?(der: [UInt8]) {
        var outer = DERReader(der[...])
        guard let certificate = outer.next(), var fields = DERReader(contentsOf: certificate).nested() else {
            return nil
        }
        // Version (tagged 0, absent in version 1), serial number, signature algorithm.
        if fields.peek == 0xa0 { _ = fields.next() }
        guard fields.next() != nil, fields.next() != nil, let issuer = fields.next(), let validity = fields.next(),
            let subject = fields.next()
        else { return nil }
        var times = DERReader(contentsOf: validity)
        guard times.next() != nil, let end = times.next(), let expires = Self.date(end) else { return nil }
        self.init(
            subject: CertificateName(issuerOrSubject: subject).description,
            issuer: CertificateName(issuerOrSubject: issuer).description,
            expires: expires
        )
    }

    /// A time in UTC: `YYMMDDHHMMSSZ`, or with four digits of the year (RFC 5280 section 4.1.2.5).
    private static func date(_ element: ArraySlice<UInt8>) -> Date? {
        let hasCentury = element.first == 0x18
        guard hasCentury || element.first == 0x17 else { return nil }
        let text = DERReader(contentsOf: element).remainder
        guard text.count == (hasCentury ? 15 : 13), text.last == UInt8(ascii: "Z") else { return nil }
        let digits = text.dropLast().map { Int($0) - 0x30 }
        guard digits.allSatisfy({ 0...9 ~= $0 }) else { return nil }
        var pairs = stride(from: 0, to: digits.count, by: 2).map { digits[$0] * 10 + digits[$0 + 1] }[...]
        guard let first = pairs.popFirst() else { return nil }
        let year = hasCentury ? first * 100 + (pairs.popFirst() ?? 0) : first < 50 ? 2_000 + first : 1_900 + first
        let rest = Array(pairs)
        guard rest.count == 5, rest[2] < 24, rest[3] < 60, rest[4] < 60,
            let days = GregorianCalendar.days(year: year, month: rest[0], day: rest[1])
        else { return nil }
        return Date(timeIntervalSince1970: Double(days * 86_400 + rest[2] * 3_600 + rest[3] * 60 + rest[4]))
    }
}
