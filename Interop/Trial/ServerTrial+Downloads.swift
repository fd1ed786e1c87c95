// SPDX-License-Identifier: Apache-2.0

import CumulusCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ServerTrial {
    /// Downloads of the whole content to files, each over one connection or over several.
    package func downloads(_ count: Int, atOnce: Int, connections: Int?) async -> TrialResult {
        let kind = connections.map { "in segments over \($0)" } ?? "whole"
        return await step("download of \(content.size) \(kind), \(atOnce) at once", count, atOnce) { index in
            let name = "trial-\(mark)-\(connections ?? 0)-\(index)"
            let file = FileManager.default.temporaryDirectory.appendingPathComponent(name)
            defer { try? FileManager.default.removeItem(at: file) }
            var options = DownloadOptions()
            options.connections = connections
            options.checksum = try Checksum(.sha256, content.digest(content.size))
            try await site[path: "bytes/\(content.size)"].download(to: file, options: options)
        }
    }
}
