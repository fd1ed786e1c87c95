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

/// The format of a body's file: blocks of 64 KiB, of which the last may be shorter, each followed by a checksum.
enum BodyBlocks {
    static let size = 64 << 10
    static let checkLength = 4

    /// The length of the file of a body.
    static func fileLength(of length: Int64) -> Int64 {
        let blocks = length / Int64(size) + (length % Int64(size) == 0 ? 0 : 1)
        return length + blocks * Int64(checkLength)
    }

    /// The checksum of a block, which depends on the block's body and position.
    static func check(_ bytes: UnsafeRawBufferPointer, at index: Int64, of name: String) -> [UInt8] {
        var crc = CyclicRedundancyCheck(castagnoli: false)
        Array("\(name) \(index) ".utf8).withUnsafeBytes { crc.update($0) }
        crc.update(bytes)
        return crc.digest
    }
}

/// The reason why a stored body can't be opened.
enum StoredBodyProblem: Error {
    /// It is missing or damaged.
    case isGone
    /// It can't be read at the moment: the process may have no file descriptor left.
    case isBusy
}

/// A body whose file is opened once its response is chosen.
final class LateBody: CachedBody {
    let length: Int64
    private let find: @Sendable () async -> StoredBody?
    private let file = Mutex<StoredBody?>(nil)

    init(length: Int64, find: @escaping @Sendable () async -> StoredBody?) {
        (self.length, self.find) = (length, find)
    }

    func prepare() async -> Bool {
        if file.withLock({ $0 != nil }) { return true }
        guard let found = await find() else { return false }
        file.withLock { $0 = found }
        return true
    }

    func read(_ range: Range<Int64>) -> ResponseBody {
        if let file = file.withLock(\.self) { return file.read(range) }
        return ResponseBody(expectedLength: Int64(range.count), source: UnopenedSource())
    }
}

private final class UnopenedSource: ResponseBodySource {
    func next() async throws -> ResponseBodyElement {
        throw TransportFailure(.truncated, "a stored body could not be opened")
    }

    func cancel() {}
}

/// A body in a file that stays open, so that it can be read even after it is removed.
final class StoredBody: CachedBody {
    let length: Int64
    private let name: String
    private let descriptor: CInt
    private let queue: DiskQueue
    /// Called if a block is damaged.
    private let onDamage: @Sendable () -> Void
    /// A short body, which was already read and verified.
    private let whole: ByteChunk?

    /// Bodies up to this length are read immediately, so that damage is found before a response is returned.
    static let shortest: Int64 = 1 << 20

    /// Opens the file.
    ///
    /// - Throws: An error if the file is missing, has another length, could be changed by other users, or is damaged,
    ///   as far as that is checked.
    init(
        _ path: FilePath,
        name: String,
        length: Int64,
        queue: DiskQueue,
        onDamage: @escaping @Sendable () -> Void
    ) throws(StoredBodyProblem) {
        let descriptor = open(path.text, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw errno == ENOENT || errno == ELOOP ? .isGone : .isBusy }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_uid == geteuid(),
            facts.st_mode & 0o022 == 0, Int64(facts.st_size) == BodyBlocks.fileLength(of: length)
        else {
            close(descriptor)
            throw .isGone
        }
        (self.name, self.length, self.descriptor) = (name, length, descriptor)
        (self.queue, self.onDamage) = (queue, onDamage)
        guard length <= StoredBody.shortest else {
            whole = nil
            return
        }
        guard let bytes = StoredBody.bytes(0..<length, descriptor, name, length) else {
            // A class that throws before all properties are set doesn't run its deinit.
            close(descriptor)
            throw .isGone
        }
        whole = ByteChunk(bytes)
    }

    deinit { close(descriptor) }

    func read(_ range: Range<Int64>) -> ResponseBody {
        let range = range.clamped(to: 0..<length)
        if let whole {
            if range.count == whole.count { return ResponseBody(complete: whole) }
            let part = whole.withUnsafeBytes { [UInt8]($0[Int(range.lowerBound)..<Int(range.upperBound)]) }
            return ResponseBody(complete: ByteChunk(part))
        }
        let source = StoredBodySource(self, range)
        return ResponseBody(expectedLength: Int64(range.count), source: source)
    }

    /// Bytes within a range: at most a few blocks.
    fileprivate func next(_ range: Range<Int64>) async throws -> ByteChunk {
        let most = Int64(BodyBlocks.size) * 4
        let end = min(range.upperBound, (range.lowerBound / most + 1) * most)
        let (descriptor, name, length) = (descriptor, name, length)
        let bytes = try await queue.run { StoredBody.bytes(range.lowerBound..<end, descriptor, name, length) }
        guard let bytes else {
            onDamage()
            throw TransportFailure(.truncated, "a stored body is damaged")
        }
        return ByteChunk(bytes)
    }

    /// Reads and verifies the blocks that contain a range; `nil` if one of them is damaged.
    private static func bytes(_ range: Range<Int64>, _ descriptor: CInt, _ name: String, _ length: Int64) -> [UInt8]? {
        guard !range.isEmpty else { return [] }
        let size = Int64(BodyBlocks.size)
        let (first, last) = (range.lowerBound / size, (range.upperBound - 1) / size)
        var found: [UInt8] = []
        found.reserveCapacity(range.count)
        for index in first...last {
            let start = index * size
            let count = Int(min(size, length - start))
            let place = start + index * Int64(BodyBlocks.checkLength)
            guard let block = block(at: place, count: count + BodyBlocks.checkLength, descriptor) else { return nil }
            let isRight = block.withUnsafeBytes { bytes in
                let content = UnsafeRawBufferPointer(rebasing: bytes.prefix(count))
                return BodyBlocks.check(content, at: index, of: name).elementsEqual(
                    bytes.suffix(BodyBlocks.checkLength)
                )
            }
            guard isRight else { return nil }
            let lower = Int(max(range.lowerBound, start) - start)
            found += block[lower..<Int(min(range.upperBound, start + Int64(count)) - start)]
        }
        return found
    }

    private static func block(at place: Int64, count: Int, _ descriptor: CInt) -> [UInt8]? {
        let block = [UInt8](unsafeUninitializedCapacity: count) { space, filled in
            while filled < count {
                let got = pread(
                    descriptor,
                    space.baseAddress?.advanced(by: filled),
                    count - filled,
                    off_t(place) + off_t(filled)
                )
                if got < 0, errno == EINTR { continue }
                guard got > 0 else { break }
                filled += got
            }
        }
        return block.count == count ? block : nil
    }
}

/// Reads a range of a file, a few blocks at a time.
private final class StoredBodySource: ResponseBodySource {
    private let file: StoredBody
    private let rest: Mutex<Range<Int64>>

    init(_ file: StoredBody, _ range: Range<Int64>) {
        self.file = file
        rest = Mutex(range)
    }

    func next() async throws -> ResponseBodyElement {
        let range = rest.withLock(\.self)
        guard !range.isEmpty else { return .end(ExchangeEnd()) }
        let chunk = try await file.next(range)
        rest.withLock { rest in
            if !rest.isEmpty { rest = range.lowerBound + Int64(chunk.count)..<range.upperBound }
        }
        return .bytes(chunk)
    }

    func cancel() { rest.withLock { $0 = 0..<0 } }
}
