// SPDX-License-Identifier: Apache-2.0

/// Which paths are meant: literal segments, and such as stand for any: `/posts/:id`, `/posts/{id}.json`, `/files/*`.
///
/// One grammar for signatures of fixtures, routes of the loopback server and the templates of a service's endpoints:
/// `:name` and `{name}` stand for one segment, `{name}` also for a part of one; `*`, `{+name}` and `{/name*}` at the end
/// stand for all that is left. Other expressions of a template are not part of its path.
package struct PathPattern: Sendable, Hashable {
    /// A piece of a segment.
    package enum Piece: Sendable, Hashable {
        case literal([UInt8])
        case parameter(String)
    }

    package enum Segment: Sendable, Hashable {
        /// A segment's bytes, without escapes.
        case literal([UInt8])
        /// Any segment.
        case parameter(String)
        /// A segment that is partly given.
        case pieces([Piece])
        /// All that is left.
        case rest(String)
    }

    package private(set) var segments: [Segment]

    /// Reads segments, without the slashes between them.
    package init(_ segments: [Substring]) { self.segments = segments.map(PathPattern.segment) }

    /// Takes segments as they are, whatever they hold.
    package init(literal segments: [Substring]) {
        self.segments = segments.map { .literal(PathPattern.decoded(Array($0.utf8)[...])) }
    }

    /// This pattern, and another below it.
    package func appending(_ other: PathPattern) -> PathPattern {
        var whole = self
        whole.segments += other.segments
        return whole
    }

    /// Whether something stands behind what stands for all that is left.
    package var hasEarlyRest: Bool {
        segments.dropLast().contains { if case .rest = $0 { true } else { false } }
    }

    /// Whether one path only is meant.
    package var isLiteral: Bool {
        segments.allSatisfy { if case .literal = $0 { true } else { false } }
    }

    /// The same pattern without the names of its parameters, which don't tell two patterns apart.
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

    /// The bytes that a text stands for, as a path's decoded segments have them: in UTF-8.
    private static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        Array(String(decoding: PercentEncoding.decodedBytes(of: Array(bytes)), as: UTF8.self).utf8)
    }

    /// What stands in braces, where they are all that there is.
    private static func whole(_ bytes: [UInt8]) -> ArraySlice<UInt8>? {
        guard bytes.first == UInt8(ascii: "{"), bytes.firstIndex(of: UInt8(ascii: "}")) == bytes.count - 1 else {
            return nil
        }
        return bytes[1..<bytes.count - 1]
    }

    /// A variable's name without what stands behind it.
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
    /// The values of its parameters, if a path's decoded segments fit; what is left goes by with slashes between.
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

    /// Takes a segment apart from its beginning: a parameter ends where the next literal first comes, the last one at the
    /// segment's end.
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

    /// Where a literal begins that ends a segment, after a parameter of at least one byte.
    private static func end(of rest: ArraySlice<UInt8>, _ bytes: [UInt8]) -> Int? {
        rest.count > bytes.count && rest.suffix(bytes.count).elementsEqual(bytes) ? rest.endIndex - bytes.count : nil
    }

    private static func place(of bytes: [UInt8], in rest: ArraySlice<UInt8>) -> Int? {
        guard rest.count > bytes.count else { return nil }
        return (rest.startIndex + 1...rest.endIndex - bytes.count).first { rest[$0...].starts(with: bytes) }
    }
}

extension PathPattern: CustomStringConvertible {
    /// The pattern with `:name` for parameters that fill a segment and `*` for all that is left.
    package var description: String {
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
    /// The path of a template, below where it is expanded; `nil` if its variables make no pattern.
    package init?(_ template: URITemplate) {
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
