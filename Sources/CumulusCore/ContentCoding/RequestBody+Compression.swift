// SPDX-License-Identifier: Apache-2.0

extension RequestBody {
    /// The body encoded with a coding; `nil` if it is sent unchanged.
    ///
    /// Bytes in memory are encoded immediately, files and streams while they are sent.
    ///
    /// - Parameters:
    ///   - coding: The coding.
    ///   - keepsSmaller: Whether a body in memory stays unchanged if encoding wouldn't make it smaller.
    /// - Returns: The encoded body.
    /// - Throws: ``ContentCodingProblem`` if the coding is unavailable, ``BodyAlreadySent`` for a stream that is used
    ///   up.
    func compressed(by coding: ContentCoding, keepsSmaller: Bool) throws -> RequestBody? {
        switch self {
        case .none: return nil
        case .bytes(let chunk):
            var compression = try Compression(coding)
            let limit = keepsSmaller ? chunk.count - 1 : nil
            return try compression.compress(chunk, isLast: true, limit: limit).map { .bytes(ByteChunk($0)) }
        case .file, .stream:
            guard canBeSent else { throw BodyAlreadySent() }
            // Checked now, so that a missing library is reported before anything is sent.
            _ = try coding.makeEncoder()
            return pieces.map { .stream($0.compressed(by: coding)) }
        }
    }
}
