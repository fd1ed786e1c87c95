// SPDX-License-Identifier: Apache-2.0

/// The form of a JSON response's values in the output.
enum TableFormat: String, CaseIterable, Sendable {
    case json
    /// JSON, a value on each line.
    case jsonl
    case yaml
    /// Comma-separated lines (RFC 4180).
    case csv
    /// Columns for people.
    case table
}
