// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import Synchronization

/// The file to which exchanges are recorded, in the order in which they began.
///
/// It is replaced as a whole, so that it is valid at any moment, and only its owner may read it. An exchange is in the
/// file before its caller sees its end.
final class RecordingFile: Sendable {
    private struct State {
        /// The entries, encoded; `nil` for exchanges that are still running.
        var entries: [[UInt8]?] = []
        var size = 0
        var changes = 0
        var savedChanges = 0
    }

    /// The size, in bytes, from which no exchange is added; running ones still fit into what can be read.
    private static let limit = 48 << 20

    private let path: String
    private let state: Mutex<State>
    private let disk = DiskQueue("cumulus.recording")

    init(_ path: String, entries: [JSON] = []) {
        self.path = path
        let encoded = entries.map { $0.encoded(.prettyPrinted) }
        state = Mutex(State(entries: encoded, size: encoded.reduce(0) { $0 + $1.count }))
    }

    /// Takes the next place for an exchange that begins.
    ///
    /// - Throws: ``RecordingProblem`` if the file is full.
    func begin() throws(RecordingProblem) -> Int {
        let place = state.withLock { state -> Int? in
            guard state.size < RecordingFile.limit else { return nil }
            state.entries.append(nil)
            return state.entries.count - 1
        }
        guard let place else {
            throw RecordingProblem(.full, path, "it has 48 MiB, and a longer one could not be read")
        }
        return place
    }

    /// Adds an exchange that has ended; it is written by the next save.
    func end(_ place: Int, _ entry: JSON) {
        let bytes = entry.encoded(.prettyPrinted)
        state.withLock { state in
            state.entries[place] = bytes
            state.size += bytes.count
            state.changes += 1
        }
    }

    /// Writes everything that has ended.
    ///
    /// - Throws: ``RecordingProblem``.
    func save() async throws {
        let problem = try await disk.run { [self] in write() }
        if let problem { throw problem.error }
    }

    /// Writes everything that has ended, without waiting; a failure shows at the next save.
    func saveLater() { disk.post { [self] in _ = write() } }

    /// Runs on the disk's queue.
    private func write() -> RecordingProblem? {
        let changes = state.withLock { $0.changes }
        let isSaved = state.withLock { $0.savedChanges == changes && changes > 0 }
        // Another exchange's save has written it, too.
        if isSaved { return nil }
        let bytes = state.withLock { state in
            var bytes = HARWriter.frame.begin
            bytes.reserveCapacity(state.size + 2 * state.entries.count + 256)
            for (position, entry) in state.entries.compactMap(\.self).enumerated() {
                bytes += position > 0 ? [0x2C, 0x0A] : [0x0A]
                bytes += entry
            }
            return bytes + HARWriter.frame.end
        }
        do {
            try PrivateFile(path).write(bytes)
        } catch {
            return RecordingProblem(.unwritable, path, error.description)
        }
        state.withLock { $0.savedChanges = changes }
        return nil
    }
}
