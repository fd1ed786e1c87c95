// SPDX-License-Identifier: Apache-2.0

/// Reads the lines or JSON values of a stream's body.
///
/// It holds at most one of them and one piece of the body.
struct ElementReader: Sendable {
    let stream: ResponseStream
    let form: ElementSplitter.Form
    let limit: Int
    var watch: SilenceWatch?
    /// Whether a value that the body's end cuts off is dropped; otherwise it is an error.
    var dropsIncomplete = false

    /// Returns the next element; `nil` after the last.
    ///
    /// Bytes that were read ahead stay with the stream, so that another reader continues after this element.
    func next() async throws -> ElementSplitter.Element? {
        if let problem = stream.contentCodingProblem { return try stream.checked { throw problem } }
        return try await stream.ahead.read(of: stream.request) { unread in
            var splitter = ElementSplitter(form, limit: limit, line: unread.line, number: unread.number)
            defer { (unread.line, unread.number) = (splitter.line, splitter.number) }
            while true {
                let element = try stream.checked {
                    try unread.chunk.withUnsafeBytes { try splitter.next(in: $0, from: &unread.place) }
                }
                if let element { return element }
                guard let more = try await stream.pull(watch) else {
                    (unread.chunk, unread.place) = ([], 0)
                    let last = splitter.finish()
                    return dropsIncomplete && last?.problem != nil ? nil : last
                }
                (unread.chunk, unread.place) = (more.bytes, 0)
            }
        }
    }
}

extension ElementSplitter.Form {
    /// The media type of the values, for errors.
    fileprivate var mediaType: MediaType {
        switch self {
        case .lines: .jsonLines
        case .jsonSequence: .jsonSequence
        case .concatenatedJSON: .json
        }
    }
}

extension ElementSplitter.Element {
    /// Decodes the value; `nil` for a blank line.
    ///
    /// - Throws: ``LineProblem``.
    func decode<Value: Decodable>(
        as type: Value.Type,
        of form: ElementSplitter.Form,
        using coder: JSONCoder
    ) throws(LineProblem) -> Value? {
        let chunk = ByteChunk(bytes)
        if let problem { throw LineProblem(line: line, value: number, cause: problem, in: chunk) }
        if form == .lines, bytes.withUnsafeBytes({ JSONLine.content($0) == nil }) { return nil }
        do {
            return try coder.decode(type, from: chunk, of: nil)
        } catch {
            let problem = DecodingProblem(error, type: type, bytes: chunk, mediaType: form.mediaType)
            throw LineProblem(line: line, value: number, cause: problem, in: chunk)
        }
    }

    /// Decodes the line as UTF-8.
    ///
    /// - Throws: ``LineProblem``.
    func text() throws(LineProblem) -> String {
        if let text = bytes.withUnsafeBytes({ Charset.utf8Text($0) }) { return text }
        let problem = CodingProblem("the text is not valid UTF-8")
        throw LineProblem(line: line, cause: problem, in: ByteChunk(bytes))
    }
}

extension MediaType {
    /// `application/json-seq` (RFC 7464).
    static let jsonSequence = MediaType("application", "json-seq")
}
