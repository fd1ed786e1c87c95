// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

extension CoderRegistry {
    /// A value's bytes with their media type.
    struct Encoded {
        let bytes: ByteChunk
        /// The media type if neither a header nor a setting gives one.
        let type: MediaType
        /// The media type that takes the place of a setting's: the value's own, such as an image's, or that of the
        /// coder that the path's extension has chosen.
        let own: MediaType?
    }

    /// Encodes a value.
    ///
    /// Its coder is that of the media type that the payload names, of the value's type, of the path's extension, or of
    /// the usual `Content-Type`, in this order. A `Content-Type` of the call itself comes before the extension: what is
    /// said for one request is never contradicted by what its path looks like.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - named: The media type that the payload names.
    ///   - declared: The media type that is declared for this request.
    ///   - usual: The media type of a setting.
    ///   - target: Path and query of the request.
    ///   - given: The payload's own coder.
    /// - Returns: The bytes and their media types.
    /// - Throws: ``EncodingProblem``.
    func encode(
        _ value: any Encodable & Sendable,
        named: MediaType?,
        declared: MediaType?,
        usual: MediaType? = nil,
        target: String,
        using given: (any BodyCoder)? = nil
    ) throws -> Encoded {
        let own = (value as? EncodedImage)?.mediaType
        var said = named ?? own ?? declared ?? usual
        do {
            let choice =
                try given.map { Choice(coder: $0) }
                ?? encoder(of: value, named: named, declared: declared, usual: usual, target: target)
            if choice.overrulesSetting { said = own }
            let type = said ?? choice.coder.mediaType
            let bytes = try choice.coder.encode(value, as: said)
            return Encoded(bytes: bytes, type: type, own: choice.overrulesSetting ? type : own)
        } catch {
            throw EncodingProblem(error, type: Swift.type(of: value), mediaType: said)
        }
    }

    /// Encodes a value as the content of a response, for a transport that makes responses itself.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - type: The media type that the response declares; `nil` if it declares none.
    ///   - accepted: The media type that the request prefers; it is used if no coder is registered for the value's
    ///     type.
    ///   - target: The path and query of the request, whose extension is used last.
    /// - Returns: The bytes, and their media type.
    /// - Throws: ``EncodingProblem``.
    public func encode(
        _ value: any Encodable & Sendable,
        as type: MediaType?,
        accepted: MediaType?,
        for target: String
    ) throws -> (bytes: ByteChunk, type: MediaType) {
        let encoded = try encode(value, named: type, declared: accepted, target: target)
        return (encoded.bytes, encoded.type)
    }

    /// Encodes a text, in the charset that its type names.
    func encode(text value: String, as type: MediaType?) throws -> ByteChunk {
        do {
            return try text.encode(value, as: type)
        } catch {
            throw EncodingProblem(error, type: String.self, mediaType: type)
        }
    }

    private struct Choice {
        let coder: any BodyCoder
        /// Whether the path's extension asks for another format than the setting.
        var overrulesSetting = false
    }

    private func encoder(
        of value: any Encodable & Sendable,
        named: MediaType?,
        declared: MediaType?,
        usual: MediaType?,
        target: String
    ) throws -> Choice {
        let type = Swift.type(of: value) as any Any.Type
        // A payload that names its type uses that type's coder, even for text and bytes.
        if let named, let coder = coder(for: named, serving: type) { return Choice(coder: coder) }
        if let coder = coder(in: .type(ObjectIdentifier(type))) {
            // A body declared as JSON must be JSON, so a text becomes a JSON string.
            guard value is String, named == nil, let said = declared ?? usual, said.isJSON else {
                return Choice(coder: coder)
            }
            return Choice(coder: self.coder(for: said, serving: type) ?? coder)
        }
        if named == nil, type is any NeedsCoder.Type, let problem = MissingCoder.problem(for: type, labeled: nil) {
            throw problem
        }
        if let said = named ?? declared { return Choice(coder: try requiredCoder(for: said, serving: type)) }
        let byPath = BodyLabel.fileExtension(of: target).flatMap { coder(forExtension: $0, serving: type) }
        guard let usual else { return Choice(coder: byPath ?? fallback) }
        guard let byPath else { return Choice(coder: try requiredCoder(for: usual, serving: type)) }
        // A setting of the same format says more about it: `application/vnd.acme+json` for `a.json`.
        if let same = coder(for: usual, serving: type), same.mediaType.essence == byPath.mediaType.essence {
            return Choice(coder: same)
        }
        return Choice(coder: byPath, overrulesSetting: true)
    }

    private func requiredCoder(for said: MediaType, serving type: any Any.Type) throws -> any BodyCoder {
        guard let coder = coder(for: said, serving: type) else {
            throw MissingCoder.problem(for: said, type: type)
        }
        return coder
    }

    /// Decodes the value of a body.
    func decode<Value: Decodable>(
        _ type: Value.Type,
        from bytes: ByteChunk,
        labeled label: BodyLabel,
        using named: (any BodyCoder)? = nil
    ) throws -> Value {
        do {
            guard let optional = type as? any AnyOptional.Type else {
                return try (named ?? decoder(of: type, from: bytes, label))
                    .decode(type, from: bytes, of: label.mediaType)
            }
            // For an empty body, an optional is `nil`.
            if bytes.isEmpty { return try JSON.null.decode(as: type) }
            let wrapped = optional.wrappedType
            let chosen = try named ?? decoder(of: wrapped, from: bytes, label)
            // Some servers send a space or a line end in place of no body, and neither is JSON.
            if chosen.mediaType.isJSON, bytes.isBlank { return try JSON.null.decode(as: type) }
            if named == nil, let coder = coder(in: .type(ObjectIdentifier(wrapped))) {
                func value(of wrapped: (some Decodable).Type) throws -> Any {
                    try coder.decode(wrapped, from: bytes, of: label.mediaType)
                }
                guard let wrapped = wrapped as? any Decodable.Type, let value = try value(of: wrapped) as? Value else {
                    throw CodingProblem("\(type) can't be made from \(wrapped)")
                }
                return value
            }
            return try chosen.decode(type, from: bytes, of: label.mediaType)
        } catch {
            throw DecodingProblem(error, type: type, bytes: bytes, mediaType: label.mediaType)
        }
    }

