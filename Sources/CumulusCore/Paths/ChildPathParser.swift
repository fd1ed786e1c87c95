// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// Builds a child's path from literals (path) and values (data), and refuses those that could lead outside its place.
struct ChildPathParser {
    /// The encoded segments so far.
    private var path = ""
    /// Whether the current segment has a part, even an empty value.
    private var hasPart = false
    /// The relevant properties of the current decoded segment: its length, and whether it consists of dots.
    private var length = 0
    private var isDots = true
    /// The query's text so far: literals kept, values escaped; `nil` before the `?`.
    private var query: String?
    /// Whether it has a part that is not a literal.
    private var hasValues = false
    private var refusal: PathRefusal?
    private var shown = ""

    mutating func appendLiteral(_ text: String) {
        let isStart = shown.isEmpty
        shown += text
        if query != nil {
            appendQueryLiteral(text[...])
            return
        }
        let path = text.before("?")
        checkLiteral(path, isStart: isStart)
        for (index, part) in path.parts(at: "/").enumerated() {
            if index > 0 { endSegment() }
            if !part.isEmpty {
                append(PercentEncoding.complete(part, allowed: PercentEncoding.isPathByte), meaning: part)
            }
        }
        if path.endIndex < text.endIndex {
            query = ""
            appendQueryLiteral(text[text.utf8.index(after: path.endIndex)...])
        }
    }

    mutating func appendValue(_ text: String) {
        hasValues = true
        shown += text
        if query != nil {
            query? += PercentEncoding.encode(text)
        } else {
            append(PercentEncoding.encode(text), meaning: text, isEncoded: false)
        }
    }

    /// Segments held in a variable: `/` separates them, everything else is data.
    mutating func appendPath(_ text: String) {
        let isStart = shown.isEmpty
        hasValues = true
        shown += text
        if query != nil {
            query? += PercentEncoding.encode(text)
            return
        }
        if isStart, ChildPathParser.hasScheme(text[...]) { refuse("starts with a scheme") }
        for (character, reason) in [("#", "contains a #"), ("\\", "contains a backslash"), ("\0", "contains a NUL")]
        where text.has(character) { refuse(reason) }
        for (index, part) in text.parts(at: "/").enumerated() {
            if index > 0 { endSegment() }
            if !part.isEmpty { append(PercentEncoding.encode(part), meaning: part, isEncoded: false) }
        }
    }

    /// Appends an expression's expansion; ``Resource/child(template:_:)`` has the rules.
    mutating func append(_ kind: TemplateExpression.Kind, expanded text: String) {
        shown += text
        if kind == .fragment, !text.isEmpty { refuse("has a fragment, which is never sent") }
        guard query == nil, kind != .query || text.isEmpty else {
            if kind == .reserved, text.has("#") { refuse("contains a #") }
            let isFirst = query == nil
            query =
                (query ?? "")
                + PercentEncoding.complete(
                    isFirst ? Substring(text.utf8.dropFirst()) : text[...],
                    allowed: PercentEncoding.isQueryByte
                )
            return
        }
        // A value that is a whole segment can't be empty: `users/{id}` without an ID would be `users/`.
        guard !text.isEmpty else { return hasPart = hasPart || kind == .simple || kind == .reserved }
        if kind == .reserved { checkReserved(text) }
        for (index, part) in text.parts(at: "/").enumerated() {
            if index > 0 { endSegment() }
            if part.isEmpty {
                hasPart = hasPart || kind == .segment && index > 0
            } else {
                append(PercentEncoding.complete(part, allowed: PercentEncoding.isPathByte), meaning: part)
            }
        }
    }

    /// A value of `{+name}` may have slashes, but no other delimiters.
    private mutating func checkReserved(_ text: String) {
        if shown.utf8.count == text.utf8.count, ChildPathParser.hasScheme(text[...]) { refuse("starts with a scheme") }
        if text.has("?") { refuse("contains a ? in the path") }
        if text.has("#") { refuse("contains a #") }
        let meaning = PercentEncoding.decode(text)
        if meaning.has("\\") { refuse("contains a backslash") }
        if meaning.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) { refuse("contains a control character") }
        let isClimbing = meaning.parts(at: "/").contains { part in
            1...2 ~= part.utf8.count && part.utf8.allSatisfy { $0 == UInt8(ascii: ".") }
        }
        if isClimbing { refuseClimbing() }
    }

    private mutating func refuseClimbing() {
        refuse("would leave its place: use `resource.relative(to: \"..\")`, or `resource.parent`")
    }

    mutating func finish() -> Result<ChildPath, PathRefusal> {
        let endsWithSlash = !hasPart && !path.isEmpty
        endSegment()
        if let refusal { return .failure(refusal) }
        let query = query.map(Query.init(ofURL:)) ?? Query()
        return .success(ChildPath(path: path, endsWithSlash: endsWithSlash, query: query, isLiteral: !hasValues))
    }

    /// Appends a part to the current segment; a literal may contain escapes.
    private mutating func append(_ encoded: String, meaning text: some StringProtocol, isEncoded: Bool = true) {
        // An empty part may have been appended already.
        if length == 0, !path.isEmpty, !path.ends(with: "/") { path += "/" }
        hasPart = true
        path += encoded
        if isEncoded, text.utf8.contains(UInt8(ascii: "%")) {
            note(PercentEncoding.decodedBytes(text))
        } else {
            note(text.utf8)
        }
    }

    private mutating func note(_ meaning: some Collection<UInt8>) {
        length += meaning.count
        // Only a segment of one or two bytes can be a dot segment.
        isDots = isDots && length <= 2 && meaning.allSatisfy { $0 == UInt8(ascii: ".") }
    }

    private mutating func endSegment() {
        guard hasPart else { return }
        // An empty value would vanish and lead to another place: `users//repos`.
        if length == 0 { refuse("has an empty value for a segment") }
        if isDots, length > 0 { refuseClimbing() }
        hasPart = false
        length = 0
        isDots = true
    }

    private mutating func appendQueryLiteral(_ text: Substring) {
        if text.has("#") { refuse("contains a #") }
        query? += PercentEncoding.complete(text, allowed: PercentEncoding.isQueryByte)
    }

    private mutating func checkLiteral(_ text: Substring, isStart: Bool) {
        let isPlain = text.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "/") || byte != UInt8(ascii: ":") && PercentEncoding.isPathByte(byte)
        }
        if isPlain { return }
        if isStart, ChildPathParser.hasScheme(text) { refuse("starts with a scheme") }
        if text.has("#") { refuse("contains a #") }
        if text.has("\\") { refuse("contains a backslash") }
        if PercentEncoding.decodedBytes(text).contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            refuse("contains a control character")
        }
    }

    private mutating func refuse(_ reason: String) {
        refusal = refusal ?? PathRefusal("the path \(PeerText.quoted(shown)) \(reason)")
    }

    /// Whether a text begins like an absolute URL: `https://`, `http:evil`, `file:/etc`.
    private static func hasScheme(_ text: Substring) -> Bool {
        let startsAtRoot = text.begins(with: "/")
        let start = Substring(text.unicodeScalars.drop { $0.properties.isWhitespace || $0 == "/" && !startsAtRoot })
        guard let (name, after) = start.cut(at: ":"), let first = name.utf8.first, isLetter(first),
            name.utf8.allSatisfy({ isLetter($0) || "0123456789+-.".utf8.contains($0) })
        else { return false }
        return after.begins(with: "/") || Origin.Scheme(rawValue: name.lowercased()) != nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }
}
