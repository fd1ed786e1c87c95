// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// The value of a `:=` item.
enum JSONItem {
    /// Parses an item's value, or its file.
    ///
    /// - Throws: ``UsageMistake`` with the position of the first wrong byte; the value itself is never quoted.
    static func value(of item: RequestItem, readFile: FileReader) throws(UsageMistake) -> JSON {
        let isFile = item.kind == .jsonFromFile
        let bytes = isFile ? try readFile.contents(item) : Array(item.value.utf8)
        let value: JSON
        do {
            value = try JSON(parsing: bytes)
        } catch {
            let source = isFile ? "the file \(quoted(item.value)) for \(quoted(item.name))" : quoted(item.name + ":=")
            throw UsageMistake(
                "\(source) is not valid JSON: \(reason(error, in: bytes)) (line \(error.line), column \(error.column))",
                hint: hint(for: item, bytes: bytes)
            )
        }
        if let name = JSONTokens.firstEqualName(in: bytes) {
            throw UsageMistake(
                "an object in \(quoted(item.name + ":=")) has the name \(quoted(name)) more than once",
                hint: "to send it unchanged, make it the whole body: cumulus post URL < FILE"
            )
        }
        return value
    }

    /// The text of a value in a form; `nil` for objects, arrays and null, which have no unique notation there.
    static func formText(_ value: JSON) -> String? {
        switch value {
        case .string(let text): text
        case .number(let number): number.text
        case .bool(let bool): bool ? "true" : "false"
        case .null, .array, .object: nil
        }
    }

    /// The text of a value in a form without parts.
    static func formText(_ value: JSON, of item: RequestItem) throws(UsageMistake) -> String {
        if let text = formText(value) { return text }
        throw UsageMistake(
            "a form can contain only text, numbers, true and false, not the JSON value of \(quoted(item.name))",
            hint: "omit --form to send JSON; --multipart sends it as a part of type application/json"
        )
    }

    private static func reason(_ error: JSON.ParsingError, in bytes: [UInt8]) -> String {
        // One character is not a secret, but the text around it may be.
        if error.reason == .unexpectedByte, bytes.indices.contains(error.offset) {
            let scalar = String(decoding: bytes[error.offset...].prefix(4), as: UTF8.self).unicodeScalars.first
            return "\(quoted(scalar.map(String.init) ?? "")) is not allowed here"
        }
        let reason = error.reason
        let text = reason.rawValue.ends(with: ".") ? reason.rawValue.dropLast() : reason.rawValue[...]
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    private static func hint(for item: RequestItem, bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        if let quotes = UsageMistake.curlyQuoteHint(for: text) { return quotes }
        if text.has(anyOf: "'") { return "write JSON with double quotes: \(item.name):='[\"text\", 1]'" }
        guard item.kind == .json else { return nil }
        if let word = ["true": "true", "false": "false", "none": "null", "null": "null"][text.lowercased()] {
            return "did you mean \(item.name):=\(word)?"
        }
        return text.begins(with: "{") || text.begins(with: "[")
            ? "write names and text in JSON with double quotes: \(item.name):='{\"name\": [\"text\", 1]}'"
            : "write \(item.name)=text for text; := takes numbers, true, null, [...], {...}"
    }
}
