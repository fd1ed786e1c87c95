// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// A pattern of paths with literal and variable segments: `/posts/:id`, `/posts/{id}.json`, `/files/*`.
///
/// Signatures of fixtures, routes of a stub or a test server and endpoint templates use the same grammar: `:name` and
/// `{name}` match one segment, and `{name}` can also match a part of one. `*`, `{+name}` and `{/name*}` at the end
/// match all remaining segments. Other expressions of a template are not part of its path.
public struct PathPattern: Sendable, Hashable {
    /// A piece of a segment.
    package enum Piece: Sendable, Hashable {
        case literal([UInt8])
        case parameter(String)
    }

    package enum Segment: Sendable, Hashable {
        /// A segment's bytes, decoded.
        case literal([UInt8])
        /// Any segment.
        case parameter(String)
        /// A segment with literal and variable parts.
        case pieces([Piece])
        /// All remaining segments.
        case rest(String)
    }

    package private(set) var segments: [Segment]

    /// Creates a pattern from a path.
    ///
    /// A slash at the start of the path has no meaning. If the path ends with a slash, a matching path must also end
    /// with one.
    public init(_ path: String) { self.init(PathPattern.split(path)) }

    /// Parses segments, without the slashes between them.
    package init(_ segments: [Substring]) { self.segments = segments.map(PathPattern.segment) }

    /// Creates a pattern of literal segments, whatever they contain.
    package init(literal segments: [Substring]) {
        self.segments = segments.map { .literal(PathPattern.decoded(Array($0.utf8)[...])) }
    }

    /// This pattern with another appended.
    package func appending(_ other: PathPattern) -> PathPattern {
        var whole = self
        whole.segments += other.segments
        return whole
    }

    /// Whether a wildcard for the remaining segments is not at the end.
    package var hasEarlyRest: Bool {
        segments.dropLast().contains { if case .rest = $0 { true } else { false } }
    }

    /// Whether it matches only one path.
    package var isLiteral: Bool {
        segments.allSatisfy { if case .literal = $0 { true } else { false } }
    }

    /// The same pattern without parameter names, which don't distinguish two patterns.
    package var anonymous: PathPattern {
        var pattern = self
        pattern.segments = segments.map { segment in
            switch segment {
            case .literal: segment
            case .parameter: .parameter("")
            case .rest: .rest("")
            case .pieces(let pieces):
                .pieces(pieces.map { if case .parameter = $0 { .parameter("") } else { $0 } })
            }
        }
        return pattern
    }

    private static func segment(_ text: Substring) -> Segment {
        let bytes = Array(text.utf8)
        if bytes == Array("*".utf8) { return .rest("*") }
        if bytes.first == UInt8(ascii: ":") { return .parameter(String(decoding: bytes.dropFirst(), as: UTF8.self)) }
        guard bytes.contains(UInt8(ascii: "{")) else { return .literal(decoded(bytes[...])) }
        if let name = whole(bytes) {
            if name.first == UInt8(ascii: "+") { return .rest(PathPattern.name(name.dropFirst())) }
            return .parameter(PathPattern.name(name))
        }
        return .pieces(pieces(bytes))
    }

    /// The decoded bytes of a text, as in a path's decoded segments: in UTF-8.
    private static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        Array(String(decoding: PercentEncoding.decodedBytes(of: Array(bytes)), as: UTF8.self).utf8)
    }

    /// The expression in braces, if it is the whole segment.
    private static func whole(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
        guard bytes.first == UInt8(ascii: "{"), bytes.firstIndex(of: UInt8(ascii: "}")) == bytes.count - 1 else {
            return nil
        }
        return bytes[1..<bytes.count - 1]
    }

    /// A variable's name without its modifier.
    private static func name(_ text: ArraySlice<UInt8>) -> String {
        String(decoding: text.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "*") }, as: UTF8.self)
    }

    private static func pieces(_ bytes: [UInt8]) -> [Piece] {
        var pieces: [Piece] = []
        var rest = bytes[...]
        while let open = rest.firstIndex(of: UInt8(ascii: "{")),
            let close = rest[open...].firstIndex(of: UInt8(ascii: "}"))
        {
            if open > rest.startIndex { pieces.append(.literal(decoded(rest[..<open]))) }
            pieces.append(.parameter(name(rest[(open + 1)..<close])))
            rest = rest[(close + 1)...]
        }
        if !rest.isEmpty { pieces.append(.literal(decoded(rest))) }
        return pieces
    }
}

