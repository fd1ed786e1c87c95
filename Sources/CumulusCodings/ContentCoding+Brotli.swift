// SPDX-License-Identifier: Apache-2.0

import CLibraries
public import CumulusCore

extension ContentCoding {
    /// Brotli, `br` (RFC 7932), decoded by the system's `libbrotlidec.so.1`; encoding is not supported.
    ///
    /// The library is loaded when the coding is first used. On Debian it is in `libbrotli1`.
    public static let brotli = ContentCoding(
        name: "br",
        missing: { clibraries_brotli_missing().map { String(cString: $0) } },
        decoder: { () throws(ContentCodingProblem) in try BrotliDecoder() }
    )
}
