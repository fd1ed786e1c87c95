// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes

/// A value of a HAR file, with its JSON path.
struct HARValue {
    let json: JSON
    let path: String
    let file: String

    func problem(_ reason: String) -> RecordingProblem { RecordingProblem(.malformed, file, at: path, reason) }

    /// A member; `nil` if it is missing or null.
    func member(_ name: String) throws(RecordingProblem) -> HARValue? {
        guard let object = json.object else { throw problem("expected an object, found \(kind)") }
        guard let value = object[name], !value.isNull else { return nil }
        return HARValue(json: value, path: "\(path).\(name)", file: file)
    }

    func required(_ name: String) throws(RecordingProblem) -> HARValue {
        guard let value = try member(name) else { throw problem("the member \"\(name)\" is missing") }
        return value
    }

    func elements() throws(RecordingProblem) -> [HARValue] {
        guard let elements = json.array else { throw problem("expected an array, found \(kind)") }
        return elements.enumerated().map { HARValue(json: $1, path: "\(path)[\($0)]", file: file) }
    }

    /// The text of a string, or of a number or boolean that should have been one.
    func text() throws(RecordingProblem) -> String {
        switch json {
        case .string(let text): return text
        case .number(let number): return number.text
        case .bool(let value): return "\(value)"
        default: throw problem("expected a string, found \(kind)")
        }
    }

    /// A whole number, also as a string or with a fraction of zero.
    func integer() throws(RecordingProblem) -> Int {
        let value = json.int ?? json.double.flatMap { Int(exactly: $0) } ?? json.string.flatMap { Int($0) }
        guard let value else { throw problem("expected a whole number, found \(kind)") }
        return value
    }

    private var kind: String {
        switch json {
        case .null: "null"
        case .bool: "a boolean"
        case .number(let number): "the number \(number.text)"
        case .string(let text): "the string \(PeerText.quoted(text))"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension HARValue {
    /// The header fields of a request or response, without pseudo-fields and others that are not fields.
    func fields(_ name: String) throws(RecordingProblem) -> HTTPFields {
        var fields = HTTPFields()
        guard let list = try member(name) else { return fields }
        for element in try list.elements() {
            let name = try element.required("name").text()
            let value = try element.member("value")?.text() ?? ""
            guard let name = HTTPField.Name(name) else { continue }
            // Some browsers join fields of the same name with line breaks, as for cookies.
            for part in value.parts(at: "\n") {
                fields.append(HTTPField(name: name, value: String(part.trimmedOfLines)))
            }
        }
        return fields
    }
}
