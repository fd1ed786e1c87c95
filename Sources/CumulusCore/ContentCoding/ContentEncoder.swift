// SPDX-License-Identifier: Apache-2.0

/// Encodes one body with a content coding, piece by piece, without waiting.
///
/// An encoder is used by one task at a time.
public protocol ContentEncoder: AnyObject {
    /// Encodes as much of the input as it can.
    ///
    /// - Parameters:
    ///   - input: The bytes that were not consumed yet; may be empty.
    ///   - room: The output buffer.
    ///   - isLast: Whether the body ends with this input; the encoder is then called until it reports its end.
    /// - Returns: How much was consumed and produced.
    /// - Throws: ``ContentCodingProblem`` if encoding fails.
    func encode(
        _ input: UnsafeRawBufferPointer,
        into room: UnsafeMutableRawBufferPointer,
        isLast: Bool
    ) throws(ContentCodingProblem) -> ContentCodingStep
}
