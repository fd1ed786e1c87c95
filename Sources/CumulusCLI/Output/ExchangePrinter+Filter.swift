// SPDX-License-Identifier: Apache-2.0

import CumulusCore

extension ExchangePrinter {
    /// Prints the values at a path, or the whole body in another form.
    mutating func printFiltered(_ stream: ResponseStream) async throws {
        var isFirst = true
        try await FilteredBody(style: style, warn: warn, capture: capture).write(stream) { bytes in
            if isFirst { try begin("") }
            isFirst = false
            try write(bytes)
        }
    }
}
