// SPDX-License-Identifier: Apache-2.0

/// The limits for formatting a body: indentation multiplies the size of deep nesting.
///
/// A body that would exceed them is shown as received.
struct LayoutLimits {
    /// The maximum nesting of a formatted body.
    var depth = 128
    /// The bytes that formatting may add, regardless of the body's size.
    var allowance = 1 << 20
    /// The additional growth, as a multiple of the body's size.
    var growth = 10

    /// Whether an output size is acceptable for a body.
    func allow(_ output: Int, for bytes: Int) -> Bool {
        let (most, overflow) = bytes.multipliedReportingOverflow(by: growth)
        return overflow || output <= allowance || output - allowance <= most
    }
}

/// The outcome of formatting a body.
enum LayoutOutcome: Equatable {
    case done
    /// The body doesn't match its type; nothing was written.
    case malformed
    /// The output would be too large; nothing was written.
    case tooLarge
}
