// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// Redacts secrets in a multipart body for display: the content of fields whose names indicate a secret, and secrets
/// within the other parts, in their heads, and around them.
enum MultipartRedaction {
    private static let mark = Array("<redacted>".utf8)

    /// The body with a placeholder for each secret; it works on bytes, so an invalid form shows no more.
    ///
    /// - Parameters:
    ///   - bytes: The body.
    ///   - boundary: The boundary of its parts.
    ///   - level: How many texts it is within.
    /// - Returns: The body to show.
    static func redacted(_ bytes: [UInt8], boundary: String, level: Int = 0) -> [UInt8] {
        let delimiter = Array("--\(boundary)".utf8)
        var shown: [UInt8] = []
        var rest = bytes[...]
        var isPart = false
        while true {
            let next = place(of: delimiter, in: rest)
            let part = rest[..<(next?.lowerBound ?? rest.endIndex)]
            shown += isPart ? redacted(part: part, level: level) : apart(part, level: level)
            guard let next else { return shown }
            shown += bytes[next]
            // Behind the last part, too, a server may look for more.
            isPart = true
            rest = bytes[next.upperBound...]
        }
    }

    /// The boundary that a type names, or else that of a body that looks like parts under any type; `nil` for others.
    static func boundary(of bytes: [UInt8], _ type: MediaType?) -> String? {
        if let type, type.type == "multipart", let named = type["boundary"], !named.isEmpty,
            place(of: Array("--\(named)".utf8), in: bytes[...]) != nil
        {
            return named
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            let line = rest.prefix { !isLineEnd($0) }
            rest = rest[line.endIndex...].drop(while: isLineEnd)
            guard line.starts(with: [UInt8(ascii: "-"), UInt8(ascii: "-")]), 3...200 ~= line.count else { continue }
            // A part without a head of its own is text.
            guard lowercased(rest.prefix(8)) == "content-" else { continue }
            let name = line.dropFirst(2).reversed().drop { $0 == 0x20 || $0 == 0x09 }.reversed()
            if let text = String(validating: name, as: UTF8.self), !text.isEmpty { return text }
        }
        return nil
    }

    private static func redacted(part: ArraySlice<UInt8>, level: Int) -> [UInt8] {
        // The delimiter's own line comes first.
        guard let lineEnd = part.firstIndex(where: isLineEnd) else { return apart(part, level: level) }
        let first = behindLineEnd(lineEnd, in: part)
        guard let head = end(ofHead: part[first...]) else { return apart(part, level: level) }
        let fields = self.fields(in: part[first..<head])
        var shown = Array(part[..<first])
        for field in fields { shown += redacted(field: field.lines, field.name, field.value) }
        let start = behindLineEnd(head, in: part)
        shown += part[head..<start]
        if fields.contains(where: { hasSecretName($0.value) }) {
            return shown + mark + part[lineEnd..<first]
        }
        let type = fields.first { $0.name.lowercased() == "content-type" }.flatMap {
            MediaType(parsing: String(String(decoding: $0.value, as: UTF8.self).trimmed))
        }
        return shown + BodyRedaction.redacted(Array(part[start...]), of: type, level: level + 1)
    }

    /// What isn't a part.
    private static func apart(_ bytes: ArraySlice<UInt8>, level: Int) -> [UInt8] {
        guard bytes.contains(where: { $0 > 0x20 && $0 != UInt8(ascii: "-") }) else { return Array(bytes) }
        return BodyRedaction.redacted(Array(bytes), of: nil, level: level + 1)
    }

    // MARK: Heads

    private typealias Field = (name: String, value: [UInt8], lines: ArraySlice<UInt8>)

    /// The fields of a head, each with the lines that continue it.
    private static func fields(in head: ArraySlice<UInt8>) -> [Field] {
        var fields: [Field] = []
        var rest = head
        while !rest.isEmpty {
            let start = rest.startIndex
            repeat {
                let line = rest.prefix { !isLineEnd($0) }
                rest = rest[behindLineEnd(line.endIndex, in: rest)...]
            } while rest.first == 0x20 || rest.first == 0x09
            let lines = head[start..<rest.startIndex]
            let name = lines.prefix { $0 != UInt8(ascii: ":") }
            let value = lines[name.endIndex...].dropFirst().map { isLineEnd($0) ? 0x20 : $0 }
            fields.append((String(String(decoding: name, as: UTF8.self).trimmed), value, lines))
        }
        return fields
    }

    /// A field's lines by the rule for the heads of messages.
    private static func redacted(field lines: ArraySlice<UInt8>, _ name: String, _ value: [UInt8]) -> [UInt8] {
        let text = String(String(decoding: value, as: UTF8.self).trimmed)
        let shown = SecretRedaction.value(text, of: name)
        if shown == text { return Array(lines) }
        let end = lines.lastIndex { !isLineEnd($0) }.map { $0 + 1 } ?? lines.endIndex
        return Array("\(name): \(shown)".utf8) + lines[end...]
    }

    /// Whether a field has a parameter for the part's name that indicates a secret.
    private static func hasSecretName(_ value: [UInt8]) -> Bool {
        let names = DispositionParameters.parsed(value).filter { $0.name == "name" || $0.name.begins(with: "name*") }
        let texts = names.map { name in
            ExtendedValue.text(name.value, isStrict: false)
                ?? String(decoding: PercentEncoding.decodedBytes(of: name.value), as: UTF8.self)
        }
        // A long name may be cut into several (RFC 2231 section 3).
        return texts.contains(where: Redaction.isSecret) || texts.count > 1 && Redaction.isSecret(texts.joined())
    }

    // MARK: Scanning

    /// Where the empty line behind a head begins; `nil` for none.
    private static func end(ofHead bytes: ArraySlice<UInt8>) -> Int? {
        var rest = bytes
        while let first = rest.first {
            if isLineEnd(first) { return rest.startIndex }
            let line = rest.prefix { !isLineEnd($0) }
            rest = rest[behindLineEnd(line.endIndex, in: rest)...]
        }
        return nil
    }

    private static func behindLineEnd(_ place: Int, in bytes: ArraySlice<UInt8>) -> Int {
        guard place < bytes.endIndex else { return bytes.endIndex }
        let isPair = bytes[place] == UInt8(ascii: "\r") && bytes[(place + 1)...].first == UInt8(ascii: "\n")
        return place + (isPair ? 2 : 1)
    }

    /// A delimiter at the beginning of a line, and alone on it but for its end.
    private static func place(of delimiter: [UInt8], in bytes: ArraySlice<UInt8>) -> Range<Int>? {
        guard let first = delimiter.first else { return nil }
        var rest = bytes
        while let start = rest.firstIndex(of: first) {
            rest = bytes[(start + 1)...]
            guard start == bytes.startIndex || isLineEnd(bytes[start - 1]), bytes[start...].starts(with: delimiter)
            else {
                continue
            }
            let end = start + delimiter.count
            let behind = bytes[end...].starts(with: "--".utf8) ? bytes[(end + 2)...] : bytes[end...]
            let next = behind.first { $0 != 0x20 && $0 != 0x09 }
            if next == nil || next.map(isLineEnd) == true { return start..<end }
        }
        return nil
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }

    private static func lowercased(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self).lowercased()
    }
}
