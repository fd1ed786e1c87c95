// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// Reads a list of directives, `name`, `name=token` or `name="text"`, by bytes (RFC 9111 section 5.2).
struct DirectiveReader {
    /// One directive.
    struct Directive: Equatable {
        /// In lower case.
        var name: String
        /// Without quotes; `nil` if it is missing.
        ///
        /// If it breaks the grammar, it is empty, which is never a valid number.
        var argument: String?
    }

    private var rest: Substring.UTF8View

    /// The directives of a field line, in order; a part without a name is skipped.
    static func directives(of line: String) -> [Directive] {
        var directives: [Directive] = []
        each(of: line) { directives.append($0) }
        return directives
    }

    /// Passes each directive of a field line to a closure, without making a list.
    static func each(of line: String, _ body: (Directive) -> Void) {
        var reader = DirectiveReader(rest: line[...].utf8)
        while let directive = reader.next() {
            if !directive.name.isEmpty { body(directive) }
        }
    }

    private mutating func next() -> Directive? {
        rest = rest.drop { DirectiveReader.isBlank($0) || $0 == DirectiveReader.comma }
        guard !rest.isEmpty else { return nil }
        let name = rest.prefix { $0 != DirectiveReader.comma && $0 != UInt8(ascii: "=") }
        rest = rest[name.endIndex...]
        var directive = Directive(name: Substring(name).trimmed.lowercased())
        guard rest.first == UInt8(ascii: "=") else { return directive }
        rest = rest.dropFirst()
        // A name followed by a blank before its `=` breaks the grammar, but the intention is clear.
        let isSpaced = name.last.map(DirectiveReader.isBlank) ?? false
        let argument = quoted() ?? token()
        directive.argument = isSpaced ? "" : argument
        return directive
    }

    /// A quoted text; `nil`, with nothing consumed, if the next text isn't quoted or doesn't end.
    private mutating func quoted() -> String? {
        guard rest.first == DirectiveReader.quote else { return nil }
        var (bytes, place) = ([UInt8](), rest.dropFirst())
        while let byte = place.first, byte != DirectiveReader.quote {
            place = place.dropFirst()
            if byte == UInt8(ascii: "\\"), let escaped = place.first {
                place = place.dropFirst()
                bytes.append(escaped)
            } else {
                bytes.append(byte)
            }
        }
        guard !place.isEmpty else { return nil }
        let behind = place.dropFirst()
        rest = behind.drop { $0 != DirectiveReader.comma }
        let isClean = behind[..<rest.startIndex].allSatisfy(DirectiveReader.isBlank)
        return isClean ? String(decoding: bytes, as: UTF8.self) : ""
    }

    /// The text before the next comma; empty if it isn't a token.
    private mutating func token() -> String {
        let raw = rest.prefix { $0 != DirectiveReader.comma }
        rest = rest[raw.endIndex...]
        var token = Substring(raw)
        while let last = token.utf8.last, DirectiveReader.isBlank(last) { token = Substring(token.utf8.dropLast()) }
        return token.utf8.contains { DirectiveReader.isBlank($0) || $0 == DirectiveReader.quote } ? "" : String(token)
    }

    private static let comma = UInt8(ascii: ",")
    private static let quote = UInt8(ascii: "\"")

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
