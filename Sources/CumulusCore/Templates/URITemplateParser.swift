// SPDX-License-Identifier: Apache-2.0

/// Parses a template by its bytes, and continues after errors.
struct URITemplateParser {
    private let bytes: [UInt8]
    private var position = 0
    private var literal: [UInt8] = []
    private(set) var parts: [URITemplate.Part] = []
    private(set) var problems: [URITemplate.Problem] = []

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func parse() {
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "{") { expression() } else { literalByte() }
        }
        endLiteral()
    }

    private mutating func endLiteral() {
        if literal.isEmpty { return }
        parts.append(.literal(String(decoding: literal, as: UTF8.self)))
        literal = []
    }

    /// Reads one byte outside braces, escaping it if a URI can't have it.
    private mutating func literalByte() {
        let byte = bytes[position]
        if byte == UInt8(ascii: "%") {
            if PercentEncoding.escaped(bytes, at: position) == nil { note(.malformedEscape, position..<position + 1) }
        } else if URITemplateParser.isForbidden(byte) {
            note(.forbiddenCharacter, position..<position + 1)
        }
        let isEscape = byte == UInt8(ascii: "%") && PercentEncoding.escaped(bytes, at: position) != nil
        if isEscape {
            literal.append(byte)
        } else {
            PercentEncoding.append(byte, to: &literal, allowed: PercentEncoding.isURIByte)
        }
        position += 1
    }

    /// Reads an expression; an invalid one becomes a literal, including its braces.
    private mutating func expression() {
        let start = position
        guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "}")) else {
            note(.unclosedExpression, start..<bytes.count)
            literal += bytes[start...]
            position = bytes.count
            return
        }
        position = end + 1
        let range = start..<position
        var inner = bytes[start + 1..<end]
        do throws(Refusal) {
            let kind = try URITemplateParser.kind(&inner)
            var variables: [TemplateExpression.Variable] = []
            for name in inner.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
                variables.append(try URITemplateParser.variable(name))
            }
            endLiteral()
            let text = String(decoding: bytes[range], as: UTF8.self)
            parts.append(
                .expression(TemplateExpression(kind: kind, variables: variables, text: text, offset: start))
            )
        } catch {
            note(error.reason, range)
            literal += bytes[range]
        }
    }

    private struct Refusal: Error {
        let reason: URITemplate.Problem.Reason
    }

    private static func kind(_ inner: inout ArraySlice<UInt8>) throws(Refusal) -> TemplateExpression.Kind {
        guard let first = inner.first else { throw Refusal(reason: .emptyExpression) }
        if isNameByte(first) || first == UInt8(ascii: "%") { return .simple }
        guard first != 0, let kind = TemplateExpression.Kind(rawValue: first) else {
            // A space or a tilde is certainly not meant as an operator.
            let isOperator = "=,!@|$*".utf8.contains(first)
            throw Refusal(reason: isOperator ? .unknownOperator : .malformedVariable)
        }
        inner = inner.dropFirst()
        if inner.isEmpty { throw Refusal(reason: .emptyExpression) }
        return kind
    }

    private static func variable(_ text: ArraySlice<UInt8>) throws(Refusal) -> TemplateExpression.Variable {
        var name = text
        var modifier = TemplateExpression.Modifier.none
        if let colon = text.firstIndex(of: UInt8(ascii: ":")) {
            name = text[..<colon]
            let digits = text[(colon + 1)...]
            guard (1...4).contains(digits.count), digits.first != UInt8(ascii: "0"),
                digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
            else { throw Refusal(reason: .malformedModifier) }
            modifier = .prefix(digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) })
        } else if text.last == UInt8(ascii: "*") {
            name = text.dropLast()
            modifier = .explode
        }
        guard isName(name) else { throw Refusal(reason: .malformedVariable) }
        return TemplateExpression.Variable(name: String(decoding: name, as: UTF8.self), modifier: modifier)
    }

    /// Whether bytes are a valid name: letters, digits, `_` and escapes, with single dots between them.
    private static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
        var wasDot = true
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            if byte == UInt8(ascii: ".") {
                if wasDot { return false }
                wasDot = true
            } else if byte == UInt8(ascii: "%") {
                guard bytes.endIndex - index > 2, PercentEncoding.value(bytes[index + 1]) != nil,
                    PercentEncoding.value(bytes[index + 2]) != nil
                else { return false }
                wasDot = false
                index += 2
            } else {
                guard isNameByte(byte) else { return false }
                wasDot = false
            }
            index += 1
        }
        return !wasDot
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        PercentEncoding.isUnreserved(byte) && !"-.~".utf8.contains(byte)
    }

    /// Whether RFC 6570 section 2.1 excludes a byte from literals; the apostrophe is allowed (erratum 6937).
    private static func isForbidden(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == 0x7F || "\"<>\\^`{|}".utf8.contains(byte)
    }

    private mutating func note(_ reason: URITemplate.Problem.Reason, _ range: Range<Int>) {
        problems.append(
            URITemplate.Problem(reason, at: range.lowerBound, in: String(decoding: bytes[range], as: UTF8.self))
        )
    }
}
