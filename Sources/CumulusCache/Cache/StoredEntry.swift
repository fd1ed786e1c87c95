// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

/// A stored response with its body.
struct StoredEntry: Sendable {
    /// The storage of the bytes.
    enum Body: Sendable {
        case bytes(ByteChunk)
        /// Still arriving.
        case growing(GrowingBody, expected: Int64?)
        /// In the storage, not in memory.
        case kept(KeptResponse)
    }

    /// Its number among the responses in memory; 0 for others.
    let id: UInt64
    let response: CachedResponse
    let body: Body

    /// Whether a call may use it.
    ///
    /// A body that is still growing is only for calls that have waited for it, and only if its length is known, so that
    /// it can't outgrow the cache.
    func isFor(followers: Bool) -> Bool {
        guard case .growing(_, let expected) = body else { return true }
        return followers && expected != nil
    }

    /// The number of bytes of the body; `nil` while they arrive.
    var length: Int64? {
        switch body {
        case .bytes(let bytes): Int64(bytes.count)
        case .growing: nil
        case .kept(let kept): kept.body.length
        }
    }

    /// The approximate memory use of the head, in bytes.
    static func cost(of response: CachedResponse) -> Int {
        response.fields.reduce(600) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 100 }
            + response.selecting.fields.reduce(0) { $0 + $1.name.utf8.count + ($1.value?.utf8.count ?? 0) + 192 }
    }
}
