// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization

/// A request as it was sent in the end, since hooks may change it.
struct SentRequest: Sendable {
    /// What the interceptors made of it.
    let plain: EncodedRequest
    /// Its header fields with its proof of identity, where that is all the proof: the request is not copied for them.
    let fields: HTTPFields?
    /// The request with its proof of identity, where that is more.
    private let whole: EncodedRequest?
    /// Whether an interceptor had this or one before it sent, and a server may have it, however the attempt ended.
    fileprivate(set) var mayHaveArrived = false

    /// Without a proof of identity.
    init(_ plain: EncodedRequest) { self.init(plain, fields: nil) }

    /// With a proof in its header fields.
    init(_ plain: EncodedRequest, fields: HTTPFields?) {
        self.plain = plain
        self.fields = fields
        whole = nil
    }

    /// With any proof.
    init(_ plain: EncodedRequest, proven: EncodedRequest) {
        self.plain = plain
        fields = nil
        whole = proven
    }

    /// The request with its proof of identity, except for ``fields``.
    var unfinished: EncodedRequest { whole ?? plain }

    /// The request with its proof of identity.
    var proven: EncodedRequest {
        var proven = unfinished
        if let fields { proven.headers = fields }
        return proven
    }

    /// What its authorizers have hidden, whose names only they know.
    var hiddenNames: [String] { whole?.hiddenNames ?? [] }

    /// The request as errors show it: without its proof, and hiding what is hidden there.
    var shown: EncodedRequest { plain.hiding(hiddenNames) }
}

/// Where an attempt leaves what it sent last: interceptors may send several requests.
final class SentRequestNote: Sendable {
    private let latest = Mutex<SentRequest?>(nil)

    var request: SentRequest? { latest.withLock(\.self) }

    func note(_ request: SentRequest) {
        latest.withLock { latest in
            let mayHaveArrived = latest?.mayHaveArrived == true
            latest = request
            latest?.mayHaveArrived = mayHaveArrived
        }
    }

    /// Notes that a server may have got what was sent.
    func arrived() { latest.withLock { $0?.mayHaveArrived = true } }
}
