// SPDX-License-Identifier: Apache-2.0

import CLibraries
public import CumulusCore

extension ContentCoding {
    /// Zstandard, `zstd` (RFC 8878), decoded and encoded by the system's `libzstd.so.1` (1.4.0 or later).
    ///
    /// Windows of more than 8 MB are refused (RFC 9659). The library is loaded when the coding is first used. On Debian
    /// it is in `libzstd1`.
    public static let zstd = ContentCoding(
        name: "zstd",
        missing: { clibraries_zstd_missing().map { String(cString: $0) } },
        decoder: { () throws(ContentCodingProblem) in try ZstandardDecoder() },
        encoder: { () throws(ContentCodingProblem) in try ZstandardEncoder() }
    )
}
