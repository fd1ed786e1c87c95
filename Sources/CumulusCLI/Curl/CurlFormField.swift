// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// The value of `-F`: `name=text` or `name=@FILE`, possibly in double quotes.
struct CurlFormField {
    let item: RequestItem

    /// Reads a field.
    ///
    /// - Throws: ``UsageMistake`` for a field that isn't supported.
    init(_ name: String, _ content: String) throws(UsageMistake) {
        let content = content.trimmedOfLines
        if content.begins(with: "<") || content.begins(with: "(") {
            throw UsageMistake(
                "cumulus curl does not support the form field \(quoted(name))",
                hint: "-F name=@FILE sends a file; --form-string name=text sends text unchanged"
            )
        }
        if content.begins(with: "@") {
            let (path, options) = try CurlFormField.word(
                content.utf8.dropFirst().text.trimmedOfLines,
                of: name
            )
            if path.isEmpty || path == "-" || path.has(anyOf: ";", ",") || options.has(anyOf: ",", "\"") {
                throw UsageMistake(
                    "cumulus curl can't send the file in the form field \(quoted(name))",
                    hint: "-F name=@FILE sends one file, whose name can't contain a comma or semicolon"
                )
            }
            var value = path
            for option in options.parts(at: ";", omitsEmpty: true) {
                guard option.begins(with: "type=") || option.begins(with: "filename=") else {
                    throw CurlFormField.hasOptions(name)
                }
                value += ";\(option)"
            }
            item = RequestItem(kind: .upload, name: name, value: value)
        } else {
            let (text, options) = try CurlFormField.word(content, of: name)
            if !options.isEmpty { throw CurlFormField.hasOptions(name) }
            item = RequestItem(kind: .text, name: name, value: text)
        }
    }

    /// The word at the beginning, without its quotes, and the options after it.
    private static func word(
        _ text: Substring,
        of name: String
    ) throws(UsageMistake) -> (word: String, options: String) {
        guard text.begins(with: "\"") else {
            let word = text.before(";")
            return (String(word.trimmedOfLines), text.utf8.dropFirst(word.utf8.count).text)
        }
        var word: [UInt8] = []
        var rest = text.utf8.dropFirst()
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") {
                let options = String(rest.text.trimmedOfLines)
                if !options.isEmpty, !options.begins(with: ";") { throw hasOptions(name) }
                return (String(decoding: word, as: UTF8.self), options)
            }
            if byte == UInt8(ascii: "\\"), let next = rest.first,
                next == UInt8(ascii: "\"") || next == UInt8(ascii: "\\")
            {
                rest = rest.dropFirst()
                word.append(next)
            } else {
                word.append(byte)
            }
        }
        throw UsageMistake("the form field \(quoted(name)) has an unclosed quote")
    }

    private static func hasOptions(_ name: String) -> UsageMistake {
        UsageMistake(
            "cumulus curl does not support the options of the form field \(quoted(name))",
            hint: "--form-string 'name=text' sends text with a semicolon"
        )
    }
}
