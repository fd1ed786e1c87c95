// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

@testable import Command
@testable import CumulusCore
@testable import CumulusPrimitives

/// Nothing that a server sends steers the terminal that it is printed to, wherever its pieces are cut.
///
/// The first byte chooses type and style, the second how long the pieces are; the rest is the body, its start a head.
enum TerminalTarget: FuzzTarget {
    static let name = "terminal"

    private static let types: [String?] = [
        "application/json", "text/xml", "text/plain", "text/plain; charset=iso-8859-1", "text/xml; charset=utf-16", nil,
        "application/json; charset=gb2312", "text/html",
    ]

    static func check(_ input: UnsafeRawBufferPointer) {
        guard input.count > 2 else { return }
        let (choice, length) = (Int(input[0]), Int(input[1]) + 1)
        let body = Array(input.dropFirst(2))
        var style = OutputPlan(
            parts: .responseBody,
            formats: choice & 8 != 0,
            colors: choice & 16 != 0,
            isTerminal: true
        )
        if choice & 96 == 96 { style.charset = "shift_jis" }
        let type = types[choice & 7].flatMap { MediaType($0) }
        let limits = LayoutLimits(depth: 8, allowance: 512, growth: 4)
        var printer = BodyPrinter(
            type: type,
            style: style,
            collectedLimit: choice & 128 == 0 ? 4096 : 64,
            limits: limits
        )
        var output: [UInt8] = []
        do {
            var rest = body[...]
            while !rest.isEmpty {
                try printer.take(ByteChunk(Array(rest.prefix(length)))) { output += $0 }
                rest = rest.dropFirst(length)
            }
            try printer.finish { output += $0 }
        } catch {
            expect(false, "printing to memory failed: \(error)")
        }
        checkHarmless(String(decoding: output, as: UTF8.self), "the body", colored: style.colors, lines: true)
        // Each byte is six at most when it is shown, or a color's share.
        expect(output.count <= 40 * body.count + 4096, "\(body.count) bytes became \(output.count)")
        checkHead(body, style)
    }

    private static func checkHead(_ bytes: [UInt8], _ style: OutputPlan) {
        let text = String(decoding: bytes.prefix(200), as: UTF8.self)
        let status = HTTPResponse.Status(code: 404, reasonPhrase: text)
        var fields: HTTPFields = [.server: text, .location: text, .setCookie: text]
        if let name = HTTPField.Name(text) { fields[name] = text }
        let head = ResponseHead(status: status, headers: fields, protocolName: text)
        let shown = HeadText(style: style).text(of: head)
        checkHarmless(shown, "the head", colored: style.colors, lines: true)
        let lines = shown.utf8.count { $0 == UInt8(ascii: "\n") }
        expect(lines == fields.count + 1, "a head of \(fields.count) fields has \(lines) lines")
        checkHarmless(PeerText.printable(text), "a text of a peer", colored: false, lines: false)
    }

    private static func checkHarmless(_ text: String, _ what: String, colored: Bool, lines: Bool) {
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            if lines, scalar == "\n" || scalar == "\t" { continue }
            if colored, scalar == "\u{1B}" {
                // One of our colors, whole.
                let code = rest.prefix { $0 != "m" }
                let known = ["[31", "[32", "[33", "[34", "[35", "[36", "[90", "[0"]
                expect(known.contains(String(String.UnicodeScalarView(code))), "an escape of \(what) is not ours")
                rest = rest[code.endIndex...].dropFirst()
                continue
            }
            expect(!PeerText.steers(scalar), "\(what) holds U+\(String(scalar.value, radix: 16))")
        }
    }
}
