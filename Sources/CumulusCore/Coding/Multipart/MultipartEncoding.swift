// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Parts → a body: contents in memory are joined; files and streams are read when the body is sent.
struct MultipartEncoding {
    /// In-memory bodies up to this size are sent as bytes, larger ones in pieces.
    private static let joinedLimit: Int64 = 1 << 20
    /// Pieces up to this size are joined.
    private static let smallPiece = 16_384

    private let type: MediaType
    private let boundary: String
    private let coders: CoderRegistry
    private let parts: [MultipartPart]
    private let dispositions: [String]?
    private var segments: [MultipartSegment] = []
    private var pending: [UInt8] = []

    /// Prepares to encode; `dispositions` has a `Content-Disposition` for each part of a form.
    init(
        parts: [MultipartPart],
        dispositions: [String]?,
        type: MediaType,
        boundary: String?,
        coders: CoderRegistry
    ) throws(MultipartProblem) {
        // A request that sets its own type may also name the boundary.
        let chosen = type["boundary"] ?? boundary
        self.boundary = try chosen.map(MultipartBoundary.checked) ?? MultipartBoundary.random()
        self.type = type
        self.coders = coders
        self.parts = parts
        self.dispositions = dispositions
    }

    /// The body, and its media type with the boundary.
    consuming func encoded() throws -> (body: RequestBody, type: MediaType) {
        for (index, part) in parts.enumerated() { try add(part, at: index) }
        add(end)
        flush()
        return (try body(), named())
    }

    /// The sections of a part that is sent when it arrives.
    consuming func segments(of part: MultipartPart, at index: Int) throws -> [MultipartSegment] {
        try add(part, at: index)
        flush()
        return segments
    }

    /// The text after the last part.
    var end: ByteChunk { ByteChunk("--\(boundary)--\r\n") }

    private mutating func add(_ part: MultipartPart, at index: Int) throws {
        let bytes = try encodedValue(of: part)
        add("--\(boundary)\r\n")
        try addHeader(of: part, at: index)
        add("\r\n")
        try addContent(of: part, encoded: bytes, at: index)
        add("\r\n")
    }

    /// The media type with the boundary.
    func named() -> MediaType {
        // A type that is not multipart was set on purpose.
        guard type.type == "multipart", type["boundary"] == nil else { return type }
        let parameter = MediaType.Parameter(name: "boundary", value: boundary)
        return MediaType(type.type, type.subtype, parameters: type.parameters + [parameter])
    }

    private func encodedValue(of part: MultipartPart) throws -> ByteChunk? {
        guard case .value(let value) = part.content else { return nil }
        return try coders.encode(value, named: part.mediaType, declared: nil, target: "").bytes
    }

    private mutating func addHeader(of part: MultipartPart, at index: Int) throws(MultipartProblem) {
        var headers = Headers()
        if let dispositions { headers[.init("Content-Disposition")] = dispositions[index] }
        if let type = part.mediaType { headers[.contentType] = type.description }
        let fields: HTTPFields
        do throws(Headers.Malformation) {
            fields = try headers.merging(part.headers).fields()
        } catch {
            throw MultipartProblem(.header, part: index, error.description)
        }
        for field in fields { add("\(field.name.rawName): \(field.value)\r\n") }
    }

    private mutating func addContent(
        of part: MultipartPart,
        encoded: ByteChunk?,
        at index: Int
    ) throws {
        switch part.content {
        case .bytes(let chunk): add(chunk)
        case .value: if let encoded { add(encoded) }
        case .file(let path, let range):
            flush()
            segments.append(.file(try MultipartFile(path: path, range: range, part: index)))
        case .stream(let stream):
            guard stream.canBeSent else { throw BodyAlreadySent() }
            if let length = stream.length, length < 0 {
                throw MultipartProblem(.length, part: index, "a stream can't have \(length) bytes")
            }
            flush()
            segments.append(.stream(stream, part: index))
        }
    }

    private mutating func add(_ text: String) { pending.append(contentsOf: text.utf8) }

    private mutating func add(_ chunk: ByteChunk) {
        if chunk.count <= Self.smallPiece {
            chunk.withUnsafeBytes { pending.append(contentsOf: $0) }
        } else {
            flush()
            segments.append(.bytes(chunk))
        }
    }

    private mutating func flush() {
        if !pending.isEmpty { segments.append(.bytes(ByteChunk(pending))) }
        pending = []
    }

    private func body() throws(MultipartProblem) -> RequestBody {
        let length = try length()
        if let length, length <= Self.joinedLimit, let bytes = joined() { return .bytes(bytes) }
        let replay = segments.reduce(StreamBody.Replay.seekable) { replay, segment in
            switch (replay, segment.replay) {
            case (.once, _), (_, .once): .once
            case (.restartable, _), (_, .restartable): .restartable
            case (.seekable, .seekable): .seekable
            }
        }
        let segments = segments
        return .stream(
            StreamBody(length: length, replay: replay) { offset, writer in
                var skipped = offset
                for segment in segments {
                    if let length = segment.length, length <= skipped {
                        skipped -= length
                        continue
                    }
                    try await segment.write(from: skipped, to: writer)
                    skipped = 0
                }
            }
        )
    }

    /// The length of all segments; `nil` if a stream's length is unknown.
    private func length() throws(MultipartProblem) -> Int64? {
        var total: Int64 = 0
        for segment in segments {
            guard let length = segment.length else { return nil }
            let (sum, isOverflowing) = total.addingReportingOverflow(length)
            if isOverflowing { throw MultipartProblem(.length, "the parts together exceed the maximum body length") }
            total = sum
        }
        return total
    }

    /// The body in one piece; `nil` if it has files or streams.
    private func joined() -> ByteChunk? {
        var bytes: [UInt8] = []
        for segment in segments {
            guard case .bytes(let chunk) = segment else { return nil }
            if segments.count == 1 { return chunk }
            chunk.withUnsafeBytes { bytes.append(contentsOf: $0) }
        }
        return ByteChunk(bytes)
    }
}
