// SPDX-License-Identifier: Apache-2.0

/// Builds a child's path of literal parts (path) and values (data), and refuses what could leave its place.
struct ChildPathParser {
    private enum Piece {
        case literal(String)
        case value(String)
    }

    /// Segments as pieces, so that `.` + `.` of two pieces is seen for what it is.
    private var segments: [[Piece]] = [[]]
    /// The query's text so far: literals kept, values escaped; `nil` before the `?`.
    private var query: String?
    private var refusal: PathRefusal?
    private var shown = ""

    mutating func appendLiteral(_ text: String) {
        let isStart = shown.isEmpty
        shown += text
        if query != nil {
            appendQueryLiteral(text[...])
            return
        }
        let path = text.prefix { $0 != "?" }
        checkLiteral(path, isStart: isStart)
        for (index, part) in path.split(separator: "/", omittingEmptySubsequences: false).enumerated() {
            if index > 0 { segments.append([]) }
            if !part.isEmpty { append(.literal(String(part))) }
        }
        if path.endIndex < text.endIndex {
            query = ""
            appendQueryLiteral(text[text.index(after: path.endIndex)...])
        }
    }

    mutating func appendValue(_ text: String) {
        shown += text
        if query != nil {
            query? += PercentEncoding.encode(text)
        } else {
            append(.value(text))
        }
    }

    /// Segments held in a variable: `/` divides, everything else is data.
    mutating func appendPath(_ text: String) {
        let isStart = shown.isEmpty
        shown += text
        if isStart, ChildPathParser.hasScheme(text[...]) { refuse("starts with a scheme") }
        for (character, reason) in [("#", "holds a #"), ("\\", "holds a backslash"), ("\0", "holds a NUL")]
        where text.contains(character) { refuse(reason) }
        for (index, part) in text.split(separator: "/", omittingEmptySubsequences: false).enumerated() {
            if index > 0 { segments.append([]) }
            if !part.isEmpty { append(.value(String(part))) }
        }
    }

    mutating func finish() -> Result<ChildPath, PathRefusal> {
        var encoded: [String] = []
        for segment in segments where !segment.isEmpty { encoded.append(encode(segment)) }
        if let refusal { return .failure(refusal) }
        let endsWithSlash = segments.count > 1 && segments[segments.count - 1].isEmpty && !encoded.isEmpty
        return .success(
            ChildPath(
                path: encoded.joined(separator: "/"),
                endsWithSlash: endsWithSlash,
                query: query.map(Query.init(parsing:)) ?? Query()
            )
        )
    }

    private mutating func append(_ piece: Piece) { segments[segments.count - 1].append(piece) }

    private mutating func appendQueryLiteral(_ text: Substring) {
        if text.contains("#") { refuse("holds a #") }
        query? += PercentEncoding.complete(text, allowed: PercentEncoding.isQueryByte)
    }

    private mutating func checkLiteral(_ text: Substring, isStart: Bool) {
        if isStart, ChildPathParser.hasScheme(text) { refuse("starts with a scheme") }
        if text.contains("#") { refuse("holds a #") }
        if text.contains("\\") { refuse("holds a backslash") }
        if PercentEncoding.decodedBytes(text).contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            refuse("holds a control character")
        }
    }

    private mutating func encode(_ segment: [Piece]) -> String {
        var encoded = ""
        var meaning: [UInt8] = []
        for piece in segment {
            switch piece {
            case .literal(let text):
                encoded += PercentEncoding.complete(text, allowed: PercentEncoding.isPathByte)
                meaning += PercentEncoding.decodedBytes(text)
            case .value(let text):
                encoded += PercentEncoding.encode(text)
                meaning += Array(text.utf8)
            }
        }
        // An empty value would vanish and name another place: `users//repos`.
        if meaning.isEmpty { refuse("has an empty value for a segment") }
        if meaning == Array(".".utf8) || meaning == Array("..".utf8) {
            refuse("would climb: use `resource.parent` for the place above")
        }
        return encoded
    }

    private mutating func refuse(_ reason: String) {
        refusal = refusal ?? PathRefusal("the path \(RequestURL.quote(shown)) \(reason)")
    }

    /// Whether a text starts like an absolute URL: `https://`, `http:evil`, `file:/etc`.
    private static func hasScheme(_ text: Substring) -> Bool {
        let start = text.drop { $0.isWhitespace || $0 == "/" && text.first != "/" }
        guard let colon = start.firstIndex(of: ":"), let first = start.first, first.isASCII, first.isLetter else {
            return false
        }
        let name = start[..<colon]
        guard name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }) else {
            return false
        }
        let after = start[start.index(after: colon)...]
        return after.hasPrefix("/") || Origin.Scheme(rawValue: name.lowercased()) != nil
    }
}
