// SPDX-License-Identifier: Apache-2.0

/// The form that the values of a JSON answer are printed in.
enum TableFormat: String, CaseIterable, Sendable {
    case json
    case yaml
    /// Lines of values (RFC 4180).
    case csv
    /// Columns for people.
    case table
}
