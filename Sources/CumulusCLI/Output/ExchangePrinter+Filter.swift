// SPDX-License-Identifier: Apache-2.0

import CumulusCore

extension ExchangePrinter {
    /// More of a body is not held for a filter.
    private static let filteredLimit = 64 << 20

    /// Prints the values that a path leads to, one after the other: texts as they are, others as JSON.
    mutating func print(_ stream: ResponseStream, _ filter: JSONFilter) async throws {
        var bytes: [UInt8] = []
        for try await chunk in stream {
            bytes += chunk.bytes
            if bytes.count > ExchangePrinter.filteredLimit {
                stream.cancel()
                throw JSONFilter.Unreadable(reason: "the answer is longer than 64 MiB")
            }
        }
        let json: JSON
        do {
            json = try JSON(parsing: bytes)
        } catch {
            throw JSONFilter.Unreadable(reason: "the answer is none (line \(error.line), column \(error.column))")
        }
        let values = try filter.values(in: json)
        try begin("")
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
}
