// SPDX-License-Identifier: Apache-2.0

import CumulusCache
import CumulusCore
import CumulusPrimitives

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension CommandRun {
    /// Performs a plan of `cumulus cache`.
    func cache(_ plan: CachePlan) throws -> CommandStatus {
        // Before the first response is stored, there is no folder.
        let listing = FileManager.default.fileExists(atPath: plan.folder) ? try CacheListing(in: plan.folder) : nil
        switch plan.action {
        case .list(let prefix):
            let all = listing?.entries(at: Date()) ?? []
            let entries = all.filter { CommandRun.url($0.url, beginsWith: prefix) }
            try write(entries.isEmpty ? "no responses" : CacheTable.list(entries))
        case .show(let url):
            let entries = listing?.entries(of: url, at: Date()) ?? []
            if entries.isEmpty {
                console.note("cumulus: no response is stored for \(quotedURL(url.description))")
                return .failure
            }
            try write(entries.map(CacheTable.show).joined(separator: "\n\n"))
        case .clear(let url):
            let count = listing?.remove(url) ?? 0
            try write("removed \(count) \(count == 1 ? "response" : "responses")")
        }
        return .success
    }

    private func write(_ text: String) throws { try console.write(Array("\(text)\n".utf8)) }

    /// The beginning may lack the scheme.
    private static func url(_ url: String, beginsWith prefix: String) -> Bool {
        url.begins(with: prefix) || (url.cut(at: "/")?.behind.begins(with: "/\(prefix)") ?? false)
    }
}
