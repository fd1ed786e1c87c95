// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import Synchronization

/// The exchanges of a recording, each of which is used once, in order.
final class RecordingIndex: Sendable {
    private struct Queue {
        var next = 0
        var positions: [Int] = []
    }

    private let file: String
    private let exchanges: [RecordedExchange]
    private let keys: [RecordedRequestKey]
    private let queues: Mutex<[RecordedRequestKey: Queue]>

    init(_ exchanges: [RecordedExchange], file: String, _ options: RecordingOptions) {
        self.file = file
        self.exchanges = exchanges
        keys = exchanges.map {
            RecordedRequestKey(method: $0.method, url: $0.url, $0.headers, body: $0.body, options)
        }
        var queues: [RecordedRequestKey: Queue] = [:]
        for (position, key) in keys.enumerated() { queues[key, default: Queue()].positions.append(position) }
        self.queues = Mutex(queues)
    }

    /// The next exchange of a request; `nil` if each has been used, or the request is unknown.
    func take(_ key: RecordedRequestKey) -> RecordedExchange? {
        queues.withLock { queues in
            guard var queue = queues[key], queue.next < queue.positions.count else { return nil }
            defer { queues[key] = queue }
            queue.next += 1
            return exchanges[queue.positions[queue.next - 1]]
        }
    }

    /// Why ``take(_:)`` returned none.
    func problem(with key: RecordedRequestKey) -> RecordingProblem {
        let request = "\(key.method) \(PeerText.printable(key.url))"
        let count = queues.withLock { $0[key]?.positions.count ?? 0 }
        if count > 0 {
            let used = count == 1 ? "its response to \(request) has" : "all its \(count) responses to \(request) have"
            return RecordingProblem(.unknownRequest, file, "\(used) been used")
        }
        let differences = keys.map { RequestDifference(from: $0, of: key) }
        guard let nearest = differences.indices.min(by: { differences[$0].distance < differences[$1].distance })
        else {
            let reason = "it contains no requests, so it has no response to \(request)"
            return RecordingProblem(.unknownRequest, file, reason)
        }
        let (method, url) = (keys[nearest].method, PeerText.printable(keys[nearest].url))
        return RecordingProblem(
            .unknownRequest,
            file,
            "it has no response to \(request); the nearest request is \(method) \(url) at "
                + "\(exchanges[nearest].jsonPath): \(differences[nearest])"
        )
    }
}
