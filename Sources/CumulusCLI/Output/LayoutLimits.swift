// SPDX-License-Identifier: Apache-2.0

/// How much a body may grow by being laid out: indentation multiplies what is deeply nested.
///
/// What would grow more is shown as received.
struct LayoutLimits {
    /// How deep what is laid out may be nested.
    var depth = 128
    /// What laying out may add, whatever the body's size.
    var allowance = 1 << 20
    /// How many times its size a body may become besides.
    var growth = 10

    /// Whether so much output is all right for a body.
    func allow(_ output: Int, for bytes: Int) -> Bool {
        let (most, overflow) = bytes.multipliedReportingOverflow(by: growth)
        return overflow || output <= allowance || output - allowance <= most
    }
}

/// What laying a body out comes to.
enum LayoutOutcome: Equatable {
    case done
    /// It is not what its type says; nothing was written.
    case malformed
    /// It would grow too much; nothing was written.
    case tooLarge
}
