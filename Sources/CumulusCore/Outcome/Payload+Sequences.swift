// SPDX-License-Identifier: Apache-2.0

extension Payload {
    /// Values as newline-delimited JSON, `application/x-ndjson`, each sent as it arrives.
    ///
    /// The body is read once and sent chunked. A redirect that would need it again is returned like any other response.
    ///
    /// - Parameters:
    ///   - values: The values.
    ///   - coder: The coder for the values; `nil` uses that of the setting ``Resource/Settings/coders``.
    /// - Returns: The payload.
    public static func jsonLines<Values: AsyncSequence & Sendable>(
        _ values: Values,
        using coder: JSONCoder? = nil
    ) -> Payload where Values.Element: Encodable & Sendable {
        // All encodings of the payload share one stream, since values that have been read can't be sent again.
        let stream = StreamBody { _, _ in }
        return Payload(
            content: .made(
                { context in
                    let coder = coder ?? context.coders.jsonLines
                    let body = stream.through { offset, writer, own in
                        try await own(offset, writer)
                        for try await value in values {
                            var line = try coder.encode(value, as: .jsonLines).bytes
                            line.append(UInt8(ascii: "\n"))
                            try await writer.write(ByteChunk(line))
                        }
                    }
                    return .stream(body)
                },
                named: .jsonLines
            )
        )
    }
}
