// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes

/// The values of a JSON response at a path, or the whole of it in another form.
struct FilteredBody {
    /// The limit for a body, or one of its lines, in memory.
    static let limit = 64 << 20
    /// The data with which many services end a stream of events, and which is not JSON.
    private static let sentinel = "[DONE]"

    let style: OutputPlan
    /// Prints a warning.
    let warn: (String) -> Void
    /// A body that is one value is also noted here; `nil` for none.
    var capture: ResponseCapture?

    private var option: String { style.filter == nil ? "--as" : "--filter" }

    /// Reads a response, and writes its values.
    ///
    /// JSON lines are filtered one by one as they arrive; with a form, they are read to their end first.
    func write(_ stream: ResponseStream, _ write: OutputPieces.Write) async throws {
        let type = style.responseType ?? stream.headers[.contentType].flatMap { MediaType($0) }
        switch BodyKind(type) {
        case .events: try await writeEvents(of: stream, write)
        case .jsonLines: try await writeLines(of: stream, write)
        case .json, .xml, .html, .other:
            var bytes: [UInt8] = []
            for try await chunk in stream {
                try capture?.take(chunk)
                try check(bytes.count + chunk.count, of: stream)
                // Growing would copy all of it, again and again; what isn't used costs nothing.
                let count = bytes.count + chunk.count
                if count > bytes.capacity { bytes.reserveCapacity(count < 1 << 20 ? 2 << 20 : FilteredBody.limit) }
                chunk.withUnsafeBytes { bytes.append(contentsOf: $0) }
            }
            try writeValue(try style.inUTF8(bytes, of: type, for: option), of: type, write)
        }
    }

    private func writeValue(_ bytes: [UInt8], of type: MediaType?, _ write: OutputPieces.Write) throws {
        if bytes.isEmpty { throw unreadable("the response has no body") }
        let json: JSON
        do {
            json = try JSON(parsing: bytes)
        } catch {
            if try writeLines(in: bytes, write) { return }
            let kind = type.flatMap { $0.isJSON ? nil : " but \(PeerText.printable($0.essence, limit: 60))" } ?? ""
            let problem = FilteredBody.problem(error, kind)
            throw unreadable("the response \(problem) (line \(error.line), column \(error.column))")
        }
        if style.table == .json, style.filter == nil {
            // Its own text has all members, also those with equal names.
            return try writeJSON(JSONTokens.compact(bytes), write)
        }
        warnOfEqualNames(in: bytes)
        let values = try style.filter?.values(in: json) ?? [json]
        if let form = style.table { return try ResultForm(form, style: style).write(values, write) }
        for value in values { try writeLine(value, write) }
        try endJoined(write)
    }

    /// Why a text can't be read; one that is nested too deep may well be JSON.
    private static func problem(_ error: JSON.ParsingError, _ kind: String = "") -> String {
        error.reason == .tooDeep ? "is nested too deeply" : "is not JSON\(kind)"
    }

    /// Writes the values of JSON lines that are called JSON; whether the body begins with such lines.
    private func writeLines(in bytes: [UInt8], _ write: OutputPieces.Write) throws -> Bool {
        var lines = JSONLines()
        var all = lines.take(bytes)
        if let line = lines.last() { all.append(line) }
        guard all.count > 1, (try? JSON(parsing: all[0].bytes)) != nil else { return false }
        var held: [JSON] = []
        for line in all { try take(line, &held, write) }
        try finish(held, write)
        return true
    }

    /// Writes the values that were kept for a form, or ends the line of joined ones.
    private func finish(_ held: [JSON], _ write: OutputPieces.Write) throws {
        guard let form = style.table, form != .jsonl else { return try endJoined(write) }
        try ResultForm(form, style: style).write([.array(held)], write)
    }

    private func endJoined(_ write: OutputPieces.Write) throws {
        if style.joins { try write([UInt8(ascii: "\n")]) }
    }

    /// Writes a line's values; for a form they are kept.
    private func take(_ line: JSONLines.Line, _ held: inout [JSON], _ write: OutputPieces.Write) throws {
        let json: JSON
        do throws(JSON.ParsingError) {
            json = try JSON(parsing: line.bytes)
        } catch {
            let problem = FilteredBody.problem(error)
            throw unreadable("line \(line.number) of the response \(problem) (column \(error.column))")
        }
        try take(json, line.bytes, &held, write)
    }

