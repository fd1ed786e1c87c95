// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A file of known bytes that exists during a case.
struct ConformanceFile {
    let path: String

    static func with(_ bytes: [UInt8], _ body: (ConformanceFile) async throws -> Void) async throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)")
        try Data(bytes).write(to: url)
        do {
            try await body(ConformanceFile(path: url.path))
            try FileManager.default.removeItem(at: url)
        } catch {
            try? FileManager.default.removeItem(at: url)
            throw error
        }
    }
}
