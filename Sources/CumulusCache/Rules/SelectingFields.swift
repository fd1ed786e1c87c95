// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

/// The request's fields on which a response depends (`Vary`; RFC 9111 section 4.1).
public struct SelectingFields: Sendable, Hashable {
    /// One field of the request.
    public struct Field: Sendable {
        /// The name, in lower case.
        public let name: String
        /// A digest of the field's values, as text, since they may identify a user or be a secret; `nil` if the request
        /// had no field with this name.
        public let digest: String?
        /// The values, normalized; `nil` if they are long, or if only the digest was stored.
        let value: String?

        /// Creates a field from stored data.
        public init(name: String, digest: String?) {
            self.name = name
            self.digest = digest
            value = nil
        }

        /// Creates a field from normalized values.
        init(name: String, value: String?) {
            self.name = name
            self.value = value.flatMap { $0.utf8.count <= Field.longestValue ? $0 : nil }
            digest = value.map { Field.digest(of: $0, in: name) }
        }

        /// The maximum length of a value that is stored in addition to its digest, since comparing it is faster; in
        /// bytes.
        private static let longestValue = 256

        /// Whether it has these normalized values.
        func matches(_ other: String?) -> Bool {
            guard let other, let digest else { return other == nil && digest == nil }
            return value.map { $0 == other } ?? (digest == Field.digest(of: other, in: name))
        }

        private static func digest(of value: String, in name: String) -> String {
            MessageDigest.hexadecimal(MessageDigest.sha256(of: Array("\(name): \(value)".utf8)))
        }
    }

    /// The fields, in the order of `Vary`.
    public let fields: [Field]

    /// Creates a list of fields from stored data.
    public init(_ fields: [Field]) { self.fields = fields }

    /// The fields on which a response to this request depends; `nil` if it depends on everything (`Vary: *`).
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
                // An invalid name can't be compared, so it is treated as `*`.
                guard name != "*", HTTPField.Name(name) != nil else { return nil }
                guard !found.contains(where: { $0.name == name }) else { continue }
                // Servers don't list so many names, and comparing them would take long.
                guard found.count < SelectingFields.mostNames else { return nil }
                found.append(Field(name: name, value: SelectingFields.normalized(name, in: request)))
            }
        }
        fields = found
    }

    /// Whether a request has the same fields.
    func match(_ request: HTTPFields) -> Bool {
        fields.allSatisfy { $0.matches(SelectingFields.normalized($0.name, in: request)) }
    }

    /// A field's lines as one.
    ///
    /// Blanks around the members of a list are unified; the order of the members is kept.
    private static func normalized(_ name: String, in request: HTTPFields) -> String? {
        guard let name = HTTPField.Name(name) else { return nil }
        let lines = request[values: name]
        guard !lines.isEmpty else { return nil }
        // These fields are not lists, or their case matters.
        if whole.contains(name.canonicalName) { return lines.map { String($0.trimmed) }.joined(separator: ", ") }
        let members = lines.flatMap(members(of:))
        let text = members.joined(separator: ", ")
        return caseless.contains(name.canonicalName) ? text.lowercased() : text
    }

    /// The members of a list; a comma within quotes doesn't separate members.
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

    /// The maximum number of names in a `Vary`; with more, it is treated as `*`.
    static let mostNames = 64
    private static let whole: Set<String> = [
        "authorization", "cookie", "from", "host", "origin", "referer", "user-agent",
    ]
    private static let caseless: Set<String> = ["accept-charset", "accept-encoding", "accept-language"]
}

extension SelectingFields.Field: Hashable {
    /// Whether names and values are the same, compared by their digests.
    public static func == (one: Self, other: Self) -> Bool { one.name == other.name && one.digest == other.digest }

    /// Hashes the name and the digest.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(digest)
    }
}
