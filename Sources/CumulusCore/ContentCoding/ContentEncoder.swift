// SPDX-License-Identifier: Apache-2.0

/// Applies a content coding to one body, piece by piece, without waiting.
///
/// It is used by one task at a time.
public protocol ContentEncoder: AnyObject {
    /// Encodes what it can of the input.
    ///
    /// - Parameters:
    ///   - input: What was not consumed; it may be empty.
    ///   - room: Where the encoded bytes go.
    ///   - isLast: Whether the body ends with this input; it is called until it says that it is at its end, then.
    /// - Returns: How much was taken and made.
    /// - Throws: ``ContentCodingProblem`` where that fails.
    func encode(
        _ input: UnsafeRawBufferPointer,
        into room: UnsafeMutableRawBufferPointer,
        isLast: Bool
    ) throws(ContentCodingProblem) -> ContentCodingStep
}
