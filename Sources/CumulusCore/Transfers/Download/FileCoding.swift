// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

/// The content codings that are also file formats.
///
/// Some servers label a `.tar.gz` file with `Content-Encoding: gzip`, although its bytes are the file.
enum FileCoding {
    private struct Format {
        /// The names of the coding, in lower case.
        let codings: [String]
        /// The ends of the files' names, in lower case.
        let endings: [String]
        /// The files' media types, in lower case.
        let types: [String]
    }

    private static let formats = [
        Format(
            codings: ["gzip", "x-gzip"],
            endings: [".gz", ".tgz", ".svgz"],
            types: [
                "application/gzip", "application/x-gzip", "application/gzip-compressed", "application/gzipped",
                "application/x-gzip-compressed", "application/x-tgz", "application/x-compressed-tar",
            ]
        ),
        Format(
            codings: ["compress", "x-compress"],
            endings: [".z", ".taz"],
            types: ["application/compress", "application/x-compress"]
        ),
        Format(
            codings: ["bzip2", "x-bzip2"],
            endings: [".bz2", ".tbz", ".tbz2"],
            types: ["application/bzip2", "application/x-bzip2", "application/x-bzip"]
        ),
        Format(codings: ["xz", "x-xz"], endings: [".xz", ".txz"], types: ["application/xz", "application/x-xz"]),
        Format(codings: ["zstd"], endings: [".zst", ".tzst"], types: ["application/zstd", "application/x-zstd"]),
        Format(codings: ["br"], endings: [".br"], types: ["application/x-brotli"]),
    ]

    /// Whether the only content coding of a response is the format of the file itself.
    ///
    /// - Parameters:
    ///   - headers: The response's fields.
    ///   - names: The names that the file may have, or paths that end with them.
    /// - Returns: Whether it is.
    static func isFormat(of headers: HTTPFields, named names: [String]) -> Bool {
        let codings = headers.codings
        guard codings.count == 1, let format = formats.first(where: { $0.codings.contains(codings[0]) }) else {
            return false
        }
        if let type = headers[.contentType].flatMap({ MediaType(parsing: $0) })?.essence.lowercased() {
            if format.types.contains(type) || codings[0].ends(with: "gzip") && type.ends(with: "+gzip") { return true }
        }
        return names.contains { name in
            let name = name.lowercased()
            return format.endings.contains { name.ends(with: $0) }
        }
    }
}
