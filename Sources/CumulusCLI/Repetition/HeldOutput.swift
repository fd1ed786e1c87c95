// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization

/// The output of a try, which is printed only after the last try.
final class HeldOutput: Sendable {
    /// A line for standard error, after as many bytes of the output.
    private struct Note {
        /// The memory that a note takes in addition to its text.
        static let cost = 64

        let place: Int
        let line: String
    }

    private struct State {
        var output: [UInt8] = []
        var notes: [Note] = []
        /// The memory that the notes take.
        var noteSize = 0
        var isTooLong = false
        /// The complete files that replace those at their paths.
        var files: [(path: String, file: OutputFile)] = []

        /// Whether there is room for more; once there is not, nothing is added any more.
        mutating func hasRoom(for count: Int) -> Bool {
            isTooLong = isTooLong || output.count + noteSize + count > FilteredBody.limit
            return !isTooLong
        }
    }

    private let state = Mutex(State())

    /// Whether a try printed more than fits into memory.
    var isTooLong: Bool { state.withLock(\.isTooLong) }

    /// A console that collects its output here, instead of writing to standard output and standard error.
    ///
    /// Output above the limit of bodies in memory is an error, so that an endless response ends. A file that replaces
    /// another one is written, but doesn't take its place.
    func console(instead console: Console) -> Console {
        var held = console
        held.write = { [self] bytes in
            let fits = state.withLock { state in
                guard state.hasRoom(for: bytes.count) else { return false }
                state.output += bytes
                return true
            }
            if !fits { throw ResponseCapture.tooLong }
        }
        held.note = { [self] line in
            state.withLock { state in
                let size = line.utf8.count + Note.cost
                guard state.hasRoom(for: size) else { return }
                state.noteSize += size
                state.notes.append(Note(place: state.output.count, line: line))
            }
        }
        held.replace = { [self] path in
            console.replace(path).map { file in
                OutputFile(
                    write: file.write,
                    close: { [self] in state.withLock { $0.files.append((path, file)) } },
                    abandon: file.abandon
                )
            }
        }
        return held
    }

    /// Removes the files that have not taken their places.
    func discard() { for (_, file) in takeFiles() { _ = file.abandon() } }

    private func takeFiles() -> [(path: String, file: OutputFile)] {
        state.withLock { state in
            defer { state.files = [] }
            return state.files
        }
    }

    /// Puts the files in their places, and prints everything in the original order.
    func print(to console: Console) throws {
        let (output, notes) = state.withLock { ($0.output, $0.notes) }
        var files = takeFiles()[...]
        while let (path, file) = files.popFirst() {
            do { try file.close() } catch {
                for (_, file) in files { _ = file.abandon() }
                throw OutputProblem(path: path, reason: "\(error)")
            }
        }
        var place = 0
        for note in notes {
            if note.place > place { try console.write(Array(output[place..<note.place])) }
            place = note.place
            console.note(note.line)
        }
        if place < output.count { try console.write(Array(output[place...])) }
    }
}
