// SPDX-License-Identifier: Apache-2.0

@testable import CumulusCore

/// Server-sent events: the same events, IDs and times whatever the pieces.
enum EventTarget: FuzzTarget {
    static let name = "events"

    static func check(_ input: UnsafeRawBufferPointer) {
        let bytes = [UInt8](input)
        for limit in [9, 1 << 20] {
            let whole = events(of: bytes, limit: limit, piece: max(1, bytes.count))
            for piece in [1, 3, 7] {
                let other = events(of: bytes, limit: limit, piece: piece)
                expect(other == whole, "in pieces of \(piece): \(other), whole: \(whole)")
            }
        }
    }

    /// The events in words, with the state or the error at the end.
    private static func events(of bytes: [UInt8], limit: Int, piece: Int) -> [String] {
        var parser = EventParser(limit: limit, after: "first")
        var seen: [String] = []
        do throws(EventProblem) {
            for start in stride(from: 0, to: bytes.count, by: piece) {
                let part = Array(bytes[start..<min(start + piece, bytes.count)])
                var position = 0
                while position < part.count {
                    let event = try part.withUnsafeBytes { bytes in
                        Result<ServerSentEvent?, EventProblem> { () throws(EventProblem) in
                            try parser.next(in: bytes, from: &position)
                        }
                    }.get()
                    guard let event else {
                        expect(position == part.count, "no event, and \(part.count - position) bytes unread")
                        break
                    }
                    expect(event.id?.utf8.contains(0) != true && event.id != "", "the ID \(event.id ?? "")")
                    expect(!event.type.isEmpty, "an empty type")
                    expect(limit > 9 || event.data.utf8.count <= 3 * limit, "data of \(event.data.utf8.count) bytes")
                    let fields = "\(Array(event.data.utf8)) \(event.type) \(event.id ?? "-") \(event.retry as Any)"
                    seen.append("\(parser.line) \(fields)")
                }
            }
            seen.append("\(parser.count) \(parser.lastEventID) \(parser.retry as Any)")
        } catch {
            seen.append("\(error)")
        }
        return seen
    }
}
