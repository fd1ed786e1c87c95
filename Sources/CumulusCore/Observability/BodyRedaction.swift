// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// Redacts secrets in JSON and form bodies for display: values whose names indicate a secret.
///
/// Other bodies are not parsed, so they are not shown at all.
enum BodyRedaction {
    private static let mark = "<redacted>"

    /// The body with a placeholder for each secret; `nil` if it is longer than the limit, or not valid JSON or a form.
    static func redacted(_ body: ByteChunk, of type: MediaType?, limit: Int) -> [UInt8]? {
        if body.isEmpty { return [] }
        guard body.count <= limit, let type, isUTF8(type) else { return nil }
        if type.isJSON { return redactedJSON(body.bytes) }
        return type.essence == MediaType.form.essence ? redactedForm(body.bytes) : nil
    }

    /// Whether the type declares no charset that a server might read differently.
    private static func isUTF8(_ type: MediaType) -> Bool {
        let charset = type.parameters.first { $0.name == "charset" }
        guard let charset = charset?.value.lowercased() else { return true }
        return charset == "utf-8" || charset == "utf8" || charset == "us-ascii"
    }

    // MARK: JSON

    private static func redactedJSON(_ bytes: [UInt8]) -> [UInt8]? {
        guard let json = try? JSON(parsing: bytes), let shown = redacted(json) else { return nil }
        let encoded = shown.encoded()
        // Without a secret the text is shown as it was written, unless the parser dropped a repeated member.
        return encoded.filter { $0 > 0x20 } == bytes.filter { $0 > 0x20 } ? bytes : encoded
    }

    /// The value without its secrets; `nil` if a name contains one.
    private static func redacted(_ json: JSON) -> JSON? {
        switch json {
        case .string(let text): return .string(EmbeddedText.redacted(text))
        case .array(let elements):
            // Fields are often written as pairs: `["Authorization", "Bearer x"]`.
            if elements.count == 2, let name = elements[0].string, elements[1].string != nil, Redaction.isSecret(name) {
                return .array([elements[0], .string(mark)])
            }
            var shown: [JSON] = []
            for element in elements {
                guard let element = redacted(element) else { return nil }
                shown.append(element)
            }
            return .array(shown)
        case .object(let object): return redacted(object).map(JSON.object)
        case .null, .bool, .number: return json
        }
    }

    private static func redacted(_ object: JSON.Object) -> JSON.Object? {
        // In `{"name":"password","value":"..."}`, one member names the other.
        let isNamed = object.contains { name, value in
            Redaction.namesSibling(name) && Redaction.isSecret(value.string ?? "")
        }
        var shown = object
        for (name, value) in object {
            guard !EmbeddedText.hasSecrets(name.utf8) else { return nil }
            if isNamed && Redaction.isNamedBySibling(name) || Redaction.isSecret(name) && !isCount(value, of: name) {
                shown[name] = .string(mark)
            } else {
                guard let value = redacted(value) else { return nil }
                shown[name] = value
            }
        }
        return shown
    }

    /// Whether a value under a secret name isn't a secret: a Boolean, null, a number of tokens, or a short numeric code.
    private static func isCount(_ value: JSON, of name: String) -> Bool {
        switch value {
        case .null, .bool: return true
        case .number:
            let name = name.lowercased()
            return name.ends(with: "tokens") || name == "code" && value.encoded().count < 4
        case .string, .array, .object: return false
        }
    }

    // MARK: Forms

    /// The form without its secrets; `nil` if it contains a byte that an encoded form doesn't.
    private static func redactedForm(_ bytes: [UInt8]) -> [UInt8]? {
        let pairs = bytes.split(separator: UInt8(ascii: "&"))
        guard bytes.allSatisfy(EmbeddedText.isLinkByte),
            pairs.allSatisfy({ $0.contains(UInt8(ascii: "=")) || !$0.contains(UInt8(ascii: ":")) })
        else { return nil }
        return redactedPairs(bytes, mark: mark)
    }

    /// `name=value` pairs, with the values of secret names redacted.
    ///
    /// Every character that some server treats as a separator begins another pair.
    static func redactedPairs(
        _ text: some StringProtocol,
        mark: String = "<redacted>",
        hiding isHidden: (String) -> Bool = { _ in false }
    ) -> String {
        String(decoding: redactedPairs(Array(text.utf8), mark: mark, hiding: isHidden), as: UTF8.self)
    }

    /// The same by bytes: anything that is not a secret is unchanged, whether it is text or not.
    private static func redactedPairs(
        _ bytes: [UInt8],
        mark: String,
        hiding isHidden: (String) -> Bool = { _ in false }
    ) -> [UInt8] {
        var shown: [UInt8] = []
        var remaining = bytes[...]
        while true {
            let end = remaining.firstIndex(where: EmbeddedText.isPairSeparator) ?? remaining.endIndex
            let pair = remaining[..<end]
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            let hasValue = name.endIndex < pair.endIndex
            if hasValue,
                EmbeddedText.decodings(name).contains(where: { Redaction.isSecret($0) || isHidden($0) })
                    || isHidden(formName(name)) || EmbeddedText.hasSecrets(pair[name.endIndex...].dropFirst())
            {
                shown += Array(name) + [UInt8(ascii: "=")] + Array(mark.utf8)
            } else {
                shown += pair
            }
            remaining = remaining[pair.endIndex...]
            guard let separator = remaining.popFirst() else { return shown }
            shown.append(separator)
        }
    }

    /// A name, decoded as in forms.
    private static func formName(_ bytes: some Sequence<UInt8>) -> String {
        let blanks = bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return String(decoding: PercentEncoding.decodedBytes(of: blanks), as: UTF8.self)
    }
}

extension RequestURL {
    /// The URL with redacted query values whose names indicate a secret, or that must be hidden.
    func redactingSecrets(hiding isHidden: (String) -> Bool = { _ in false }) -> String {
        let place = SecretRedaction.target("\(origin)\(path)")
        return query.map { "\(place)?\(BodyRedaction.redactedPairs($0, hiding: isHidden))" } ?? place
    }
}
