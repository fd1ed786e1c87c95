// SPDX-License-Identifier: Apache-2.0

public import Cumulus

/// A shelf of books on a server.
public struct Shelf: Sendable {
    /// A book, as the server describes it.
    public struct Book: Codable, Sendable, Equatable {
        /// Its number.
        public var id: Int
        /// Its title.
        public var title: String
    }

    private let site: Resource

    /// Creates a shelf of its place; a token, if the server wants one, belongs to its origin alone.
    public init(site: Resource, token: Secret<String>?) {
        self.site = site.with {
            $0.client = ClientIdentity(name: "shelf", version: "1.0")
            $0.timeout = .seconds(20)
            if let token { $0.authorizers.append(.bearer(token)) }
        }
    }

    /// The first books, as many pages as it takes.
    public func books(_ count: Int) async throws -> [Book] {
        var books: [Book] = []
        if count <= 0 { return books }
        for try await book in site["books"].pages(of: Book.self) {
            books.append(book)
            if books.count == count { break }
        }
        return books
    }

    /// Downloads a book's text; one that broke off goes on where it was.
    public func fetch(_ id: Int, to file: String, progress: (@Sendable (TransferProgress) -> Void)? = nil) async throws
        -> DownloadedFile
    {
        let options = DownloadOptions(resume: true, existing: .replace)
        return try await site["books"][id]["text"].download(to: .file(file), options: options, onProgress: progress)
    }
}
