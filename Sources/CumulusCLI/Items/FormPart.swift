// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// A field of a multipart form.
struct FormPart: Equatable, Sendable {
    /// The field's content.
    enum Content: Equatable, Sendable {
        case text(String)
        case typed(String, MediaType)
        case file(UploadItem)
        /// Standard input, read whole.
        case input([UInt8], UploadItem)
    }

    let name: String
    let content: Content
}

extension FormPart {
    /// A field with the text of an item, which may end with a media type, as in curl: `meta={"a":1};type=application/json`.
    init(_ name: String, _ text: String) {
        self.name = name
        let rest = text.utf8
        var end = rest.endIndex
        // A type may have its own parameters.
        while let semicolon = rest[..<end].lastIndex(of: UInt8(ascii: ";")) {
            let parameter = rest[semicolon...].dropFirst()
            if parameter.starts(with: "type=".utf8), let type = MediaType(parameter.dropFirst(5).text) {
                content = .typed(String(text[..<semicolon]), type)
                return
            }
            end = semicolon
        }
        content = .text(text)
    }

    /// A field with a value: a text, or JSON.
    init(_ name: String, _ value: JSON) {
        self.name = name
        if let text = JSONItem.formText(value) {
            content = .text(text)
        } else {
            content = .typed(String(decoding: value.encoded(), as: UTF8.self), .json)
        }
    }
}
