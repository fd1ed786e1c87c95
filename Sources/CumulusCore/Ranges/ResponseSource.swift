// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// The user on whose behalf a response was received, the route that it took, and the URL to which redirects led.
///
/// Only bytes from one source are combined into one file or body. Entity tags distinguish the states of one resource, not
/// two resources, and an attacker on another route can send any tag.
struct ResponseSource: Sendable {
    /// The user and the route, without the cookie jar.
    let user: StorePartition.Parts
    /// The digests of the `Cookie` fields that were sent for the user, first that of the request
    /// (``CookieChanges/digests(forUserOf:)``).
    let cookies: [CookieChanges.Digest]
    /// The URL to which redirects led; `nil` without redirects.
    let target: RequestURL?
    let call: CallID
}

/// A ``ResponseSource`` as the record of a partial file contains it, without its secrets.
///
/// Another process recognizes a user and a route if their identity is lasting (``StorePartition/isLasting``). An identity
/// that may not be shared (``StorePartition/isShareable``), such as that of an unverified server, is recognized only by the
/// same call. Cookies are recognized by their values.
struct SourceRecord: Sendable, Hashable, Codable {
    /// A random key of this record, in hexadecimal.
    private let key: String
    /// The code of the user and the route under the key.
    private let user: String
    /// The codes of the `Cookie` fields of one user: the first one that was sent, and the latest others.
    private var cookies: [String]
    /// The code of the URL to which redirects led; `nil` without redirects.
    private let target: String?

    private static let keySize = 16
    private static let mostCookies = 16
    /// A random key of this process.
    static let process = randomKey(32)

    init(_ source: ResponseSource) {
        let key = MessageDigest.hexadecimal(SourceRecord.randomKey(SourceRecord.keySize))
        self.key = key
        user = SourceRecord.code(of: source, keyedBy: key, in: SourceRecord.process)
        cookies = []
        target = source.target.map { SourceRecord.code(of: $0, keyedBy: key) }
        add(source)
    }

    /// Adds the cookies of a later response from the same source.
    mutating func add(_ source: ResponseSource) { add(source.cookies) }

    /// Adds the cookies to which responses have changed those of this source.
    mutating func add(_ changes: borrowing CookieChanges) {
        for group in changes.groups {
            let isOwn = group.contains { cookies.contains(SourceRecord.code(of: $0, keyedBy: key)) }
            if isOwn { add(group) }
        }
    }

    private mutating func add(_ digests: [CookieChanges.Digest]) {
        for digest in digests {
            let code = SourceRecord.code(of: digest, keyedBy: key)
            if cookies.contains(code) { continue }
            if cookies.count == SourceRecord.mostCookies { cookies.remove(at: 1) }
            cookies.append(code)
        }
    }

    /// The difference to a response's source; `nil` if both are the same.
    ///
    /// - Parameters:
    ///   - source: The response's source.
    ///   - isCovered: Whether a digest verifies the whole in the end, so that redirects may lead to another URL.
    ///   - process: The key of the process.
    /// - Returns: The difference, as a sentence.
    func difference(
        from source: ResponseSource,
        isCovered: Bool,
        in process: [UInt8] = SourceRecord.process
    ) -> String? {
        guard user == SourceRecord.code(of: source, keyedBy: key, in: process),
            source.cookies.contains(where: { cookies.contains(SourceRecord.code(of: $0, keyedBy: key)) })
        else {
            return "the earlier bytes were received for another user or over another route"
        }
        guard isCovered || target == source.target.map({ SourceRecord.code(of: $0, keyedBy: key) }) else {
            return "the request was redirected to another URL"
        }
        return nil
    }

    private static func code(of source: ResponseSource, keyedBy key: String, in process: [UInt8]) -> String {
        let partition = StorePartition(source.user)
        var bytes = Array(key.utf8)
        if !partition.isLasting || !partition.isShareable { bytes += process }
        if !partition.isShareable { bytes += Array("call \(source.call)".utf8) }
        return MessageDigest.hexadecimal(partition.code(keyedBy: bytes))
    }

    private static func code(of digest: CookieChanges.Digest, keyedBy key: String) -> String {
        MessageDigest.hexadecimal(HMAC(key: key.utf8).code(of: digest))
    }

    private static func code(of url: RequestURL, keyedBy key: String) -> String {
        MessageDigest.hexadecimal(HMAC(key: key.utf8).code(of: Array(url.description.utf8)))
    }

    private static func randomKey(_ size: Int) -> [UInt8] {
        var numbers = SystemRandomNumberGenerator()
        return (0..<size).map { _ in UInt8.random(in: .min ... .max, using: &numbers) }
    }
}
