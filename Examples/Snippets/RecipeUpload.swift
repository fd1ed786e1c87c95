// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Foundation
import Observation

nonisolated struct SavedPicture: Codable, Sendable {
    var id: Int
}

// snippet.upload
/// The state of a progress bar, and the actions of its buttons.
@MainActor @Observable final class PictureUpload {
    private(set) var fraction = 0.0
    private(set) var timeRemaining: Duration?
    private(set) var outcome: Result<SavedPicture, any Error>?
    private var running: RunningCall<SavedPicture>?

    func start(_ file: URL, to pictures: Resource) {
        outcome = nil
        let upload = pictures.call(.post, .file(file), as: SavedPicture.self)
        running = upload.start(
            onProgress: { [weak self] event in
                guard event.direction == .sending else { return }  // the response also has a body
                self?.fraction = event.fractionCompleted ?? 0
                self?.timeRemaining = event.timeRemaining
            }
        ) { [weak self] result in self?.outcome = result }
    }

    func cancel() { running?.cancel() }
    func restart() { running?.restart() }
}
// snippet.end

// snippet.terminal
/// The same in a terminal: one line that is redrawn.
func send(_ file: URL, to place: Resource) async throws {
    let upload = place.call(.put, .file(file)).start()
    for await event in upload.progress where event.direction == .sending {
        let percent = Int((event.fractionCompleted ?? 0) * 100)
        print("\(percent) %, \(Int(event.bytesPerSecond / 1000)) kB/s", terminator: "\r")
    }
    try await upload.value.requireSuccess()
    print()
}
// snippet.end
