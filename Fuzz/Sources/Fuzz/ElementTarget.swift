// SPDX-License-Identifier: Apache-2.0

@testable import CumulusCore

/// Lines, JSON sequences and concatenated JSON: the same elements whatever the pieces, and none is lost.
enum ElementTarget: FuzzTarget {
    static let name = "elements"

    static func check(_ input: UnsafeRawBufferPointer) {
        let bytes = [UInt8](input)
        for form in [ElementSplitter.Form.lines, .jsonSequence, .concatenatedJSON] {
            for limit in [5, 1 << 20] {
                let whole = elements(of: bytes, form, limit: limit, piece: max(1, bytes.count))
                for piece in [1, 3, 7] {
                    let other = elements(of: bytes, form, limit: limit, piece: piece)
                    expect(other == whole, "\(form) in pieces of \(piece): \(other), whole: \(whole)")
                }
            }
        }
        let lines = elements(of: bytes, .lines, limit: 1 << 20, piece: max(1, bytes.count))
        let feeds = bytes.count { $0 == 0x0A }
        expect(lines.count == feeds + (bytes.isEmpty || bytes.last == 0x0A ? 0 : 1), "\(lines.count) lines")
    }

    /// The elements in words, with the error that ends them.
    private static func elements(
        of bytes: [UInt8],
        _ form: ElementSplitter.Form,
        limit: Int,
        piece: Int
    ) -> [String] {
        var splitter = ElementSplitter(form, limit: limit, line: 0, number: 0)
        var seen: [String] = []
        func note(_ element: ElementSplitter.Element) {
            expect(element.bytes.count <= limit, "an element of \(element.bytes.count) bytes, above \(limit)")
            let place = "\(element.line) \(element.number.map { "\($0)" } ?? "-")"
            seen.append("\(place) \(element.problem.map { "\($0)" } ?? "") \(element.bytes)")
        }
        do throws(LineProblem) {
            for start in stride(from: 0, to: bytes.count, by: piece) {
                let part = Array(bytes[start..<min(start + piece, bytes.count)])
                var position = 0
                while position < part.count {
                    let before = position
                    let element = try part.withUnsafeBytes { bytes in
                        Result<ElementSplitter.Element?, LineProblem> { () throws(LineProblem) in
                            try splitter.next(in: bytes, from: &position)
                        }
                    }.get()
                    guard let element else {
                        expect(position == part.count, "no element, and \(part.count - position) bytes unread")
                        break
                    }
                    expect(position >= before && position <= part.count, "the position \(position)")
                    note(element)
                    if seen.count > 2 * bytes.count + 2 { finding("elements without end") }
                }
            }
            if let last = splitter.finish() { note(last) }
        } catch {
            // The excerpt depends on the pieces.
            seen.append("line \(error.line), value \(error.value.map { "\($0)" } ?? "-"): \(error.cause)")
        }
        return seen
    }
}
