// SPDX-License-Identifier: Apache-2.0

extension ContentCoding {
    /// RFC 1952, one member or several, by the system's zlib.
    public static let gzip = ContentCoding(
        name: "gzip",
        aliases: ["x-gzip"],
        decoder: { () throws(ContentCodingProblem) in GzipDecoder(try Inflater(.gzip)) },
        encoder: { () throws(ContentCodingProblem) in try Deflater(.gzip) }
    )

    /// RFC 1950 as RFC 9110 defines, or RFC 1951 without a frame as some servers send it; applied with the frame.
    public static let deflate = ContentCoding(
        name: "deflate",
        decoder: { () throws(ContentCodingProblem) in DeflateDecoder() },
        encoder: { () throws(ContentCodingProblem) in try Deflater(.zlib) }
    )

    /// What is asked for and undone unless a setting says otherwise.
    static let standard: [ContentCoding] = [.gzip, .deflate]
}
