// SPDX-License-Identifier: Apache-2.0

import Cumulus

// snippet.copy
/// Stores the headlines, and revalidates them with the server.
actor Headlines {
    private let place: Resource
    private var kept: [String] = []

    init(site: Resource) { place = site["headlines"].with { $0.tracksRevisions = true } }

    func current() async throws -> [String] {
        let response = try await place.get()  // If-None-Match is sent for you
        if response.isNotModified { return kept }  // 304: no body was sent
        kept = try response.requireSuccess().decode(as: [String].self)
        return kept
    }
}
// snippet.end

struct WikiPage: Codable, Sendable {
    var title: String
    var lines: [String]
}

/// Adds a line to a page; a change that someone else makes in the meantime is kept.
func addLine(_ line: String, to page: Resource) async throws {
    // If-Match; again after a 412
    try await page.update(as: WikiPage.self, by: .mergePatch) { $0.lines.append(line) }
}
