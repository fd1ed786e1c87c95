// SPDX-License-Identifier: Apache-2.0

import Cumulus

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
