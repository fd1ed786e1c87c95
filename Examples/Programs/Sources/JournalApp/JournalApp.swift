// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Journal

#if canImport(SwiftUI)
import CumulusTesting
import SwiftUI

/// The app, which has not been compiled: where the checks run, there is no SwiftUI.
@main struct JournalApp: App {
    @State private var store = JournalStore(site: Resource("https://journal.example.com"))

    var body: some Scene { WindowGroup { JournalView(store: store) } }
}

/// The one screen.
struct JournalView: View {
    let store: JournalStore
    @State private var draft = ""

    var body: some View {
        NavigationStack {
            List(store.entries, id: \.id) { entry in Text(entry.text) }
                .safeAreaInset(edge: .bottom) {
                    TextField("Today", text: $draft).onSubmit {
                        let text = draft
                        draft = ""
                        Task { await store.add(text) }
                    }
                }
                .overlay(alignment: .top) { if let problem = store.problem { Text(problem) } }
                .refreshable { await store.load() }
                .task { await store.load() }
        }
    }
}

#Preview {
    let site = Resource("https://journal.example.com") {
        $0.fixtures = ["GET /entries": .json([JournalEntry("Clouds, later rain")])]
        $0.fixtureUse = .only
    }
    return JournalView(store: JournalStore(site: site))
}
#else
/// Where there is no SwiftUI, the same store prints the entries once.
@main struct JournalApp {
    static func main() async {
        guard let url = CommandLine.arguments.dropFirst().first else { return print("usage: JournalApp URL") }
        let store = JournalStore(site: Resource(url))
        await store.load()
        for entry in store.entries { print(entry.text) }
        if let problem = store.problem { print(problem) }
    }
}
#endif
