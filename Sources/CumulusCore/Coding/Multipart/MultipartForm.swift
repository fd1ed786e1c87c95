// SPDX-License-Identifier: Apache-2.0

/// A form whose fields can be files: `multipart/form-data` (RFC 7578).
///
///     let form: MultipartForm = ["title": "Clouds", "photo": .file("/tmp/cloud.png"), "tags": .json(["sky"])]
///     try await site["photos"].post(.multipart(form)).requireSuccess()
///
/// Fields keep their order, and names may come more than once. Names and file names are sent as the browsers do: UTF-8
/// as it is, with `"` as `%22`, CR as `%0D` and LF as `%0A`.
public struct MultipartForm: Sendable {
    /// A field.
    struct Field: Sendable {
        let name: String
        let part: MultipartPart
    }

    private(set) var fields: [Field] = []
    /// What parts the fields; `nil` makes one up for each request, which nobody can foresee.
    ///
    /// Your own boundary must not come in any part's content.
    public var boundary: String?

    /// Makes a form without fields.
    public init() {}

    /// Adds a field.
    public mutating func append(_ part: MultipartPart, name: String) { fields.append(Field(name: name, part: part)) }

    /// How many fields there are.
    public var count: Int { fields.count }
}

extension MultipartForm: ExpressibleByDictionaryLiteral {
    /// Makes a form of fields in the order of the literal; a name may come again.
    public init(dictionaryLiteral fields: (String, MultipartPart)...) {
        for (name, part) in fields { append(part, name: name) }
    }
}
