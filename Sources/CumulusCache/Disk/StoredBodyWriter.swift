// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Writes a body's file block by block; no head refers to it before it is whole.
final class StoredBodyWriter: CacheWriter {
    private struct State {
        var descriptor: CInt
        var block: [UInt8] = []
        var length: Int64 = 0
        var index: Int64 = 0
        var problem: FileFailure?
    }

    private let path: FilePath
    private let name: String
    /// Whether a body of this length fits.
    private let hasRoom: @Sendable (Int64) -> Bool
    private let queue: DiskQueue
    private let state: Mutex<State>
    /// Called at the end, with the length or the failure.
    private let onEnd: @Sendable (Result<Int64, FileFailure>) -> Void

    /// Creates the file.
    ///
    /// - Throws: `FileFailure`.
    init(
        _ path: FilePath,
        name: String,
        queue: DiskQueue,
        hasRoom: @escaping @Sendable (Int64) -> Bool,
        onEnd: @escaping @Sendable (Result<Int64, FileFailure>) -> Void
    ) throws(FileFailure) {
        let descriptor = open(path.text, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileFailure("create", path.text) }
        (self.path, self.name, self.queue) = (path, name, queue)
        (self.hasRoom, self.onEnd) = (hasRoom, onEnd)
        state = Mutex(State(descriptor: descriptor))
    }

    deinit { end(keeps: false) }

    func write(_ bytes: ByteChunk) async -> Bool {
        let isFull = state.withLock { state in
            bytes.withUnsafeBytes { state.block.append(contentsOf: $0) }
            state.length += Int64(bytes.count)
            return state.block.count >= BodyBlocks.size
        }
        guard isFull else { return true }
        let isWritten = (try? await queue.run { [self] in flush(all: false) }) ?? false
        if let problem = state.withLock(\.problem) { onEnd(.failure(problem)) }
        return isWritten
    }

    func finish() async {
        try? await queue.run { [self] in
            let isWhole = flush(all: true)
            end(keeps: isWhole)
            let (length, problem) = state.withLock { ($0.length, $0.problem) }
            if isWhole {
                onEnd(.success(length))
            } else if let problem {
                onEnd(.failure(problem))
            }
        }
    }

    func abandon() { queue.post { [self] in end(keeps: false) } }

    /// Writes whole blocks, or everything; false if that fails, or if the body doesn't fit.
    private func flush(all: Bool) -> Bool {
        guard hasRoom(state.withLock(\.length)) else { return false }
        return state.withLock { state in
            guard state.problem == nil, state.descriptor >= 0 else { return false }
            var start = 0
            while state.block.count - start >= (all ? 1 : BodyBlocks.size) {
                let end = min(state.block.count, start + BodyBlocks.size)
                let content = state.block[start..<end]
                let check = content.withUnsafeBytes { BodyBlocks.check($0, at: state.index, of: name) }
                guard write(Array(content) + check, state.descriptor) else {
                    state.problem = FileFailure("write", path.text)
                    return false
                }
                state.index += 1
                start = end
            }
            state.block.removeFirst(start)
            return true
        }
    }

    private func write(_ bytes: [UInt8], _ descriptor: CInt) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                let count = systemWrite(descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                written += count
            }
            return true
        }
    }

    private func end(keeps: Bool) {
        let descriptor = state.withLock { state in
            defer { state.descriptor = -1 }
            return state.descriptor
        }
        guard descriptor >= 0 else { return }
        close(descriptor)
        if !keeps { unlink(path.text) }
    }
}

/// The system's `write`, which a method of the same name hides.
private func systemWrite(_ descriptor: CInt, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
