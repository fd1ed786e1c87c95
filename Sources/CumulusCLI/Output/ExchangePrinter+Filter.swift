// SPDX-License-Identifier: Apache-2.0

import CumulusCore

extension ExchangePrinter {
    /// The limit for a body in memory for a filter or a table.
    static let filteredLimit = 64 << 20

    /// Prints the values at a path, or the whole body in another form.
    mutating func print(_ stream: ResponseStream, _ filter: JSONFilter?) async throws {
        let option = filter == nil ? "--as" : "--filter"
        var bytes: [UInt8] = []
        for try await chunk in stream {
            bytes += chunk.bytes
            if bytes.count > ExchangePrinter.filteredLimit {
                stream.cancel()
                throw JSONFilter.Unreadable(option: option, reason: "the answer is longer than 64 MiB")
            }
        }
        let json: JSON
        do {
            json = try JSON(parsing: bytes)
        } catch {
            let place = "line \(error.line), column \(error.column)"
            throw JSONFilter.Unreadable(option: option, reason: "the answer is none (\(place))")
        }
        let values = try filter?.values(in: json) ?? [json]
        try begin("")
        if let form = style.table { return try ResultForm(form, style: style).write(values) { try write($0) } }
        for value in values {
            if let text = value.string {
                try write(Array((style.isTerminal ? TerminalText.harmless(text) : text).utf8))
            } else {
                var body = BodyPrinter(type: .json, style: style)
                try body.take(ByteChunk(value.encoded())) { try write($0) }
                try body.finish { try write($0) }
            }
            try write(Array("\n".utf8))
        }
    }

    /// Shows an image on the terminal.
    mutating func print(_ stream: ResponseStream, by images: ImageProtocol) async throws {
        var bytes: [UInt8] = []
        for try await chunk in stream {
            bytes += chunk.bytes
            if bytes.count > ImageProtocol.longest {
                stream.cancel()
                return warn("cumulus: note: the image has more than 16 MiB and is not shown; -o FILE saves it")
            }
        }
        try begin("")
        try write(images.sequence(for: bytes))
    }
}
