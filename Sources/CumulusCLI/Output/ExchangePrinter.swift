// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes

/// Prints the requested parts of an exchange, in order, separated by blank lines.
struct ExchangePrinter {
    let style: OutputPlan
    let console: Console
    /// Whether anything was printed.
    private(set) var hasPrinted = false
    /// The status and body are also noted here; `nil` for none.
    var capture: ResponseCapture?
    private var endsWithLine = true
    /// The scheme of the credentials in the last request, if any.
    private(set) var sentScheme: String?
    /// The problem described in the body, once it has been read.
    private(set) var problem: String?

    /// Whether another exchange was printed before, so that a separator is needed.
    private var follows: Bool

    init(_ style: OutputPlan, console: Console, isFirst: Bool = true) {
        self.style = style
        self.console = console
        // In a pipe, bodies alone are concatenated.
        follows = !isFirst && !style.isWire && (style.isTerminal || style.parts != .responseBody)
    }

    /// Whether the output shows the status anyway.
    var tellsStatus: Bool { style.isTerminal && style.parts.contains(.responseHead) && !style.isQuiet }

    /// Prints a line on standard error that is not part of the exchange.
    func warn(_ line: String) {
        if !style.isSilent { console.note(line) }
    }

    /// Prints a request's head and body, if requested; the protocol is that of its response.
    mutating func print(_ request: TransportRequest, over protocolName: String? = nil) throws {
        try print(headOf: request, over: protocolName)
        try print(bodyOf: request)
    }

    /// Prints a request's head, if requested.
    mutating func print(headOf request: TransportRequest, over protocolName: String? = nil) throws {
        sentScheme = request.headers[.authorization].map { String($0.before(" ")) }
        guard style.parts.contains(.requestHead) else { return }
        try begin(HeadText(style: style).text(of: request, over: protocolName))
    }

    /// Prints a request's body, if requested and in memory.
    mutating func print(bodyOf request: TransportRequest) throws {
        guard style.parts.contains(.requestBody) else { return }
        switch request.body {
        case .none: break
        case .bytes(let bytes):
            if bytes.isEmpty { break }
            if !style.showsSecrets, request.headers[.contentEncoding] != nil {
                return warn("cumulus: note: the request's body is compressed and shown only with --show-secrets")
            }
            var own = style
            // The option for the response's charset doesn't apply to the request.
            own.charset = nil
            let type = request.headers[.contentType].flatMap { MediaType($0) }
            var body = BodyPrinter(type: type, style: own)
            guard let shown = style.showsSecrets ? bytes : SecretRedaction.body(bytes, of: type).map(ByteChunk.init)
            else { return noteHidden(bytes.count, of: type) }
            try begin("")
            try body.take(shown) { try add($0) }
            try end(&body)
        case .file, .stream: warn("cumulus: note: the request's body is streamed and not shown")
        }
    }

    /// Says that a request's body was not printed, since only secrets of JSON and forms are recognized.
    func noteHidden(_ count: Int, of type: MediaType?) {
        let facts = "\(type.map { "\($0.essence), " } ?? "")\(count) bytes"
        warn("cumulus: note: the request's body (\(facts)) is shown only with --show-secrets")
    }

    /// Prints a response's head, if requested.
    ///
    /// With `-v`, the cache says on standard error what it did.
    mutating func print(_ head: ResponseHead) throws {
        if style.parts.contains(.requestHead), let note = head.storeNote { warn("cumulus: cache: \(note)") }
        if style.parts.contains(.responseHead) { try begin(HeadText(style: style).text(of: head)) }
    }

    /// Writes a response's head to the file of `--headers-to`, as a pipe would get it.
    func saveHead(_ head: ResponseHead) throws {
        guard let path = style.headFile else { return }
        let text = HeadText(style: style.forFile).text(of: head)
        try writing(path) {
            let file = try console.create(path)
            try file.write(Array(text.utf8))
            try file.close()
        }
    }

    /// Prints the exchanges before the last, if requested.
    mutating func print(earlier exchanges: ArraySlice<ExchangeRecorder.Recorded>) throws {
        guard style.earlier != .nothing else { return }
        for exchange in exchanges {
            try print(exchange.request, over: exchange.head?.protocolName)
            guard let head = exchange.head else { continue }
            try print(head)
            guard style.parts.contains(.responseBody), let bytes = exchange.body, !bytes.isEmpty else { continue }
            if head.receivedHeaders[.contentEncoding] != nil {
                warn("cumulus: note: the body of a \(head.status.code) response is compressed and not shown")
                continue
            }
            var body = BodyPrinter(type: head.headers[.contentType].flatMap { MediaType($0) }, style: style)
            try begin("")
            try body.take(bytes) { try add($0) }
            try end(&body)
        }
    }

    /// Reads the body to its end, and prints it or writes it to the file.
    mutating func printBody(of stream: ResponseStream) async throws {
        let type = stream.headers[.contentType].flatMap { MediaType($0) }
        var collector = ProblemCollector(type: type, statusCode: stream.status.code)
        defer { problem = collector.text }
        try check(codingOf: stream)
        if let path = style.file { return try await save(stream, to: path, &collector) }
        guard style.parts.contains(.responseBody), !style.isQuiet else {
            // Read anyway: the times and the end show whether it is complete.
            for try await chunk in stream {
                try capture?.take(chunk)
                collector.take(chunk)
            }
            return
        }
        if style.isFiltered, 200..<300 ~= stream.status.code { return try await printFiltered(stream) }
        var body = BodyPrinter(type: style.responseType ?? type, style: style)
        var isFirst = true
        do {
            for try await chunk in stream {
                try capture?.take(chunk)
                collector.take(chunk)
                if isFirst { try begin("") }
                isFirst = false
                try body.take(chunk) { try add($0) }
                if body.isSuppressed { stream.cancel() }
                if body.isSuppressed { break }
            }
        } catch let error where !(error is ClosedOutput || error is OutputProblem) {
            // Also after Ctrl-C: the received part is kept.
            try? body.breakOff { try add($0) }
            if style.isTerminal, !isFirst, !endsWithLine { try? add(Array("\n".utf8)) }
            throw error
        }
        try end(&body)
    }

