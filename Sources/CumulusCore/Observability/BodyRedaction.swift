// SPDX-License-Identifier: Apache-2.0

/// Takes secrets out of bodies that are shown: values of forms and JSON whose names say that they are secret.
enum BodyRedaction {
    /// The body with a word in place of each secret; as it is where it has none, or is neither form nor JSON.
    static func redacted(_ body: ByteChunk, of type: MediaType?) -> [UInt8] {
        let bytes = body.bytes
        guard let type else { return bytes }
        if type.essence == MediaType.form.essence {
            let text = String(decoding: bytes, as: UTF8.self)
            return text.contains("=") ? Array(redactedPairs(text).utf8) : bytes
        }
        guard type.isJSON, let json = try? JSON(parsing: bytes) else { return bytes }
        let shown = redacted(json)
        return shown == json ? bytes : shown.encoded()
    }

    /// `name=value` pairs with the values redacted whose names are secret.
    static func redactedPairs(_ text: some StringProtocol) -> String {
        text.split(separator: "&" as Character, omittingEmptySubsequences: false).map { pair in
            guard let equals = pair.firstIndex(of: "=") else { return String(pair) }
            let name = pair[..<equals]
            return Redaction.isSecret(PercentEncoding.decode(name)) ? "\(name)=<redacted>" : String(pair)
        }.joined(separator: "&")
    }

    private static func redacted(_ json: JSON) -> JSON {
        switch json {
        case .object(let object):
            .object(
                JSON.Object(
                    object.map { key, value in (key, Redaction.isSecret(key) ? "<redacted>" : redacted(value)) }
                )
            )
        case .array(let array): .array(array.map(redacted))
        default: json
        }
    }
}

extension RequestURL {
    /// The URL with the values replaced of query items whose names say that they are secret.
    var redactingSecrets: String {
        query.map { "\(origin)\(path)?\(BodyRedaction.redactedPairs($0))" } ?? description
    }
}
