// SPDX-License-Identifier: Apache-2.0

/// Decodes one body's content coding, piece by piece, without waiting.
///
/// The caller limits the size of the pieces, and refuses disproportionate output. A decoder is used by one task at a
/// time.
public protocol ContentDecoder: AnyObject {
    /// Decodes as much of the input as it can.
    ///
    /// It is called with the remaining input until all is consumed, and again without input as long as it fills the
    /// output buffer.
    ///
    /// - Parameters:
    ///   - input: The received bytes that were not consumed yet; may be empty.
    ///   - room: The output buffer.
    /// - Returns: How much was consumed and produced. With input, and before its end, it must consume or produce
    ///   something.
    /// - Throws: ``ContentCodingProblem`` for invalid data.
    func decode(
        _ input: UnsafeRawBufferPointer,
        into room: UnsafeMutableRawBufferPointer
    ) throws(ContentCodingProblem) -> ContentCodingStep
}
