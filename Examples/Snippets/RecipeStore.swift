// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Foundation
import Observation

// snippet.store
nonisolated struct Song: Codable, Sendable, Identifiable {
    var id: Int
    var name: String
}

@MainActor @Observable final class SongStore {
    private(set) var songs: [Song] = []
    private(set) var problem: String?
    private var loads = 0
    private let requests = RequestScope()
    private let search: Call<[Song]>

    var isLoading: Bool { loads > 0 }

    init(site: Resource) {
        let scope = requests.membership
        search = site.with { $0.scope = scope }["songs"].call(.get, as: [Song].self)
    }

    func load(matching text: String) async {
        loads += 1
        defer { loads -= 1 }
        do {
            var search = search
            search.query["q"] = text
            search.key = .replacing("search")  // a new search ends the previous one
            songs = try await search.send()
            problem = nil
        } catch is CancellationError {
            // The view has disappeared, or a newer search has begun. The shown songs stay.
        } catch {
            problem = error.localizedDescription
        }
    }
}
// snippet.end

#if canImport(SwiftUI)
import SwiftUI

// snippet.view
struct SongList: View {
    @State private var store: SongStore
    @State private var text = ""

    init(site: Resource) { _store = State(initialValue: SongStore(site: site)) }

    var body: some View {
        NavigationStack {
            List(store.songs) { song in Text(song.name) }
                .overlay { if store.isLoading { ProgressView() } }
                .safeAreaInset(edge: .bottom) { if let problem = store.problem { Text(problem) } }
                .searchable(text: $text)
                .refreshable { await store.load(matching: text) }
                .task(id: text) { await store.load(matching: text) }  // typing, or leaving, cancels it
        }
    }
}
// snippet.end
#endif
