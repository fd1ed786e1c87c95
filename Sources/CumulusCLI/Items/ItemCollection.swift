// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes

/// The combined items of a command line: header fields, query items, data.
struct ItemCollection {
    /// The form of data items.
    enum DataForm {
        case json
        /// A form whose fields become parts only if there are files.
        case form
        /// A form of parts.
        case parts
    }

    /// The header fields; `nil` values mask inherited ones.
    private(set) var headers = Headers()
    /// The headers that any item sets or masks.
    private(set) var headerNames: Set<Headers.Name> = []
    /// The query's names and values, in order.
    private(set) var query: [NamedText] = []
    /// The form's names and values, in order; files are in `parts` only.
    private(set) var form: [NamedText] = []
    /// The form's fields as parts, in order.
    private(set) var parts: [FormPart] = []
    /// Whether any field is a file.
    private(set) var hasFiles = false
    /// The JSON body; `nil` if no item has data.
    private(set) var json: JSON?
    /// Whether any item has data.
    var hasData: Bool { firstData != nil }
    /// The name of the first data item, for a message.
    private(set) var firstData: RequestItem?

    /// A name and its value.
    struct NamedText: Equatable, Sendable {
        let name: String
        let value: String
    }

    /// Collects items in order, including the content of their files.
    init(_ items: [RequestItem], as dataForm: DataForm, readFile: FileReader) throws(UsageMistake) {
        var nested = NestedJSON()
        for item in items {
            if item.kind.isData { firstData = firstData ?? item }
            switch item.kind {
            case .header:
                try ItemCollection.refuseHeader(item.name)
                // As curl and browsers write it: `Accept: text/html`.
                let value = String(item.value.trimmed)
                addHeader(item.name, value.isEmpty ? nil : value)
            case .emptyHeader:
                try ItemCollection.refuseHeader(item.name)
                addHeader(item.name, "")
            case .headerFromFile:
                try ItemCollection.refuseHeader(item.name)
                addHeader(item.name, ItemCollection.oneLine(try readFile.text(item)))
            case .query: query.append(NamedText(name: item.name, value: item.value))
            case .queryFromFile:
                query.append(NamedText(name: item.name, value: ItemCollection.oneLine(try readFile.text(item))))
            case .text, .textFromFile:
                let text = item.kind == .text ? item.value : try readFile.text(item)
                switch dataForm {
                case .json: try nested.put(.string(text), at: item.name)
                case .form: addField(item.name, text)
                // A file's text is sent as it is.
                case .parts:
                    let isLiteral = item.kind == .text
                    parts.append(
                        isLiteral ? FormPart(item.name, text) : FormPart(name: item.name, content: .text(text))
                    )
                }
            case .json, .jsonFromFile:
                let value = try JSONItem.value(of: item, readFile: readFile)
                switch dataForm {
                case .json: try nested.put(value, at: item.name)
                case .form: addField(item.name, try JSONItem.formText(value, of: item))
                case .parts: parts.append(FormPart(item.name, value))
                }
            case .upload:
                guard dataForm != .json else {
                    throw UsageMistake(
                        "an item NAME@FILE sends a file, which JSON can't contain",
                        hint: "-f sends a form with files; NAME=@FILE sends a file's text as a value"
                    )
                }
                parts.append(FormPart(name: item.name, content: try ItemCollection.content(of: item, readFile)))
                hasFiles = true
            }
        }
        json = nested.value
        // No server may see it, and a proxy receives the credentials of its own options only.
        if headers[Headers.Name("Proxy-Authorization")] != nil {
            throw UsageMistake(
                "the item 'Proxy-Authorization:' is never sent",
                hint: "--proxy-user USER:PASS authorizes requests to the proxy"
            )
        }
    }

    private static func content(
        of item: RequestItem,
        _ readFile: FileReader
    ) throws(UsageMistake) -> FormPart.Content {
        var file = try UploadItem(parsing: item)
        if file.path == "-" {
            return .input(try readFile.contents(RequestItem(kind: .upload, name: item.name, value: "-")), file)
        }
        file.path = readFile.expanded(file.path)
        return .file(file)
    }

    /// Refuses the name of a header that contains a character that none may contain.
    private static func refuseHeader(_ name: String) throws(UsageMistake) {
        guard let wrong = name.unicodeScalars.first(where: { HTTPField.Name(String($0)) == nil }) else { return }
        throw UsageMistake(
            "the header name \(quoted(name)) contains \(wrong == " " ? "a space" : quoted(String(wrong)))",
            hint: "Name:text is a header, name=text is data, and \\: is a literal colon"
        )
    }

    private mutating func addField(_ name: String, _ text: String) {
        form.append(NamedText(name: name, value: text))
        parts.append(FormPart(name: name, content: .text(text)))
    }

    private mutating func addHeader(_ name: String, _ value: String?) {
        let name = Headers.Name(name)
        headerNames.insert(name)
        if let value { headers.add(value, for: name) } else { headers[name] = nil }
    }

    /// A file's text without the line ends that editors add.
    private static func oneLine(_ text: String) -> String {
        var text = text.utf8[...]
        while text.last == UInt8(ascii: "\n") || text.last == UInt8(ascii: "\r") { text = text.dropLast() }
        return text.text
    }
}
