// SPDX-License-Identifier: Apache-2.0

extension URITemplate {
    /// The values of variables, by name; `nil` means undefined.
    public typealias Values = [String: (any QueryEncodable)?]

    /// The result of expanding a template as far as possible.
    public struct Expansion: Sendable, Hashable {
        /// The text, with invalid parts as they were written.
        public let text: String
        /// The problems of the template or the values.
        public let problems: [Problem]
    }

    /// Expands the template: replaces its variables with values, escaped as RFC 6570 section 3 defines.
    ///
    /// - Parameter values: Strings, numbers, lists and maps; a ``Query`` is a map that keeps its order, and a
    ///   dictionary is sorted by name. Names that the template doesn't have are ignored.
    /// - Returns: The expansion.
    /// - Throws: The first ``Problem``, of the template or of a value.
    public func expand(_ values: Values) throws(Problem) -> String {
        if let problem = problems.first { throw problem }
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count + 64)
        for part in parts {
            switch part {
            case .literal(let text): output += text.utf8
            case .expression(let expression): try expression.expand(values, into: &output)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Expands a template that may be invalid: invalid parts stay as they were written, and nothing is thrown.
    public func expandLeniently(_ values: Values) -> Expansion {
        var found = problems
        var output: [UInt8] = []
        for part in parts {
            switch part {
            case .literal(let text): output += text.utf8
            case .expression(let expression):
                let length = output.count
                do throws(Problem) {
                    try expression.expand(values, into: &output)
                } catch {
                    found.append(error)
                    output.removeSubrange(length...)
                    output += expression.text.utf8
                }
            }
        }
        found.sort { $0.offset < $1.offset }
        return Expansion(text: String(decoding: output, as: UTF8.self), problems: found)
    }

    /// The expansion of each part separately.
    func expandedParts(_ values: Values) throws(Problem) -> [(part: Part, text: String)] {
        if let problem = problems.first { throw problem }
        var length = 0
        var expanded: [(part: Part, text: String)] = []
        for part in parts {
            switch part {
            case .literal(let text): expanded.append((part, text))
            case .expression(let expression):
                var output: [UInt8] = []
                try expression.expand(values, into: &output, behind: length)
                expanded.append((part, String(decoding: output, as: UTF8.self)))
            }
            length += expanded[expanded.count - 1].text.utf8.count
        }
        return expanded
    }
}

extension TemplateExpression {
    /// Appends its expansion; nothing if no variable has a value.
    func expand(
        _ values: URITemplate.Values,
        into output: inout [UInt8],
        behind length: Int = 0
    ) throws(URITemplate.Problem) {
        var isFirst = true
        for variable in variables {
            guard let value = values[variable.name] ?? nil else { continue }
            let wanted = value.queryValue
            switch wanted {
            case .text, .bool:
                separate(&isFirst, &output)
                write(wanted.string ?? "", of: variable, into: &output)
            case .list(let elements):
                if elements.isEmpty { continue }
                try writeList(elements, of: variable, &isFirst, into: &output)
            case .map(let members):
                if members.isEmpty { continue }
                try writeMap(members, of: variable, &isFirst, into: &output)
            }
            if length + output.count > URITemplate.maximumExpansion { throw problem(.expansionTooLong) }
        }
    }

    private func write(_ text: String, of variable: Variable, into output: inout [UInt8]) {
        if kind.isNamed { writeName(variable.name, isEmpty: text.isEmpty, into: &output) }
        guard case .prefix(let most) = variable.modifier else { return encode(text, into: &output) }
        encode(prefix(of: text, most), into: &output)
    }

    private func writeList(
        _ elements: [QueryValue],
        of variable: Variable,
        _ isFirst: inout Bool,
        into output: inout [UInt8]
    ) throws(URITemplate.Problem) {
        if case .prefix = variable.modifier { throw problem(.prefixOfList) }
        let explodes = variable.modifier == .explode
        for (index, element) in elements.enumerated() {
            guard let text = element.string else { throw problem(.nestedValue) }
            if explodes || index == 0 {
                separate(&isFirst, &output)
                if kind.isNamed { writeName(variable.name, isEmpty: explodes && text.isEmpty, into: &output) }
            } else {
                output.append(UInt8(ascii: ","))
            }
            encode(text, into: &output)
        }
    }

    private func writeMap(
        _ members: [QueryValue.Member],
        of variable: Variable,
        _ isFirst: inout Bool,
        into output: inout [UInt8]
    ) throws(URITemplate.Problem) {
        if case .prefix = variable.modifier { throw problem(.prefixOfList) }
        let explodes = variable.modifier == .explode
        for (index, member) in members.enumerated() {
            guard let text = member.value.string else { throw problem(.nestedValue) }
            if explodes {
                separate(&isFirst, &output)
                encode(member.name, into: &output)
                if !text.isEmpty || !kind.isNamed || kind.marksEmpty { output.append(UInt8(ascii: "=")) }
            } else {
                if index == 0 {
                    separate(&isFirst, &output)
                    if kind.isNamed { writeName(variable.name, isEmpty: false, into: &output) }
                } else {
                    output.append(UInt8(ascii: ","))
                }
                encode(member.name, into: &output)
                output.append(UInt8(ascii: ","))
            }
            encode(text, into: &output)
        }
    }

    private func separate(_ isFirst: inout Bool, _ output: inout [UInt8]) {
        if !isFirst {
            output.append(kind.separator)
        } else if let first = kind.first {
            output.append(first)
        }
        isFirst = false
    }

    private func writeName(_ name: String, isEmpty: Bool, into output: inout [UInt8]) {
        output += name.utf8
        if !isEmpty || kind.marksEmpty { output.append(UInt8(ascii: "=")) }
    }

    private func encode(_ text: some StringProtocol, into output: inout [UInt8]) {
        guard kind.keepsReserved else {
            for byte in text.utf8 { PercentEncoding.append(byte, to: &output, allowed: PercentEncoding.isUnreserved) }
            return
        }
        output += PercentEncoding.complete(text, allowed: PercentEncoding.isURIByte).utf8
    }

    /// The first characters of a text; the escapes of one character's bytes, which are kept, count as one.
    private func prefix(of text: String, _ most: Int) -> Substring {
        let bytes = text.utf8
        var (end, count) = (text.unicodeScalars.startIndex, 0)
        while end < text.endIndex, count < most {
            if kind.keepsReserved, let length = PercentEncoding.escapedLength(bytes[end...]) {
                bytes.formIndex(&end, offsetBy: 3 * length)
            } else {
                text.unicodeScalars.formIndex(after: &end)
            }
            count += 1
        }
        return text[..<end]
    }

    private func problem(_ reason: URITemplate.Problem.Reason) -> URITemplate.Problem {
        URITemplate.Problem(reason, at: offset, in: text)
    }
}
