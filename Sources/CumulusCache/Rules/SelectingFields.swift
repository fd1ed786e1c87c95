// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

/// The request's fields that a response depends on (`Vary`; RFC 9111 section 4.1).
public struct SelectingFields: Sendable, Hashable {
    /// One field of the request; `value` is `nil` if the request had none of this name.
    public struct Field: Sendable, Hashable {
        /// The name, in lower case.
        public let name: String
        /// Its values, normalized.
        public let value: String?

        /// Makes a field.
        public init(name: String, value: String?) {
            self.name = name
            self.value = value
        }
    }

    /// The fields, in the order of `Vary`.
    public let fields: [Field]

    /// Makes a list of fields, as it was stored.
    public init(_ fields: [Field]) { self.fields = fields }

    /// What a response to this request depends on; `nil` if it depends on everything (`Vary: *`).
    init?(vary response: HTTPFields, request: HTTPFields) {
        guard response.contains(.vary) else {
            fields = []
            return
        }
        var found: [Field] = []
        for line in response[values: .vary] {
            for part in line.parts(at: ",") {
                let name = part.trimmed.lowercased()
                guard !name.isEmpty else { continue }
                // What is no name can't be compared, so it is taken for everything.
                guard name != "*", HTTPField.Name(name) != nil else { return nil }
                guard !found.contains(where: { $0.name == name }) else { continue }
                // Nobody varies by so many, and comparing them would take long.
                guard found.count < SelectingFields.mostNames else { return nil }
                found.append(Field(name: name, value: SelectingFields.normalized(name, in: request)))
            }
        }
        fields = found
    }

    /// Whether a request has the same fields.
    func match(_ request: HTTPFields) -> Bool {
        fields.allSatisfy { $0.value == SelectingFields.normalized($0.name, in: request) }
    }

    /// A field's lines as one; the blanks around the members of a list are made the same, their order is kept.
    private static func normalized(_ name: String, in request: HTTPFields) -> String? {
        guard let name = HTTPField.Name(name) else { return nil }
        let lines = request[values: name]
        guard !lines.isEmpty else { return nil }
        // These are no lists, or their case means something.
        if whole.contains(name.canonicalName) { return lines.map { String($0.trimmed) }.joined(separator: ", ") }
        let members = lines.flatMap(members(of:))
        let text = members.joined(separator: ", ")
        return caseless.contains(name.canonicalName) ? text.lowercased() : text
    }

    /// The members of a list; a comma within quotes doesn't divide.
    static func members(of line: String) -> [Substring] {
        guard line.has("\"") else { return line.parts(at: ",").map(\.trimmed).filter { !$0.isEmpty } }
        var (members, start, isQuoted, isEscaped) = ([Substring](), line.startIndex, false, false)
        for index in line.utf8.indices {
            let byte = line.utf8[index]
            defer { isEscaped = isQuoted && !isEscaped && byte == UInt8(ascii: "\\") }
            if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
            guard byte == UInt8(ascii: ","), !isQuoted else { continue }
            members.append(line[start..<index].trimmed)
            start = line.utf8.index(after: index)
        }
        members.append(line[start...].trimmed)
        return members.filter { !$0.isEmpty }
    }

    /// How many names a `Vary` may have; with more, it counts as `*`.
    static let mostNames = 64
    private static let whole: Set<String> = [
        "authorization", "cookie", "from", "host", "origin", "referer", "user-agent",
    ]
    private static let caseless: Set<String> = ["accept-charset", "accept-encoding", "accept-language"]
}
