// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusOAuth
import Foundation
import Observation
import SwiftUI
import os

// The project's settings are those of a new Xcode project: everything is on the main actor unless it says otherwise. The
// macOS workflow archives it; it has not been compiled by Xcode yet.

/// The app.
@main struct AppleClient: App {
    @State private var shelf = Shelf(site: Self.site)

    /// The service, which a user signs in to with the first request that needs it.
    private static var site: Resource {
        let signIn = WebSignIn(scheme: "com.example.appleclient")
        let grant = OAuth2Grant.authorizationCode(client: "apple-client", receiver: signIn) { try signIn.present($0) }
        let store = KeychainTokenStore(service: "books.example.com", account: "token")
        let signposts = CallSignposts(subsystem: "com.example.AppleClient")
        return Resource("https://books.example.com") {
            $0.observers.append(signposts.observe)
            $0.authorizers.append(.oauth2(grant, server: .issuer("https://id.example.com"), store: store))
        }
    }

    var body: some Scene { WindowGroup { ShelfView(shelf: shelf) } }
}

/// A model is decoded on any executor, so it isn't on the main actor.
nonisolated struct Book: Codable, Sendable, Identifiable {
    var id: Int
    var title: String
}

/// The books, and how their loading goes.
@Observable final class Shelf {
    private(set) var books: [Book] = []
    private(set) var problem: String?
    /// The download of the whole catalog, once it was requested.
    private(set) var catalog: ObservedCall<DownloadedFile>?
    private let site: Resource
    private let logger = os.Logger(subsystem: "com.example.AppleClient", category: "shelf")

    init(site: Resource) { self.site = site }

    func load() async {
        do {
            books = try await site["books"].get(as: [Book].self)
            problem = nil
        } catch is CancellationError {
            return
        } catch {
            logger.error("The books can't be loaded: \(error.localizedDescription)")
            problem = error.localizedDescription
        }
    }

    /// Downloads the catalog, or continues its download.
    func downloadCatalog() {
        if let catalog { return catalog.restart() }
        let file = "\(NSHomeDirectory())/Documents/catalog.pdf"
        let options = DownloadOptions(resume: true)
        catalog = site["catalog.pdf"].call(.get).download(to: file, options: options).observe()
    }
}

/// The one screen.
struct ShelfView: View {
    let shelf: Shelf

    var body: some View {
        NavigationStack {
            List(shelf.books) { book in Text(book.title) }
                .overlay { if let problem = shelf.problem { Text(problem) } }
                .safeAreaInset(edge: .bottom) { CatalogBar(shelf: shelf) }
                .refreshable { await shelf.load() }
                .task { await shelf.load() }
        }
    }
}

/// The download's progress, and its buttons.
struct CatalogBar: View {
    let shelf: Shelf

    var body: some View {
        if let catalog = shelf.catalog, catalog.isRunning {
            ProgressView(value: catalog.receiving?.fractionCompleted)
            Button("Cancel") { catalog.cancel() }
        } else {
            if let error = shelf.catalog?.error { Text(error.localizedDescription) }
            if let file = shelf.catalog?.value { Text("Saved, \(file.byteCount) bytes") }
            Button("Download the catalog") { shelf.downloadCatalog() }
        }
    }
}
