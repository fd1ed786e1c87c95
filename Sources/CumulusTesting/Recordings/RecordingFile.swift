// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import Synchronization

/// The file to which exchanges are recorded.
///
/// An exchange is in the file before its caller sees its end, and only the file's owner may read it. Exchanges are added
/// in the order in which they end; a member of the entry has the place of one that began earlier or later.
final class RecordingFile: Sendable {
    private struct State {
        var begun: Int
        var ended: Int
        /// The entries that have ended, and are not in the file yet.
        var waiting: [[UInt8]] = []
        var size: Int
    }

    /// The size, in bytes, from which no exchange is added; running ones still fit into what can be read.
    private static let limit = 48 << 20

    private let path: String
    private let state: Mutex<State>
    private let disk = DiskQueue("cumulus.recording")
    /// Used on the disk's queue only.
    private let file: Mutex<HARFile>

    /// Prepares a file, which is made by the first save.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - entries: The entries of before, which the file also gets.
    ///   - previous: The file that is there, and may be replaced; `nil` if any may be.
    init(_ path: String, entries: [JSON] = [], replacing previous: FileState?) {
        self.path = path
        let encoded = entries.map { $0.encoded(.prettyPrinted) }
        let size = encoded.reduce(0) { $0 + $1.count }
        state = Mutex(State(begun: encoded.count, ended: encoded.count, waiting: encoded, size: size))
        file = Mutex(HARFile(path, replacing: previous))
    }

    /// Takes the next place for an exchange that begins.
    ///
    /// - Throws: ``RecordingProblem`` if the file is full.
    func begin() throws(RecordingProblem) -> Int {
        let place = state.withLock { state -> Int? in
            guard state.size < RecordingFile.limit else { return nil }
            defer { state.begun += 1 }
            return state.begun
        }
        guard let place else {
            throw RecordingProblem(.full, path, "it has reached 48 MiB, and a longer recording could not be read")
        }
        return place
    }

    /// Adds an exchange that has ended; it is written by the next save.
    func end(_ place: Int, _ entry: JSON) {
        state.withLock { state in
            let bytes = HARWriter.entry(entry, place: place, position: state.ended).encoded(.prettyPrinted)
            state.waiting.append(bytes)
            state.ended += 1
            state.size += bytes.count
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
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        return file.withLock { file in
            do throws(RecordingProblem) {
                try file.add(waiting)
                return nil
            } catch {
                state.withLock { $0.waiting = waiting + $0.waiting }
                return error
            }
        }
    }
}
