// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Prints events, each with one write as soon as it has arrived, so that the reader of a pipe gets it at once.
struct EventOutput {
    private let plan: EventsPlan
    private let console: Console
    private let values: FilteredBody
    private var number = 0
    private var endsWithLine = true

    init(_ plan: EventsPlan, console: Console) {
        self.plan = plan
        self.console = console
        values = FilteredBody(style: plan.request.output, warn: console.note)
    }

    /// Prints an event, unless its type was not requested.
    ///
    /// - Throws: ``JSONFilter/Unreadable`` if a path is requested of data that is not JSON; ``ClosedOutput``.
    mutating func print(_ event: ServerSentEvent) throws {
        number += 1
        if !plan.types.isEmpty, !plan.types.contains(event.type) { return }
        var line: [UInt8] = []
        if let filter = plan.request.output.filter {
            // An event without data only announces an ID.
            if event.data.isEmpty { return }
            for value in try filter.values(in: try json(event.data)) { try add(value, to: &line) }
        } else if plan.showsMetadata {
            let id = event.id.map(JSON.string) ?? .null
            try add(["type": .string(event.type), "id": id, "data": .string(event.data)], to: &line)
        } else {
            try add(event.data, to: &line)
        }
        try write(line)
    }

    /// Ends the last line.
    mutating func finish() throws {
        if !endsWithLine { try write([UInt8(ascii: "\n")]) }
    }

    private mutating func write(_ bytes: [UInt8]) throws {
        guard let last = bytes.last else { return }
        endsWithLine = last == UInt8(ascii: "\n")
        try console.write(bytes)
    }

    private func add(_ value: JSON, to line: inout [UInt8]) throws {
        guard plan.joins else { return try values.writeLine(value) { line += $0 } }
        // The first and the last part of a reply often have no text.
        if value != .null { line += shown(value.string ?? String(decoding: value.encoded(), as: UTF8.self)) }
    }

    private func add(_ data: String, to line: inout [UInt8]) throws {
        if plan.joins { return line += shown(data) }
        let isInLines = data.utf8.contains(UInt8(ascii: "\n"))
        guard isInLines || plan.request.output.colors, EventOutput.isJSON(data) else {
            return line += shown(data) + [UInt8(ascii: "\n")]
        }
        let bytes = Array(data.utf8)
        try values.writeJSON(isInLines ? JSONTokens.compact(bytes) : bytes) { line += $0 }
    }

    private static func isJSON(_ data: String) -> Bool {
        let first = data.utf8.first
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return false }
        return (try? JSON(parsing: data)) != nil
    }

    private func shown(_ text: String) -> [UInt8] {
        Array((plan.request.output.isTerminal ? TerminalText.harmless(text) : text).utf8)
    }

    private func json(_ data: String) throws -> JSON {
        do {
            return try JSON(parsing: data)
        } catch {
            let hint = plan.sentinel == nil ? "; --until \(quoted(data)) ends the stream at such an event" : ""
            throw JSONFilter.Unreadable(
                reason: "the data of event \(number) is not JSON (line \(error.line), column \(error.column))\(hint)"
            )
        }
    }
}
