// SPDX-License-Identifier: Apache-2.0

extension Payload {
    /// Values as newline-delimited JSON, `application/x-ndjson`, each sent as it arrives.
    ///
    /// The body is read once and sent chunked: a redirect that would need it again is returned like any other response.
    ///
    /// - Parameters:
    ///   - values: The values.
    ///   - coder: The coder for the values; the setting's coder can't be used, since they arrive later.
    /// - Returns: The payload.
    public static func jsonLines<Values: AsyncSequence & Sendable>(
        _ values: Values,
        using coder: JSONCoder = JSONCoder()
    ) -> Payload where Values.Element: Encodable & Sendable {
        .body(
            .stream(
                StreamBody { _, writer in
                    for try await value in values {
                        var line = try coder.encode(value, as: .jsonLines).bytes
                        line.append(UInt8(ascii: "\n"))
                        try await writer.write(ByteChunk(line))
                    }
                }
            ),
            type: .jsonLines
        )
    }
}
