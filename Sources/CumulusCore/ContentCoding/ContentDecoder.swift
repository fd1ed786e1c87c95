// SPDX-License-Identifier: Apache-2.0

/// Undoes a content coding for one body, piece by piece, without waiting.
///
/// Who calls it bounds the pieces, and refuses output that is out of proportion. It is used by one task at a time.
public protocol ContentDecoder: AnyObject {
    /// Decodes what it can of the input.
    ///
    /// It is called with the rest of the input until that is used up, and again without input as long as it fills the
    /// room.
    ///
    /// - Parameters:
    ///   - input: What has come and was not consumed; it may be empty.
    ///   - room: Where the decoded bytes go.
    /// - Returns: How much was taken and made. One that is not at its end and has input takes or makes something.
    /// - Throws: ``ContentCodingProblem`` for data that is broken.
    func decode(
        _ input: UnsafeRawBufferPointer,
        into room: UnsafeMutableRawBufferPointer
    ) throws(ContentCodingProblem) -> ContentCodingStep
}
