// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// A parsed printf-style format of a path: literals and conversions.
struct PathFormat {
    private let text: String
    private let bytes: [UInt8]
    private var index = 0
    private var parser = ChildPathParser()
    private var next = 0
    private var used: Set<Int> = []

    init(_ text: String) {
        self.text = text
        bytes = Array(text.utf8)
    }

    /// The path, with values for the conversions.
    mutating func path(of values: [any CustomStringConvertible]) -> Result<ChildPath, PathRefusal> {
        do throws(PathRefusal) {
            var start = 0
            while let mark = bytes[index...].firstIndex(of: UInt8(ascii: "%")) {
                appendLiteral(bytes[start..<mark])
                index = mark + 1
                try appendConversion(values)
                start = index
            }
            appendLiteral(bytes[start...])
            guard used.count == values.count else { throw refusal("leaves a value unused") }
            return parser.finish()
        } catch {
            return .failure(error)
        }
    }

    private mutating func appendLiteral(_ literal: ArraySlice<UInt8>) {
        if !literal.isEmpty { parser.appendLiteral(String(decoding: literal, as: UTF8.self)) }
    }

    private mutating func appendConversion(_ values: [any CustomStringConvertible]) throws(PathRefusal) {
        if index < bytes.count, bytes[index] == UInt8(ascii: "%") {
            index += 1
            return parser.appendValue("%")
        }
        guard let conversion = FormatConversion(reading: bytes, at: &index) else {
            throw refusal("has an unknown conversion")
        }
        let place = conversion.position.map { $0 - 1 } ?? next
        if conversion.position == nil { next += 1 }
        guard values.indices.contains(place) else { throw refusal("has a conversion without a value") }
        used.insert(place)
        do {
            parser.appendValue(try conversion.text(of: values[place].description))
        } catch {
            throw refusal("requires \(error.wanted) for value \(place + 1)")
        }
    }

    private func refusal(_ reason: String) -> PathRefusal {
        PathRefusal("the format \(PeerText.quoted(text)) \(reason)")
    }
}
