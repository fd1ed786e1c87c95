// SPDX-License-Identifier: Apache-2.0

// Bodies that are written as they are produced. The next element is requested when the transport has taken the one
// before.

extension Payload {
    /// Creates a payload with values as newline-delimited JSON, `application/x-ndjson`, each sent as it arrives.
    ///
    /// The body is read once and sent chunked. A redirect that would need it again is returned like any other response.
    /// A value that can't be encoded ends the request; its ``EncodingProblem`` contains the value's number.
    ///
    /// - Parameters:
    ///   - values: The values.
    ///   - coder: The coder for the values; `nil` uses the one in the setting ``Resource/Settings/coders``.
    /// - Returns: The payload.
    public static func jsonLines<Values: AsyncSequence & Sendable>(
        _ values: Values,
        using coder: JSONCoder? = nil
    ) -> Payload where Values.Element: Encodable & Sendable {
        let form = ValueForm(between: "", end: "\n", mediaType: .jsonLines)
        return sequence(values, form) { coder ?? $0.jsonLines }
    }

    /// Creates a payload with values as one JSON array, `application/json`, each sent as it arrives.
    ///
    /// The body is read once and sent chunked, as with ``jsonLines(_:using:)``. For a list that is in memory, use
    /// `.json(list)`.
    ///
    /// - Parameters:
    ///   - values: The elements of the array.
    ///   - coder: The coder for the values; `nil` uses the one in the setting ``Resource/Settings/coders``.
    /// - Returns: The payload.
    public static func jsonArray<Values: AsyncSequence & Sendable>(
        _ values: Values,
        using coder: JSONCoder? = nil
    ) -> Payload where Values.Element: Encodable & Sendable {
        let form = ValueForm(start: "[", between: ",", finish: "]", mediaType: .json)
        return sequence(values, form) { coder ?? $0.json }
    }

    /// Creates a payload with the bytes of a response as they arrive, and with its media type and length.
    ///
    ///     let video = try await camera.call(.get).stream()
    ///     try await archive.put(.stream(video)).requireSuccess()
    ///
    /// If the receiving server is slow, the sending server has to wait. If the request fails while it is sent, the
    /// response is cancelled. The body is sent chunked if the response has no length, or if you have read a part of it.
    ///
    /// - Parameters:
    ///   - response: The response. It is read once.
    ///   - type: The media type; by default that of the response, unless a setting overrides it.
    /// - Returns: The payload.
    public static func stream(_ response: ResponseStream, type: MediaType? = nil) -> Payload {
        let body = StreamBody(length: response.unreadLength) { _, writer in
            if let problem = response.contentCodingProblem { throw problem }
            do {
                for try await piece in response { try await writer.write(piece) }
            } catch {
                response.cancel()
                throw error
            }
        }
        return Payload(content: .body(.stream(body), named: type, fallback: response.mediaType ?? .bytes))
    }

    /// Creates a payload with the parts of a multipart body, each sent as it arrives: `multipart/mixed`,
    /// `multipart/related`, ...
    ///
    /// The sequence is read once, and the body is sent chunked. A part that can't be sent ends the request with
    /// ``CumulusError/Code/requestBody``.
    ///
    /// - Parameters:
    ///   - parts: The parts.
    ///   - type: The media type; the boundary is added to its parameters.
    ///   - boundary: The delimiter between the parts; `nil` generates an unpredictable one.
    /// - Returns: The payload.
    public static func multipart<Parts: AsyncSequence & Sendable>(
        _ parts: Parts,
        type: MediaType,
        boundary: String? = nil
    ) -> Payload where Parts.Element == MultipartPart {
        let once = StreamBody { _, _ in }
        return Payload { coders, asked in
            let encoding = try MultipartEncoding(
                parts: [],
                dispositions: nil,
                type: asked ?? type,
                boundary: boundary,
                coders: coders
            )
            let body = once.through { offset, writer, own in
                try await own(offset, writer)
                var index = 0
                for try await part in parts {
                    for segment in try encoding.segments(of: part, at: index) {
                        try await segment.write(from: 0, to: writer)
                    }
                    index += 1
                }
                try await writer.write(encoding.end)
            }
            return (.stream(body), encoding.named())
        }
    }

    private static func sequence<Values: AsyncSequence & Sendable>(
        _ values: Values,
        _ form: ValueForm,
        _ coder: @escaping @Sendable (CoderRegistry) -> JSONCoder
    ) -> Payload where Values.Element: Encodable & Sendable {
        // All encodings of the payload share one stream, since values that have been read can't be sent again.
        let once = StreamBody { _, _ in }
        return Payload(
            content: .made(
                { context in
                    let coder = coder(context.coders)
                    let body = once.through { offset, writer, own in
                        try await own(offset, writer)
                        var number = 0
                        for try await value in values {
                            number += 1
                            try await writer.write(try form.encoded(value, number: number, coder))
                        }
                        let finish = (number == 0 ? form.start : "") + form.finish
                        if !finish.isEmpty { try await writer.write(ByteChunk(finish)) }
                    }
                    return .stream(body)
                },
                named: form.mediaType
            )
        )
    }
}

/// The text around the values of a body.
private struct ValueForm: Sendable {
    /// The text before the first value.
    var start = ""
    /// The text between two values.
    let between: String
    /// The text after each value.
    var end = ""
    /// The text after all values.
    var finish = ""
    let mediaType: MediaType

    /// The bytes of a value and of the text around it.
    func encoded(_ value: some Encodable & Sendable, number: Int, _ coder: JSONCoder) throws -> ByteChunk {
        var bytes = Array((number == 1 ? start : between).utf8)
        do {
            try coder.encode(value, as: mediaType).withUnsafeBytes { bytes.append(contentsOf: $0) }
        } catch {
            throw EncodingProblem(error, type: type(of: value), mediaType: mediaType, number: number)
        }
        bytes.append(contentsOf: end.utf8)
        return ByteChunk(bytes)
    }
}
