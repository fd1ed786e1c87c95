// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// An open file from which responses are read in pieces.
final class FixtureFile: Sendable {
    private let descriptor: Int32
    private let path: String
    let length: Int64

    init(path: String) throws(FixtureProblem) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            length = 0
            throw FixtureProblem(
                "the fixture's file \(PeerText.quoted(path)) can't be opened: \(String(cString: strerror(errno)))"
            )
        }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            length = 0
            throw FixtureProblem("the fixture's file \(PeerText.quoted(path)) is not a regular file")
        }
        length = Int64(facts.st_size)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func read(_ range: Range<Int64>) throws(FixtureProblem) -> ByteChunk {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, filled in
            while count < range.count {
                let got = pread(
                    descriptor,
                    buffer.baseAddress?.advanced(by: count),
                    range.count - count,
                    off_t(range.lowerBound) + off_t(count)
                )
                if got < 0, errno == EINTR { continue }
                if got <= 0 { break }
                count += got
            }
            filled = count
        }
        guard count == range.count else {
            throw FixtureProblem("the fixture's file \(PeerText.quoted(path)) became shorter while it was read")
        }
        return ByteChunk(bytes)
    }
}
