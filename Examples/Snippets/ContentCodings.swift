// SPDX-License-Identifier: Apache-2.0
// Brotli and Zstandard, and bodies that are compressed before they are sent.

import Cumulus
// snippet.more
import CumulusCodings

func asksForMore(site: Resource) async throws {
    site.setRules { $0.contentCodings = [.zstd, .brotli, .gzip] }
    let report = try await site["report"].get()
    print(report.bytes.count, report.receivedHeaders[.contentEncoding] ?? "not coded")

    if let missing = ContentCoding.zstd.missingLibrary { print("without zstd:", missing) }
}
// snippet.end

func compresses(site: Resource, measurements: [Double], log: String) async throws {
    // snippet.requests
    try await site["measurements"].post(.json(measurements).compressed()).requireSuccess()  // gzip
    try await site["log"].put(.file(log).compressed(by: .zstd)).requireSuccess()  // while it is read
    // snippet.end
}
