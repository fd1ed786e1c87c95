// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

extension Payload {
    /// Creates a payload with a form whose fields can be files, `multipart/form-data`, which is streamed to the server.
    ///
    /// Files are never read whole into memory. `Content-Length` is sent if the lengths of all parts are known. The body
    /// can be sent again if all its parts can. If a part can't be sent, the call fails with
    /// ``CumulusError/Code/encoding``. If sending a part fails, the call fails with ``CumulusError/Code/requestBody``.
    /// The cause is a ``MultipartProblem``.
    public static func multipart(_ form: MultipartForm) -> Payload {
        Payload { coders, asked in
            var names: [String] = []
            for (index, field) in form.fields.enumerated() {
                names.append(try disposition(field.name, field.part.fileName, index))
            }
            return try MultipartEncoding(
                parts: form.fields.map(\.part),
                dispositions: names,
                type: asked ?? MediaType("multipart", "form-data"),
                boundary: form.boundary,
                coders: coders
            ).encoded()
        }
    }

    /// Creates a payload with parts of any other multipart type: `multipart/mixed`, `multipart/related`, ...
    ///
    /// A part has a `Content-Disposition` only if its own headers contain one. For `multipart/related`, add the first
    /// part's media type to `type` as the parameter `type` (RFC 2387 section 3.1).
    ///
    /// - Parameters:
    ///   - parts: The parts.
    ///   - type: The media type; the boundary is added to its parameters.
    ///   - boundary: The delimiter between the parts; `nil` generates an unpredictable one.
    /// - Returns: The payload.
    public static func multipart(
        _ parts: [MultipartPart],
        type: MediaType,
        boundary: String? = nil
    ) -> Payload {
        Payload { coders, asked in
            try MultipartEncoding(
                parts: parts,
                dispositions: nil,
                type: asked ?? type,
                boundary: boundary,
                coders: coders
            ).encoded()
        }
    }

    init(
        _ make: @escaping @Sendable (CoderRegistry, MediaType?) throws -> (body: RequestBody, type: MediaType)
    ) { self.init(content: .typed(make)) }

    /// A field's `Content-Disposition` (RFC 7578 section 4.2), escaped as in WHATWG's encoding algorithm.
    private static func disposition(
        _ name: String,
        _ fileName: String?,
        _ index: Int
    ) throws(MultipartProblem) -> String {
        for text in [name, fileName ?? ""] where text.unicodeScalars.contains(where: isUnsendable) {
            throw MultipartProblem(
                .header,
                part: index,
                "the name \(PeerText.quoted(text)) contains a control character"
            )
        }
        let file = fileName.map { "; filename=\"\(escaped($0))\"" } ?? ""
        return "form-data; name=\"\(escaped(name))\"\(file)"
    }

    private static func escaped(_ name: String) -> String {
        name.unicodeScalars.map { scalar in
            switch scalar {
            case "\"": "%22"
            case "\r": "%0D"
            case "\n": "%0A"
            default: String(scalar)
            }
        }.joined()
    }

    /// Whether a character is a control character, except for the tab and those that are escaped.
    private static func isUnsendable(_ scalar: Unicode.Scalar) -> Bool {
        (scalar.value < 0x20 || scalar.value == 0x7F) && scalar != "\r" && scalar != "\n" && scalar != "\t"
    }
}
