// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The form of a JSON response's values in the output.
enum TableFormat: String, CaseIterable, Sendable {
    case json
    case yaml
    /// Comma-separated lines (RFC 4180).
    case csv
    /// Columns for people.
    case table
}

// In a separate file from the type, which the fuzz targets build without ArgumentParser.
extension TableFormat: ExpressibleByArgument {}
