// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file, or a range of it, that is sent as a part: its length is taken at once, its bytes are read later.
struct MultipartFile: Sendable {
    private static let pieceSize = 256 * 1_024

    private let path: String
    private let part: Int
    private let start: Int64
    /// How many bytes are sent.
    let length: Int64
    /// The file's whole length, where all of it is sent.
    private let wholeLength: Int64?

    /// Looks at the file.
    init(path: String, range: Range<Int64>?, part: Int) throws(MultipartProblem) {
        self.path = path
        self.part = part
        let file = try OpenedFile(path, part: part)
        let size = try file.size()
        guard let range else {
            (start, length, wholeLength) = (0, size, size)
            return
        }
        guard range.lowerBound >= 0, range.upperBound <= size else {
            throw MultipartProblem(
                .file,
                part: part,
                "the file \(RequestURL.quote(path)) has \(size) bytes, which the range \(range) exceeds"
            )
        }
        (start, length, wholeLength) = (range.lowerBound, range.upperBound - range.lowerBound, nil)
    }

    /// Reads piece by piece, in the exchange's own task.
    func write(from offset: Int64, to writer: BodyWriter) async throws {
        let file = try OpenedFile(path, part: part)
        try check(file)
        var sent = offset
        while sent < length {
            let count = Int(min(length - sent, Int64(Self.pieceSize)))
            let piece = try file.read(at: start + sent, count: count)
            guard !piece.isEmpty else { throw changed("it ended \(length - sent) bytes too early") }
            try await writer.write(ByteChunk(piece))
            sent += Int64(piece.count)
        }
        try check(file)
    }

    /// Whether a file that is sent whole still has its length.
    private func check(_ file: borrowing OpenedFile) throws(MultipartProblem) {
        guard let wholeLength else { return }
        let size = try file.size()
        if size != wholeLength {
            throw changed("it had \(wholeLength) bytes when the request began and has \(size) now")
        }
    }

    private func changed(_ what: String) -> MultipartProblem {
        MultipartProblem(.fileChanged, part: part, "the file \(RequestURL.quote(path)) changed: \(what)")
    }
}

/// A plain file that is open for reading.
private struct OpenedFile: ~Copyable {
    private let descriptor: CInt
    private let path: String
    private let part: Int

    init(_ path: String, part: Int) throws(MultipartProblem) {
        self.path = path
        self.part = part
        // The system would stop reading the path at a NUL. Without O_NONBLOCK, opening a named pipe would wait for
        // whoever writes to it.
        let hasNUL = path.utf8.contains(0)
        descriptor = hasNUL ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw OpenedFile.problem(path, part, hasNUL ? EINVAL : errno) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The file's length.
    func size() throws(MultipartProblem) -> Int64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw OpenedFile.problem(path, part, errno) }
        guard status.st_mode & mode_t(S_IFMT) == mode_t(S_IFREG) else {
            throw MultipartProblem(.file, part: part, "\(RequestURL.quote(path)) is no plain file")
        }
        return Int64(status.st_size)
    }

    /// Reads up to so many bytes from an offset; none at the end.
    func read(at offset: Int64, count: Int) throws(MultipartProblem) -> [UInt8] {
        while true {
            var got = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { space, filled in
                got = pread(descriptor, space.baseAddress, count, off_t(offset))
                filled = max(0, got)
            }
            if got >= 0 { return bytes }
            if errno != EINTR { throw OpenedFile.problem(path, part, errno) }
        }
    }

    private static func problem(_ path: String, _ part: Int, _ code: CInt) -> MultipartProblem {
        let reason = String(cString: strerror(code))
        return MultipartProblem(.file, part: part, "the file \(RequestURL.quote(path)) can't be read: \(reason)")
    }
}
