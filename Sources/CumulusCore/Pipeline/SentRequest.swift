// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A request as it was sent in the end, since hooks may change it.
struct SentRequest: Sendable {
    /// What the interceptors made of it.
    let plain: EncodedRequest
    /// The same with its proof of identity.
    let proven: EncodedRequest
}

/// Where an attempt leaves what it sent last: interceptors may send several requests.
final class SentRequestNote: Sendable {
    private let latest = Mutex<SentRequest?>(nil)

    var request: SentRequest? {
        get { latest.withLock(\.self) }
        set { latest.withLock { $0 = newValue } }
    }
}
