// SPDX-License-Identifier: Apache-2.0

/// Redacts secrets in bodies for display: values of forms and JSON whose names indicate a secret.
enum BodyRedaction {
    /// The body with a placeholder for each secret; unchanged if it has none, or is neither a form nor JSON.
    ///
    /// A body labelled as text, or without a type, is judged by its content: a wrong media type reveals no secret.
    static func redacted(_ body: ByteChunk, of type: MediaType?) -> [UInt8] {
        let bytes = body.bytes
        if type?.essence == MediaType.form.essence { return redactedForm(bytes) }
        if type?.isJSON ?? false { return JSONRedaction.redacted(bytes) }
        if let type, type.type == "multipart", let boundary = type["boundary"], !boundary.isEmpty {
            return MultipartRedaction.redacted(bytes, boundary: boundary)
        }
        guard type == nil || type?.type == "text" || type?.essence == MediaType.bytes.essence else { return bytes }
        let first = bytes.first { $0 > 0x20 }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return JSONRedaction.redacted(bytes) }
        return bytes.contains { $0 <= 0x20 } ? bytes : redactedForm(bytes)
    }

    private static func redactedForm(_ bytes: [UInt8]) -> [UInt8] {
        bytes.contains(UInt8(ascii: "=")) ? redactedPairs(bytes, mark: "<redacted>") : bytes
    }

    /// `name=value` pairs, with the values of secret names redacted.
    ///
    /// Every character that some server treats as a separator begins another pair.
    static func redactedPairs(
        _ text: some StringProtocol,
        mark: String = "<redacted>",
        hiding isHidden: (String) -> Bool = { _ in false }
    ) -> String {
        String(decoding: redactedPairs(text.utf8, mark: mark, hiding: isHidden), as: UTF8.self)
    }

    /// The same by bytes: anything that is not a secret is unchanged, whether it is text or not.
    private static func redactedPairs(
        _ bytes: some Collection<UInt8>,
        mark: String,
        hiding isHidden: (String) -> Bool = { _ in false }
    ) -> [UInt8] {
        var shown: [UInt8] = []
        var rest = bytes[...]
        while true {
            let pair = rest.prefix { !isSeparator($0) }
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            let hasValue = name.endIndex < pair.endIndex
            let text = String(decoding: name, as: UTF8.self)
            if hasValue, isSecret(text) || isHidden(PercentEncoding.decode(text)) || isHidden(formName(name)) {
                shown += Array(name) + [UInt8(ascii: "=")] + Array(mark.utf8)
            } else {
                shown += pair
            }
            rest = rest[pair.endIndex...]
            guard let separator = rest.popFirst() else { return shown }
            shown.append(separator)
        }
    }

    /// A name, decoded as in forms.
    private static func formName(_ bytes: some Sequence<UInt8>) -> String {
        let blanks = bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return String(decoding: PercentEncoding.decodedBytes(of: blanks), as: UTF8.self)
    }

    private static func isSecret(_ name: String) -> Bool { Redaction.isSecret(PercentEncoding.decode(name)) }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "&") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }
}

extension RequestURL {
    /// The URL with redacted query values whose names indicate a secret, or that must be hidden.
    func redactingSecrets(hiding isHidden: (String) -> Bool = { _ in false }) -> String {
        query.map { "\(origin)\(path)?\(BodyRedaction.redactedPairs($0, hiding: isHidden))" } ?? description
    }
}
