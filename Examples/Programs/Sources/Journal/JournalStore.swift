// SPDX-License-Identifier: Apache-2.0

public import Cumulus
import Foundation
public import Observation

/// What the app shows, and what it does with the server.
@MainActor @Observable public final class JournalStore {
    /// The entries, the newest first.
    public private(set) var entries: [JournalEntry] = []
    /// What went wrong last, for the user.
    public private(set) var problem: String?

    private let site: Resource

    /// Creates a store over a service: the real one, or one of a test or preview.
    public init(site: Resource) { self.site = site }

    /// Loads the entries; leaving the screen cancels it.
    public func load() async {
        await attempt { self.entries = try await self.site["entries"].get(as: [JournalEntry].self) }
    }

    /// Writes an entry, and shows it as the server keeps it.
    public func add(_ text: String) async {
        await attempt {
            let entry = try await self.site["entries"].post(body: JournalEntry(text), as: JournalEntry.self)
            self.entries.insert(entry, at: 0)
        }
    }

    private func attempt(_ work: () async throws -> Void) async {
        do {
            try await work()
            problem = nil
        } catch is CancellationError {
            // Nobody waits for it any more.
        } catch {
            problem = error.localizedDescription
        }
    }
}
