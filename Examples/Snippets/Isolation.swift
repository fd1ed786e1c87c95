// SPDX-License-Identifier: Apache-2.0

import Cumulus

// snippet.model
nonisolated struct Book: Codable, Sendable, Identifiable {
    var id: Int
    var title: String
}
// snippet.end

// snippet.screen
@MainActor final class Shelf {
    private(set) var books: [Book] = []

    func load(from site: Resource) async throws {
        books = try await site["books"].get(as: [Book].self)  // decoded elsewhere, assigned here
    }
}
// snippet.end

// snippet.hook
/// A hook runs wherever its request runs, so it awaits the main actor explicitly.
@MainActor func counting(_ site: Resource, _ counter: ReadCounter) {
    site.setRules {
        $0.validators.append { response in
            let size = response.data.count
            await counter.add(size)  // switches to the main actor
        }
    }
}

@MainActor final class ReadCounter {
    private(set) var bytes = 0
    func add(_ count: Int) { bytes += count }
}
// snippet.end

// snippet.share
/// A resource is `Sendable`: one tree serves all tasks and actors.
func fetchAll(_ ids: [Int], from site: Resource) async throws -> [Book] {
    try await withThrowingTaskGroup(of: Book.self) { group in
        for id in ids { group.addTask { try await site["books"][id].get(as: Book.self) } }
        return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.id < $1.id }
    }
}
// snippet.end