    /// Warns of a body with a coding that was not requested; no value can be read from it.
    private func check(codingOf stream: ResponseStream) throws {
        guard let problem = stream.contentCodingProblem else { return }
        if style.isFiltered, 200..<300 ~= stream.status.code {
            let request = stream.request
            throw CumulusError(.contentCoding, stage: .decoding, problem.description, request: request, cause: problem)
        }
        guard style.file != nil || style.parts.contains(.responseBody) && !style.isQuiet else { return }
        warn("cumulus: warning: \(PeerText.printable(problem.description, limit: 1_000)); the body was not decoded")
    }

    /// Prints times and addresses, if requested, and the values for scripts.
    mutating func printMeta(of result: ExchangeResult) throws {
        if style.parts.contains(.meta), style.metaIsJSON {
            try begin("")
            var body = BodyPrinter(type: .json, style: style)
            try body.take(ByteChunk(result.json.encoded())) { try add($0) }
            try body.finish { try add($0) }
            try add(Array("\n".utf8))
        } else if style.parts.contains(.meta) {
            let text = MetaText(style: style).text(
                elapsed: result.elapsed,
                facts: result.facts,
                redirects: result.redirects,
                attempts: result.attempts
            )
            try begin(text)
        }
        guard let format = style.format else { return }
        let clean = { (text: String) in style.isTerminal ? TerminalText.harmless(text, keepsLines: false) : text }
        // Even with -q, when nothing else is on standard output.
        let lineEnd = endsWithLine || style.isQuiet ? "" : "\n"
        try console.write(Array("\(lineEnd)\(format.text(of: result, clean: clean))".utf8))
        endsWithLine = true
    }

    private func save(
        _ stream: ResponseStream,
        to path: String,
        _ collector: inout ProblemCollector
    ) async throws {
        if CommandStatus(statusCode: stream.status.code) != .success, console.hasContent(path) {
            for try await chunk in stream {
                try capture?.take(chunk)
                collector.take(chunk)
            }
            let code = stream.status.code
            return warn(
                "cumulus: warning: \(quoted(path)) was not changed: the response is a \(code) and was not saved"
            )
        }
        let file: OutputFile
        do {
            file = try replacement(of: path, stream) ?? console.create(path)
        } catch {
            // It could be made before the request was sent.
            throw OutputProblem(path: path, reason: "\(error)")
        }
        do {
            if style.isFiltered, 200..<300 ~= stream.status.code {
                try await FilteredBody(style: style.forFile, warn: warn, capture: capture).write(stream) { bytes in
                    try writing(path) { try file.write(bytes) }
                }
            } else {
                for try await chunk in stream {
                    try capture?.take(chunk)
                    collector.take(chunk)
                    try writing(path) { try file.write(chunk.bytes) }
                }
            }
            try writing(path) { try file.close() }
        } catch {
            let state = file.abandon() ? "unchanged: the body is incomplete" : "incomplete"
            warn("cumulus: warning: \(quoted(path)) is \(state)")
            throw error
        }
    }

    /// The file that replaces one with content, which a broken body leaves as it was.
    private func replacement(of path: String, _ stream: ResponseStream) -> OutputFile? {
        switch BodyKind(stream.headers[.contentType].flatMap { MediaType($0) }) {
        // Their reader may want each one as it arrives, and Ctrl-C is the usual end.
        case .events, .jsonLines: nil
        default: console.replace(path)
        }
    }

    /// Writes to the file, and adds its name to an error.
    private func writing(_ path: String, _ write: () throws -> Void) throws {
        do { try write() } catch { throw OutputProblem(path: path, reason: "\(error)") }
    }

    /// Begins a part: a blank line separates it from the one before.
    mutating func begin(_ text: String) throws {
        if hasPrinted || follows { try add(Array((endsWithLine ? "\n" : "\n\n").utf8)) }
        follows = false
        hasPrinted = true
        try add(Array(text.utf8))
    }

    private mutating func end(_ body: inout BodyPrinter) throws {
        try body.finish { try add($0) }
        if let remark = body.remark { warn("cumulus: note: \(remark)") }
        if body.isSuppressed {
            warn("cumulus: note: the body is binary and not shown on a terminal; save it with -o FILE, or pipe it")
        }
        // A shell's prompt begins on a new line; a pipe gets only the body.
        let isApart = style.isTerminal || style.endsBodies && (style.formats || style.colors)
        if isApart, !endsWithLine { try add(Array("\n".utf8)) }
    }

    /// Writes bytes unchanged.
    mutating func write(_ bytes: [UInt8]) throws {
        hasPrinted = true
        try add(bytes)
    }

    private mutating func add(_ bytes: [UInt8]) throws {
        guard let last = bytes.last, !style.isQuiet else { return }
        endsWithLine = last == UInt8(ascii: "\n")
        try console.write(bytes)
    }
}
