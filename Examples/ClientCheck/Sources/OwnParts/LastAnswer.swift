// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Synchronization

/// A store of one's own: gives the last whole response to a GET again, but only to whom it was given, and only if the
/// service fails.
final class LastAnswer: ResponseStore {
    private struct Key: Hashable {
        let origin: Origin
        let target: String
        let partition: StorePartition
    }

    private let kept = Mutex<[Key: (head: ResponseHead, bytes: [UInt8])]>([:])

    func find(_ request: EncodedRequest, _ context: StoreContext) -> StoreStart? {
        guard request.method == .get, !context.isDownload, context.partition.isShareable else { return .pass }
        let key = Key(origin: request.origin, target: request.target, partition: context.partition)
        return .ask(request, Visit(store: self, key: key))
    }

    private struct Visit: StoreVisit {
        let store: LastAnswer
        let key: Key

        func received(_ response: TransportResponse, in exchange: StoreExchange) async -> StoreResponse {
            guard response.head.status == .ok else { return StoreResponse(response) }
            return StoreResponse(response, tap: Tap(visit: self, head: response.head))
        }

        func failed() {}

        func fallback(after failure: StoreFailure) async -> TransportResponse? {
            guard let kept = store.kept.withLock({ $0[key] }) else { return nil }
            return TransportResponse(
                head: kept.head.noting("hit; stale"),
                body: ResponseBody(complete: ByteChunk(kept.bytes))
            )
        }
    }

    private final class Tap: BodyTap {
        private let visit: Visit
        private let head: ResponseHead
        private let bytes = Mutex<[UInt8]>([])

        init(visit: Visit, head: ResponseHead) {
            self.visit = visit
            self.head = head
        }

        func receive(_ chunk: ByteChunk) async { bytes.withLock { $0 += chunk.bytes } }

        func finish(_ end: ExchangeEnd) async {
            let whole = bytes.withLock(\.self)
            visit.store.kept.withLock { $0[visit.key] = (head, whole) }
        }

        func abandon() {}
    }
}