extension PathPattern {
    /// Returns the decoded values of the parameters by name if an encoded path matches; `*` is the name of the
    /// remaining segments.
    ///
    /// A parameter may be empty: `/posts/:id` matches `/posts/`. In the remaining segments, an escaped slash can't be
    /// distinguished from a separator. A pattern with `*` before its end matches nothing.
    ///
    /// - Parameter path: The path as it is sent, without a query.
    /// - Returns: The values; `nil` if the path doesn't match.
    public func match(_ path: String) -> [String: String]? {
        hasEarlyRest ? nil : match(PathPattern.split(path).map { PercentEncoding.decode($0) })
    }

    private static func split(_ path: String) -> [Substring] {
        let parts = path.parts(at: "/")
        return parts.first?.isEmpty == true ? Array(parts.dropFirst()) : parts
    }

    /// The values of its parameters, if a path's decoded segments match; remaining segments are joined with slashes.
    package func match(_ path: [String]) -> [String: String]? {
        var values: [String: String] = [:]
        for (index, segment) in segments.enumerated() {
            if case .rest(let name) = segment {
                values[name] = path.dropFirst(index).joined(separator: "/")
                return values
            }
            guard index < path.count else { return nil }
            switch segment {
            case .literal(let bytes): if !path[index].utf8.elementsEqual(bytes) { return nil }
            case .parameter(let name): values[name] = path[index]
            case .pieces(let pieces):
                guard PathPattern.match(pieces, path[index], into: &values) else { return nil }
            case .rest: break
            }
        }
        return path.count == segments.count ? values : nil
    }

    /// Matches a segment from its start: a parameter ends at the first occurrence of the next literal, the last one at
    /// the segment's end.
    private static func match(_ pieces: [Piece], _ text: String, into values: inout [String: String]) -> Bool {
        var rest = Array(text.utf8)[...]
        var open: String?
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .parameter(let name):
                if open != nil { return false }
                open = name
            case .literal(let bytes):
                guard let name = open else {
                    guard rest.starts(with: bytes) else { return false }
                    rest = rest.dropFirst(bytes.count)
                    continue
                }
                let isLast = index == pieces.count - 1
                guard let start = isLast ? end(of: rest, bytes) : place(of: bytes, in: rest) else { return false }
                values[name] = String(decoding: rest[..<start], as: UTF8.self)
                rest = rest[(start + bytes.count)...]
                open = nil
            }
        }
        guard let open else { return rest.isEmpty }
        values[open] = String(decoding: rest, as: UTF8.self)
        return !rest.isEmpty
    }

    /// The start of a literal at the segment's end, after a parameter of at least one byte.
    private static func end(of rest: ArraySlice<UInt8>, _ bytes: [UInt8]) -> Int? {
        rest.count > bytes.count && rest.suffix(bytes.count).elementsEqual(bytes) ? rest.endIndex - bytes.count : nil
    }

    private static func place(of bytes: [UInt8], in rest: ArraySlice<UInt8>) -> Int? {
        guard rest.count > bytes.count else { return nil }
        return (rest.startIndex + 1...rest.endIndex - bytes.count).first { rest[$0...].starts(with: bytes) }
    }
}

extension PathPattern: CustomStringConvertible {
    /// The pattern, with `:name` for parameters that fill a segment and `*` for the remaining segments.
    public var description: String {
        segments.map { segment in
            switch segment {
            case .literal(let bytes): PercentEncoding.encode(String(decoding: bytes, as: UTF8.self))
            case .parameter(let name): ":\(name)"
            case .rest: "*"
            case .pieces(let pieces):
                pieces.map { piece in
                    switch piece {
                    case .literal(let bytes): PercentEncoding.encode(String(decoding: bytes, as: UTF8.self))
                    case .parameter(let name): "{\(name)}"
                    }
                }.joined()
            }
        }.joined(separator: "/")
    }
}

extension PathPattern {
    /// Creates a pattern from a template's path, below the place where it is expanded; `nil` if its variables can't be
    /// a pattern.
    public init?(of template: URITemplate) {
        guard template.problems.isEmpty else { return nil }
        var text = ""
        parts: for part in template.parts {
            switch part {
            case .literal(let literal):
                text += literal.before("?", "#")
                if literal.has(anyOf: "?", "#") { break parts }
            case .expression(let expression):
                switch expression.kind {
                case .query, .continuation, .fragment: break parts
                case .simple where expression.variables.count == 1, .reserved where expression.variables.count == 1:
                    text += expression.text
                case .segment where expression.variables.count == 1 && expression.variables[0].modifier == .none:
                    text += "/{\(expression.variables[0].name)}"
                case .segment where expression.variables.count == 1: text += "/*"
                default: return nil
                }
            }
        }
        self.init(text.parts(at: "/", omitsEmpty: true))
        if hasEarlyRest { return nil }
    }
}
