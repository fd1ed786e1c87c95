// SPDX-License-Identifier: Apache-2.0

import CumulusAWS
import CumulusCore
import CumulusPrimitives

/// A request's claims about its own signature, from `Authorization` or from its query.
struct AWSClaim {
    let credential: String
    let signedNames: String
    let signature: String
    /// When it was made, in seconds since 1970.
    let seconds: Double
    /// How long it is valid, if the proof is in the query.
    let lifetime: Double?
    let token: String?
    /// The payload's digest or keyword; `nil` if the request has none.
    let payload: String?
    /// The target without the signature.
    let target: String

    init(target: String, fields: [(name: String, value: String)]) throws(AWSError) {
        func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }
        guard let claim = Self.inQuery(target) ?? Self.inHeader(field, target) else {
            throw AWSError(code: "AccessDenied", message: "Access Denied")
        }
        self = claim
    }

    private init?(
        _ items: (String) -> String?,
        date: String?,
        token: String?,
        lifetime: Double?,
        payload: String?,
        target: String
    ) {
        guard let credential = items("Credential"), let names = items("SignedHeaders"), let date,
            let signature = items("Signature"), let seconds = Self.seconds(date)
        else { return nil }
        self.credential = credential
        signedNames = names
        self.signature = signature
        self.seconds = seconds
        self.lifetime = lifetime
        self.token = token
        self.payload = payload
        self.target = target
    }

    private static func inHeader(_ field: (String) -> String?, _ target: String) -> AWSClaim? {
        guard let value = field("authorization"), value.begins(with: "\(AWSSigner.algorithm) ") else { return nil }
        let parts = value.utf8.dropFirst(AWSSigner.algorithm.utf8.count + 1)
        let items = Substring(parts).parts(at: ",").compactMap { part -> (String, String)? in
            part.trimmed.cut(at: "=").map { (String($0.before), String($0.behind)) }
        }
        return AWSClaim(
            { name in items.first { $0.0 == name }?.1 },
            date: field("x-amz-date"),
            token: field("x-amz-security-token"),
            lifetime: nil,
            payload: field("x-amz-content-sha256"),
            target: target
        )
    }

    private static func inQuery(_ target: String) -> AWSClaim? {
        guard let (path, query) = target.cut(at: "?") else { return nil }
        let parts = query.parts(at: "&")
        func item(_ name: String) -> String? {
            parts.lazy.compactMap { $0.cut(at: "=") }.first { $0.before == name }.map {
                PercentEncoding.decode($0.behind)
            }
        }
        // Services accept a week at most.
        guard let lifetime = item("X-Amz-Expires").flatMap({ Int($0) }), 1...604_800 ~= lifetime else { return nil }
        let rest = parts.filter { !$0.begins(with: "X-Amz-Signature=") }.joined(separator: "&")
        return AWSClaim(
            { item("X-Amz-\($0)") },
            date: item("X-Amz-Date"),
            token: item("X-Amz-Security-Token"),
            lifetime: Double(lifetime),
            payload: AWSVerifier.unsigned,
            target: "\(path)?\(rest)"
        )
    }

    /// `20150830T123600Z` in seconds since 1970.
    private static func seconds(_ text: String) -> Double? {
        let bytes = Array(text.utf8)
        guard bytes.count == 16, bytes[8] == UInt8(ascii: "T"), bytes[15] == UInt8(ascii: "Z") else { return nil }
        let digits = bytes.enumerated().filter { $0.offset != 8 && $0.offset != 15 }.map { Int($0.element) - 0x30 }
        guard digits.allSatisfy({ 0...9 ~= $0 }) else { return nil }
        func number(_ start: Int, _ count: Int) -> Int { digits[start..<start + count].reduce(0) { $0 * 10 + $1 } }
        guard let days = GregorianCalendar.days(year: number(0, 4), month: number(4, 2), day: number(6, 2)) else {
            return nil
        }
        return Double(days * 86_400 + number(8, 2) * 3_600 + number(10, 2) * 60 + number(12, 2))
    }
}
