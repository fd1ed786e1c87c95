// SPDX-License-Identifier: Apache-2.0

/// A parser for the data of server-sent events in a body that arrives in pieces.
struct EventData {
    /// The data of an event, and the event's number from 1.
    typealias Event = (number: Int, bytes: [UInt8])

    /// The data with which many services end a stream, and which is not JSON.
    static let sentinel = Array("[DONE]".utf8)

    private var line: [UInt8] = []
    private var data: [UInt8]?
    private var number = 0
    private var endsWithReturn = false

    /// The length of the incomplete event at the end.
    var heldCount: Int { line.count + (data?.count ?? 0) }

    /// Takes the next piece, and returns the events that end in it.
    mutating func take(_ bytes: [UInt8]) -> [Event] {
        var events: [Event] = []
        for byte in bytes {
            let follows = endsWithReturn
            endsWithReturn = byte == UInt8(ascii: "\r")
            switch byte {
            case UInt8(ascii: "\n") where follows: continue
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): if let event = endLine() { events.append(event) }
            default: line.append(byte)
            }
        }
        return events
    }

    private mutating func endLine() -> Event? {
        defer { line = [] }
        if line.isEmpty {
            guard let bytes = data else { return nil }
            data = nil
            number += 1
            return (number, bytes)
        }
        let name = line.starts(with: [0xEF, 0xBB, 0xBF]) ? line.dropFirst(3) : line[...]
        guard name.starts(with: "data:".utf8) else { return nil }
        let value = name.dropFirst(5)
        // In place: an event may have many lines.
        if data == nil { data = [] } else { data?.append(UInt8(ascii: "\n")) }
        data?.append(contentsOf: value.first == 0x20 ? value.dropFirst() : value)
        return nil
    }
}
