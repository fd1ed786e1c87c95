// SPDX-License-Identifier: Apache-2.0

/// How numbers, booleans and arrays are converted from texts, the only values of a form.
package enum JSONTexts {
    /// A text instead of an array is its only element.
    case single
    /// A text instead of an array has its elements, separated by commas.
    case commas
}

extension JSON {
    /// Decodes a type from a value whose numbers and booleans are written as texts.
    package func decode<T: Decodable>(
        as type: T.Type,
        texts: JSONTexts,
        _ strategies: DecodingStrategies
    ) throws -> T {
        let session = JSONDecodingSession(strategies, texts: texts)
        return try JSONValueDecoder(self, key: .none, parent: nil, session: session).unwrap(self, as: T.self, at: .none)
    }
}

extension JSONDecodingSession {
    @inline(never)
    func bool(ofText value: JSON) -> Bool? {
        guard texts != nil, case .string(let text) = value else { return nil }
        return switch text.lowercased() {
        case "true", "1", "yes", "on": true
        case "false", "0", "no", "off": false
        default: nil
        }
    }

    @inline(never)
    func number(ofText value: JSON) -> JSON.Number? {
        guard texts != nil, case .string(let text) = value, text.utf8.count <= 64 else { return nil }
        return (try? JSON(parsing: text))?.number
    }

    @inline(never)
    func array(ofText value: JSON) -> [JSON]? {
        guard let texts, case .string(let text) = value else { return nil }
        guard texts == .commas else { return [value] }
        return text.isEmpty
            ? []
            : text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
                .map { .string(String(decoding: $0, as: UTF8.self)) }
    }
}
