// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// Normalizes a target before it is signed, so that both sides read it the same way.
enum AWSTarget {
    /// Escapes all ambiguous characters in the query, such as a plus, and in S3's path, too.
    ///
    /// S3 then gets exactly the path that is signed; for other services the path is unchanged.
    ///
    /// - Throws: `AuthorizationProblem` for an object key that would lead a proxy to another place, such as one with
    ///   `..%2F`.
    static func plain(_ target: String, isStore: Bool) throws(AuthorizationProblem) -> String {
        let (path, query) = target.cut(at: "?").map { ($0.before, $0.behind) } ?? (target[...], nil)
        let hasPlainPath = !isStore || path.utf8.allSatisfy(isPlain)
        guard !hasPlainPath || query.map(isPlainQuery) == false else { return target }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(target.utf8.count + 16)
        if hasPlainPath {
            bytes += path.utf8
        } else {
            AWSEscaping.append(PercentEncoding.decodedBytes(path), keepsSlash: true, to: &bytes)
            guard dotSegments(bytes) == dotSegments(path.utf8) else {
                throw AuthorizationProblem(
                    "the object's name contains '.' or '..' between escaped slashes, which proxies may resolve"
                )
            }
        }
        if let query {
            bytes.append(UInt8(ascii: "?"))
            for (index, item) in query.parts(at: "&").enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: "&")) }
                let (name, value) = item.cut(at: "=").map { ($0.before, $0.behind) } ?? (item, nil)
                bytes += AWSEscaping.escapedOnce(name)
                if let value {
                    bytes.append(UInt8(ascii: "="))
                    bytes += AWSEscaping.escapedOnce(value)
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The query of a target, decoded as in forms.
    static func query(of target: String) -> Query {
        target.cut(at: "?").map { Query(parsing: String($0.behind)) } ?? Query()
    }

    /// How many segments are `.` or `..`.
    private static func dotSegments(_ path: some Collection<UInt8>) -> Int {
        path.split(separator: UInt8(ascii: "/")).count { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        PercentEncoding.isUnreserved(byte) || byte == UInt8(ascii: "/")
    }

    /// Whether each item is an unescaped name, or a name and a value with one equals sign between them.
    private static func isPlainQuery(_ query: Substring) -> Bool {
        var hasName = false
        return query.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "&"): hasName = false
            case UInt8(ascii: "=") where !hasName: hasName = true
            default: return PercentEncoding.isUnreserved(byte)
            }
            return true
        }
    }
}
