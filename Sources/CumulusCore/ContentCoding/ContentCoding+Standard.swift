// SPDX-License-Identifier: Apache-2.0

extension ContentCoding {
    /// The gzip coding (RFC 1952), with one or more members, by the system's zlib.
    public static let gzip = ContentCoding(
        name: "gzip",
        aliases: ["x-gzip"],
        decoder: { () throws(ContentCodingProblem) in GzipDecoder(try Inflater(.gzip)) },
        encoder: { () throws(ContentCodingProblem) in try Deflater(.gzip) }
    )

    /// The zlib format (RFC 1950) as RFC 9110 defines; raw deflate (RFC 1951), which some servers send, is also
    /// decoded.
    public static let deflate = ContentCoding(
        name: "deflate",
        decoder: { () throws(ContentCodingProblem) in DeflateDecoder() },
        encoder: { () throws(ContentCodingProblem) in try Deflater(.zlib) }
    )

    /// The default codings.
    static let standard: [ContentCoding] = [.gzip, .deflate]
}
