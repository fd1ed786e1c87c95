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

    /// Shows an image on the terminal.
    mutating func print(_ stream: ResponseStream, by images: ImageProtocol) async throws {
        var bytes: [UInt8] = []
        for try await chunk in stream {
            try capture?.take(chunk)
            bytes += chunk.bytes
            if bytes.count > ImageProtocol.longest {
                stream.cancel()
                return warn("cumulus: note: the image is larger than 16 MiB and is not shown; -o FILE saves it")
            }
        }
        try begin("")
        try write(images.sequence(for: bytes))
    }
}
