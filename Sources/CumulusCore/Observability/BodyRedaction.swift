// SPDX-License-Identifier: Apache-2.0

/// Takes secrets out of bodies that are shown: values of forms and JSON whose names say that they are secret.
enum BodyRedaction {
    /// The body with a word in place of each secret; as it is if it has none, or is neither form nor JSON.
    ///
    /// A body that is only called text, or nothing, is judged by how it looks: a wrong name gives no secret away.
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

    /// `name=value` pairs with the values redacted whose names are secret.
    ///
    /// Whatever some server takes for the start of another pair begins one.
    static func redactedPairs(
        _ text: some StringProtocol,
        mark: String = "<redacted>",
        hiding isHidden: (String) -> Bool = { _ in false }
    ) -> String {
        String(decoding: redactedPairs(text.utf8, mark: mark, hiding: isHidden), as: UTF8.self)
    }

    /// The same by bytes: what is not a secret stays as it is, whether it is text or not.
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

    /// A name as forms write it.
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
    /// The URL with the values replaced of query items whose names say that they are secret, or are to be hidden.
    func redactingSecrets(hiding isHidden: (String) -> Bool = { _ in false }) -> String {
        query.map { "\(origin)\(path)?\(BodyRedaction.redactedPairs($0, hiding: isHidden))" } ?? description
    }
}
