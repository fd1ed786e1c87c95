// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A HAR file that this process has made, to which entries are added in place.
///
/// The bytes of new entries, with an ending of their own, are written behind the file's end; then the previous ending
/// is overwritten. At any moment, also after the process was killed, the file up to its first ending is a whole
/// recording (``HARReader``). A file that another program has made at the same path is not touched.
struct HARFile {
    /// The size of a page: a write within one is never cut by a signal.
    private static let page: Int64 = 4_096

    private let path: String
    private let previous: FileState?
    /// The file as this process has left it; `nil` before it was made.
    private var state: FileState?
    private var isEmpty = true

    /// - Parameters:
    ///   - path: The file.
    ///   - previous: The file that may be replaced; `nil` if any may be.
    init(_ path: String, replacing previous: FileState?) {
        (self.path, self.previous) = (path, previous)
    }

    /// Adds entries; the first call makes the file.
    mutating func add(_ entries: [[UInt8]]) throws(RecordingProblem) {
        if let state {
            if !entries.isEmpty { try append(entries, to: state) }
        } else {
            try make(entries)
        }
        if !entries.isEmpty { isEmpty = false }
    }

    private mutating func make(_ entries: [[UInt8]]) throws(RecordingProblem) {
        if let previous, FileState(at: path) != previous { throw changed() }
        let frame = HARWriter.frame.begin + [0x0A]
        let bytes = HARFile.text(entries, at: Int64(frame.count), after: frame)
        let made: FileIdentity
        do throws(FileFailure) { made = try PrivateFile(path).write(bytes) } catch { throw unwritable(error) }
        let state = FileState(made, size: Int64(bytes.count))
        // Another program may have replaced it at once.
        guard FileState(at: path) == state else { throw changed() }
        self.state = state
    }

    private mutating func append(_ entries: [[UInt8]], to state: FileState) throws(RecordingProblem) {
        let descriptor = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ELOOP { throw changed() }
            throw unwritable(FileFailure("open", path))
        }
        defer { close(descriptor) }
        // Two programs must not see the same end. On a file system without locks, only the size shows it.
        while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, FileState(facts) == state else { throw changed() }
        let bytes = HARFile.text(entries, at: state.size)
        let ending = HARWriter.frame.end
        // As long as the ending that it replaces.
        let joint: [UInt8] = [isEmpty ? 0x20 : 0x2C] + [UInt8](repeating: 0x20, count: ending.count - 2) + [0x0A]
        do throws(FileFailure) {
            try write(bytes, at: state.size, descriptor)
            try write(joint, at: state.size - Int64(joint.count), descriptor)
        } catch {
            // The file's previous bytes are whole.
            _ = ftruncate(descriptor, off_t(state.size))
            throw unwritable(error)
        }
        self.state = state.resized(to: state.size + Int64(bytes.count))
        // A file that has taken the path meanwhile lacks these entries.
        guard FileState(at: path) == self.state else { throw changed() }
    }

    /// The text of entries with an ending that is within a page.
    private static func text(_ entries: [[UInt8]], at offset: Int64, after start: [UInt8] = []) -> [UInt8] {
        var bytes = start
        for (position, entry) in entries.enumerated() {
            if position > 0 { bytes += [0x2C, 0x0A] }
            bytes += entry
        }
        let ending = HARWriter.frame.end
        let place = (offset + Int64(bytes.count - start.count)) % page
        let room = page - place
        if room < ending.count { bytes += [UInt8](repeating: 0x20, count: Int(room)) }
        return bytes + ending
    }

    private func write(_ bytes: [UInt8], at offset: Int64, _ descriptor: CInt) throws(FileFailure) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                pwrite(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset) + off_t(done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FileFailure("write", path) }
            done += count
        }
    }

    private func unwritable(_ failure: FileFailure) -> RecordingProblem {
        RecordingProblem(.unwritable, path, failure.description)
    }

    private func changed() -> RecordingProblem {
        let reason = "another program or recording has created, changed or removed the file in the meantime"
        return RecordingProblem(.unwritable, path, reason)
    }
}