    /// Decodes a part of a JSON body, with the coder that would decode the whole body.
    func decode<Value: Decodable>(
        _ type: Value.Type,
        from part: JSON,
        of bytes: ByteChunk,
        labeled label: BodyLabel
    ) throws -> Value {
        let coder: any BodyCoder
        do {
            coder = try decoder(of: type, from: bytes, label)
        } catch {
            throw DecodingProblem(error, type: type, bytes: bytes, mediaType: label.mediaType)
        }
        if let coder = coder as? JSONCoder {
            do {
                return try part.decode(as: type, strategies: coder.decoding)
            } catch {
                throw DecodingProblem(error, type: type, bytes: bytes, mediaType: label.mediaType)
            }
        }
        return try decode(type, from: ByteChunk(part.encoded()), labeled: label, using: coder)
    }

    /// Whether a type's own coder finds the value in the body itself.
    func readsWhole(_ type: any Any.Type) -> Bool {
        coder(in: .type(ObjectIdentifier(type)))?.findsItems ?? false
    }

    private func decoder(of type: any Any.Type, from bytes: ByteChunk, _ label: BodyLabel) throws -> any BodyCoder {
        if let coder = coder(in: .type(ObjectIdentifier(type))) { return coder }
        if type is any NeedsCoder.Type, let problem = MissingCoder.problem(for: type, labeled: nil) { throw problem }
        if let coder = label.mediaType.flatMap({ coder(for: $0, serving: type) }) { return coder }
        if let coder = label.fileExtension.flatMap({ coder(forExtension: $0, serving: type) }) { return coder }
        let guess = MediaType(sniffing: bytes)
        // JSON is accepted nearly always; what is something else is not taken for it.
        let missing = MissingCoder.problem(for: type, labeled: label.mediaType ?? guess)
        for accepted in label.acceptedTypes {
            guard let coder = coder(for: accepted, serving: type) else { continue }
            if let missing, coder is JSONCoder { throw missing }
            return coder
        }
        if let coder = guess.flatMap({ coder(for: $0, serving: type) }) { return coder }
        if let missing { throw missing }
        return fallback
    }

    /// The `Accept` for a wanted type.
    func accept(for type: any Any.Type, target: String) -> String {
        let wanted = (type as? any AnyOptional.Type)?.wrappedType ?? type
        let byType = coder(in: .type(ObjectIdentifier(wanted)))
        let byPath = BodyLabel.fileExtension(of: target).flatMap { coder(forExtension: $0, serving: wanted) }
        return (byType ?? byPath ?? fallback).accept
    }

    /// The coder for text.
    public var text: TextCoder { coder(in: .type(ObjectIdentifier(String.self))) as? TextCoder ?? TextCoder() }

    /// The coder for JSON.
    ///
    /// Setting it calls ``registerJSON(_:)``: `$0.coders.json.decoding.keys = .convertFromSnakeCase`.
    public var json: JSONCoder {
        get { fallback as? JSONCoder ?? JSONCoder() }
        set { registerJSON(newValue) }
    }

    /// The coder of each line of newline-delimited JSON.
    var jsonLines: JSONCoder {
        (coder(in: .mediaType(MediaType.jsonLines.essence)) as? JSONLinesCoder)?.json ?? json
    }

    /// The coder of forms, if it is Cumulus' own.
    var form: FormCoder? { coder(in: .mediaType(MediaType.form.essence)) as? FormCoder }

    /// The same, writing forms in a style unless their coder has its own.
    func writingForms(_ style: QueryStyle) -> CoderRegistry {
        guard let form, form.style == nil, style != QueryStyle() else { return self }
        var registry = self
        registry.register(FormCoder(style: style), mediaTypes: [MediaType.form.essence])
        return registry
    }

    private var fallback: any BodyCoder { coder(in: .fallback) ?? JSONCoder() }

    private func coder(forExtension name: String, serving type: any Any.Type) -> (any BodyCoder)? {
        coder(in: .fileExtension(name)).flatMap { $0.serves(type) ? $0 : nil }
    }

    private func coder(for mediaType: MediaType, serving type: any Any.Type) -> (any BodyCoder)? {
        if let coder = coder(in: .mediaType(mediaType.essence)), coder.serves(type) { return coder }
        for pattern in patterns where pattern.matches(mediaType.essence) {
            if let coder = coder(in: .pattern(pattern)), coder.serves(type) { return coder }
        }
        var names: [String] = []
        if let suffix = mediaType.subtype.cut(atLast: "+")?.behind { names.append("+\(suffix)") }
        names += ["\(mediaType.type)/*", "*/*"]
        for name in names {
            if let coder = coder(in: .mediaType(name)), coder.serves(type) { return coder }
        }
        return nil
    }
}

extension ByteChunk {
    /// Whether there are only spaces, tabs and line ends.
    fileprivate var isBlank: Bool {
        withUnsafeBytes { bytes in bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D } }
    }
}
