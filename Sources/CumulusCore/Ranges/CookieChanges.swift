// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes
import Synchronization

/// The changes that responses made to the cookies that are sent.
///
/// Bytes of several responses are combined only if the requests had the same cookies, or cookies that such a response has
/// changed. Another call may change the jar in the meantime, and so may a redirect: then the next bytes may be for another
/// user.
struct CookieChanges: ~Copyable, Sendable {
    /// The digest of a `Cookie` field.
    typealias Digest = [UInt8]

    /// The maximum number of digests, beyond which the oldest are removed.
    static let most = 256

    /// Groups of fields that were sent for one user, in the order of their last changes.
    private let storage = Mutex<[[Digest]]>([])

    /// The groups of fields that were sent for one user.
    var groups: [[Digest]] { storage.withLock(\.self) }

    /// Records that a response has replaced a `Cookie` field.
    func record(from before: [UInt8]?, to after: [UInt8]?) {
        guard before != after else { return }
        let (before, after) = (CookieChanges.digest(before ?? []), CookieChanges.digest(after ?? []))
        storage.withLock { groups in
            // A field that was sent for another user stays that user's.
            guard !groups.contains(where: { $0.contains(after) }) else { return }
            var group = [before]
            if let index = groups.firstIndex(where: { $0.contains(before) }) { group = groups.remove(at: index) }
            groups.append(group + [after])
            while groups.reduce(0, { $0 + $1.count }) > CookieChanges.most {
                groups[0].removeFirst()
                if groups[0].count < 2 { groups.removeFirst() }
            }
        }
    }

    /// The digests of the fields that were sent for the same user as a request's, with its own first.
    func digests(forUserOf request: EncodedRequest) -> [Digest] {
        let own = CookieChanges.digest(of: request)
        let group = storage.withLock { groups in groups.first { $0.contains(own) } } ?? []
        return [own] + group.filter { $0 != own }
    }

    /// Whether the `Cookie` fields of two requests were sent for one user.
    func areForSameUser(_ first: EncodedRequest, _ second: EncodedRequest) -> Bool {
        let (one, other) = (first.headers[fields: .cookie], second.headers[fields: .cookie])
        return one == other || digests(forUserOf: first).contains(CookieChanges.digest(of: second))
    }

    /// The digest of a request's `Cookie` field.
    static func digest(of request: EncodedRequest) -> Digest {
        var bytes: [UInt8] = []
        for field in request.headers[fields: .cookie] {
            if !bytes.isEmpty { bytes += Array("; ".utf8) }
            field.withUnsafeBytesOfValue { bytes += $0 }
        }
        return digest(bytes)
    }

    private static func digest(_ field: [UInt8]) -> Digest { MessageDigest.sha256(of: field) }
}
