// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Synchronization

func showing(_ site: Resource, in folder: String) async throws {
    // snippet.closure
    let file = try await site["data.tar"].download(to: .directory(folder)) { event in
        print(event.completed, event.total ?? -1, event.fractionCompleted ?? 0, event.bytesPerSecond)
    }
    // snippet.end
    print(file.byteCount)

    // snippet.sequence
    let running = site["notes"].call(.post, .bytes([UInt8](repeating: 7, count: 1 << 20))).start()
    for await event in running.progress where event.direction == .sending {
        print(event.fractionCompleted ?? 0, event.timeRemaining ?? .zero)
    }
    let response = try await running.value
    // snippet.end
    print(response.status)

    // snippet.inherited
    // All requests at and below the place.
    site["photos"].setRules { $0.observers.append(.progress { event in print(event.redactedURL, event.completed) }) }
    // snippet.end
}

func showingSeveral(_ site: Resource, total: Int64) async throws {
    // snippet.several
    let sent = Mutex<[CallID?: Int64]>([:])  // import Synchronization
    let sum = CallObserver.progress { event in
        guard event.direction == .sending else { return }
        let bytes = sent.withLock { sent in
            sent[event.id] = event.completed
            return sent.values.reduce(0, +)
        }
        print("\(bytes) of \(total) bytes")  // total: the sizes of the files
    }
    let files = site["files"].with { $0.observers.append(sum) }
    async let first = files["a.jpg"].put(.file("a.jpg"))
    async let second = files["b.jpg"].put(.file("b.jpg"))
    // snippet.end
    _ = try await (first, second)
}
