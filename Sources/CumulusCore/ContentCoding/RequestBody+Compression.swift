// SPDX-License-Identifier: Apache-2.0

extension RequestBody {
    /// The body under a coding; `nil` if it is sent as it is.
    ///
    /// What is in memory is encoded at once, files and streams while they are sent.
    ///
    /// - Parameters:
    ///   - coding: The coding.
    ///   - keepsSmaller: Whether a body in memory that would not get smaller is left alone.
    /// - Returns: The coded body.
    /// - Throws: ``ContentCodingProblem`` where the coding can't be applied here, ``BodyAlreadySent`` for a stream that is
    ///   used up.
    func compressed(by coding: ContentCoding, keepsSmaller: Bool) throws -> RequestBody? {
        switch self {
        case .none: return nil
        case .bytes(let chunk):
            var compression = try Compression(coding)
            let limit = keepsSmaller ? chunk.count - 1 : nil
            return try compression.compress(chunk, isLast: true, limit: limit).map { .bytes(ByteChunk($0)) }
        case .file, .stream:
            guard canBeSent else { throw BodyAlreadySent() }
            // Asked now, so that what is missing is told before anything is sent.
            _ = try coding.makeEncoder()
            return pieces.map { .stream($0.compressed(by: coding)) }
        }
    }
}
