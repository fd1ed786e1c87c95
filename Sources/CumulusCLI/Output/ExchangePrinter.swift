// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

/// Prints the parts of an exchange that are asked for, in their order, a blank line between them.
struct ExchangePrinter {
    private let style: OutputPlan
    private let console: Console
    /// Whether anything was printed.
    private(set) var hasPrinted = false
    private var endsWithLine = true
    /// What the body says of a problem, once it has been read.
    private(set) var problem: String?

    init(_ style: OutputPlan, console: Console) {
        self.style = style
        self.console = console
    }

    /// Whether the reader sees the status anyway.
    var tellsStatus: Bool { style.isTerminal && style.parts.contains(.responseHead) && !style.isQuiet }

    /// Says something on standard error that is no part of the exchange.
    func warn(_ line: String) {
        if !style.isSilent { console.note(line) }
    }

    /// Prints a request's head and body, as far as they are asked for.
    mutating func print(_ request: TransportRequest) throws {
        if style.parts.contains(.requestHead) { try begin(HeadText(style: style).text(of: request)) }
        guard style.parts.contains(.requestBody) else { return }
        switch request.body {
        case .none: break
        case .bytes(let bytes):
            if bytes.isEmpty { break }
            if !style.showsSecrets, request.headers[.contentEncoding] != nil {
                return warn("cumulus: note: the request's body is compressed, and shown with --show-secrets only")
            }
            var own = style
            // What is said of the response is not said of the request.
            own.charset = nil
            let type = request.headers[.contentType].flatMap { MediaType(parsing: $0) }
            var body = BodyPrinter(type: type, style: own)
            let shown = style.showsSecrets ? bytes : ByteChunk(SecretRedaction.body(bytes, of: type))
            try begin("")
            try body.take(shown) { try add($0) }
            try end(&body)
        case .file, .stream: warn("cumulus: note: the request's body is streamed and not shown")
        }
    }

    /// Prints a response's head, if it is asked for.
    mutating func print(_ head: ResponseHead) throws {
        if style.parts.contains(.responseHead) { try begin(HeadText(style: style).text(of: head)) }
    }

    /// Reads the body to its end, and prints it or writes it to the file.
    mutating func printBody(of stream: ResponseStream) async throws {
        let type = stream.headers[.contentType].flatMap { MediaType(parsing: $0) }
        var collector = ProblemCollector(type: type)
        defer { problem = collector.text }
        if let path = style.file { return try await save(stream, to: path, &collector) }
        guard style.parts.contains(.responseBody), !style.isQuiet else {
            // Read all the same: the times and the end of it tell whether it came whole.
            for try await chunk in stream { collector.take(chunk) }
            return
        }
        var body = BodyPrinter(type: style.responseType ?? type, style: style)
        var isFirst = true
        for try await chunk in stream {
            collector.take(chunk)
            if isFirst { try begin("") }
            isFirst = false
            try body.take(chunk) { try add($0) }
            if body.isSuppressed { stream.cancel() }
            if body.isSuppressed { break }
        }
        try end(&body)
    }

    /// Prints times and addresses, if they are asked for.
    mutating func printMeta(elapsed: Duration, facts: ExchangeFacts, redirects: Int) throws {
        guard style.parts.contains(.meta) else { return }
        try begin(MetaText(style: style).text(elapsed: elapsed, facts: facts, redirects: redirects))
    }

    private func save(
        _ stream: ResponseStream,
        to path: String,
        _ collector: inout ProblemCollector
    ) async throws {
        let file: OutputFile
        do {
            file = try console.create(path)
        } catch {
            throw UsageMistake("the file \(quoted(path)) can't be written: \(error)")
        }
        do {
            for try await chunk in stream {
                collector.take(chunk)
                try writing(path) { try file.write(chunk.bytes) }
            }
            try writing(path) { try file.close() }
        } catch {
            try? file.close()
            warn("cumulus: warning: \(quoted(path)) is incomplete")
            throw error
        }
    }

    /// Writes to the file; an error names it.
    private func writing(_ path: String, _ write: () throws -> Void) throws {
        do { try write() } catch { throw OutputProblem(path: path, reason: "\(error)") }
    }

    /// Begins a part: a blank line parts it from the one before.
    private mutating func begin(_ text: String) throws {
        if hasPrinted { try add(Array((endsWithLine ? "\n" : "\n\n").utf8)) }
        hasPrinted = true
        try add(Array(text.utf8))
    }

    private mutating func end(_ body: inout BodyPrinter) throws {
        try body.finish { try add($0) }
        if body.isTooLarge {
            warn("cumulus: note: the body is nested so deep that its layout would be huge; it is shown as it came")
        }
        if body.isSuppressed {
            warn("cumulus: note: the body is binary and not shown on a terminal; -o FILE or a pipe takes it")
        }
        // The prompt of a shell begins on a line of its own; a pipe gets the body alone.
        if style.isTerminal, !endsWithLine { try add(Array("\n".utf8)) }
    }

    private mutating func add(_ bytes: [UInt8]) throws {
        guard let last = bytes.last, !style.isQuiet else { return }
        endsWithLine = last == UInt8(ascii: "\n")
        try console.write(bytes)
    }
}