    private func take(
        _ json: JSON,
        _ bytes: [UInt8],
        _ held: inout [JSON],
        _ write: OutputPieces.Write
    ) throws {
        warnOfEqualNames(in: bytes)
        let values = try style.filter?.values(in: json) ?? [json]
        switch style.table {
        case nil: for value in values { try writeLine(value, write) }
        case .jsonl: for value in values { try writeJSON(value.encoded(), write) }
        case .json, .yaml, .csv, .table: held += values
        }
    }

    /// Writes the values of the data of events, as they arrive.
    private func writeEvents(of stream: ResponseStream, _ write: OutputPieces.Write) async throws {
        var held: [JSON] = []
        var (number, count) = (0, 0)
        for try await event in stream.events(limit: FilteredBody.limit) {
            number += 1
            if event.data.isEmpty || event.data == FilteredBody.sentinel { continue }
            let bytes = Array(event.data.utf8)
            if holdsValues { count += bytes.count }
            try check(count, of: stream)
            let json: JSON
            do throws(JSON.ParsingError) {
                json = try JSON(parsing: bytes)
            } catch {
                stream.cancel()
                let problem = FilteredBody.problem(error)
                throw unreadable("the data of event \(number) \(problem) (column \(error.column))")
            }
            try take(json, bytes, &held, write)
        }
        try finish(held, write)
    }

    /// Whether values are kept until the end of the response.
    var holdsValues: Bool { style.table != nil && style.table != .jsonl }

    private func writeLines(of stream: ResponseStream, _ write: OutputPieces.Write) async throws {
        var lines = JSONLines()
        var held: [JSON] = []
        var count = 0
        for try await chunk in stream {
            if holdsValues { count += chunk.count }
            for line in lines.take(chunk.bytes) { try take(line, &held, write) }
            try check(max(count, lines.heldCount), of: stream)
        }
        if let line = lines.last() { try take(line, &held, write) }
        try finish(held, write)
    }

    /// Writes one value as text or JSON.
    ///
    /// With `--join`, no line break follows, and null prints nothing.
    func writeLine(_ value: JSON, _ write: OutputPieces.Write) throws {
        if style.joins {
            if value.isNull { return }
            let text = value.string ?? String(decoding: value.encoded(), as: UTF8.self)
            return try write(Array((style.isTerminal ? TerminalText.harmless(text) : text).utf8))
        }
        guard let text = value.string else { return try writeJSON(value.encoded(), write) }
        try write(Array((style.isTerminal ? TerminalText.harmless(text) : text).utf8) + [UInt8(ascii: "\n")])
    }

    /// Writes JSON, formatted if the style says so, and a line end.
    func writeJSON(_ bytes: [UInt8], _ write: OutputPieces.Write) throws {
        var body = BodyPrinter(type: .json, style: style)
        try body.take(ByteChunk(bytes), write)
        try body.finish(write)
        if let remark = body.remark { warn("cumulus: note: \(remark)") }
        try write([UInt8(ascii: "\n")])
    }

    private func warnOfEqualNames(in bytes: [UInt8]) {
        if let warning = JSONTokens.equalNameWarning(in: bytes) { warn(warning) }
    }

    private func check(_ count: Int, of stream: ResponseStream) throws {
        if count > FilteredBody.limit {
            stream.cancel()
            throw unreadable("the response is longer than 64 MiB")
        }
        guard let excess = stream.excess(of: count) else { return }
        stream.cancel()
        throw unreadable("the response \(excess)")
    }

    private func unreadable(_ reason: String) -> JSONFilter.Unreadable {
        JSONFilter.Unreadable(option: option, reason: reason)
    }
}

extension OutputPlan {
    /// A body of JSON in UTF-8: from the charset that the user names, else as the library reads JSON.
    ///
    /// - Throws: `JSONFilter.Unreadable`, which names the option, for bytes that are not in that charset.
    func inUTF8(_ bytes: [UInt8], of type: MediaType?, for option: String) throws -> [UInt8] {
        guard let charset else { return bytes.withUnsafeBytes { JSON.transcoded($0, of: type) } ?? bytes }
        guard let text = try? TextCoder(charset: charset).decode(String.self, from: ByteChunk(bytes), of: nil) else {
            throw JSONFilter.Unreadable(option: option, reason: "the response is not valid \(charset)")
        }
        return Array(text.utf8)
    }
}
