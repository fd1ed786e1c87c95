// SPDX-License-Identifier: Apache-2.0

/// A form whose fields can be files: `multipart/form-data` (RFC 7578).
///
///     let form: MultipartForm = ["title": "Clouds", "photo": .file("/tmp/cloud.png"), "tags": .json(["sky"])]
///     try await site["photos"].post(.multipart(form)).requireSuccess()
///
/// Fields keep their order, and names may repeat. Names and file names are encoded as in browsers: in UTF-8, with `"`
/// as `%22`, CR as `%0D` and LF as `%0A`.
public struct MultipartForm: Sendable {
    /// A field.
    struct Field: Sendable {
        let name: String
        let part: MultipartPart
    }

    private(set) var fields: [Field] = []
    /// The boundary between the fields; `nil` generates an unpredictable one for each request.
    ///
    /// Your own boundary must not occur in any part's content.
    public var boundary: String?

    /// Creates a form without fields.
    public init() {}

    /// Adds a field.
    public mutating func append(_ part: MultipartPart, name: String) { fields.append(Field(name: name, part: part)) }

    /// The number of fields.
    public var count: Int { fields.count }
}

extension MultipartForm: ExpressibleByDictionaryLiteral {
    /// Creates a form with the literal's fields in order; names may repeat.
    public init(dictionaryLiteral fields: (String, MultipartPart)...) {
        for (name, part) in fields { append(part, name: name) }
    }
}
