// SPDX-License-Identifier: Apache-2.0

import Cumulus

/// The command line: what is asked for, and what comes of it.
public enum ShelfCommand: Sendable, Equatable {
    /// The first books.
    case list(count: Int)
    /// A book's text into a file.
    case get(id: Int, file: String)

    /// What the program prints where it doesn't understand.
    public static let usage = "usage: ShelfTool URL list [COUNT] | ShelfTool URL get ID FILE"

    /// Reads the words behind the URL; `nil` where they mean nothing.
    public init?(_ words: some Collection<String>) {
        let words = Array(words)
        switch (words.first, words.count) {
        case ("list", 1): self = .list(count: 20)
        case ("list", 2):
            guard let count = Int(words[1]) else { return nil }
            self = .list(count: count)
        case ("get", 3):
            guard let id = Int(words[1]) else { return nil }
            self = .get(id: id, file: words[2])
        default: return nil
        }
    }

    /// Does it, and gives the exit code: 0, 1 for a failure that stays, 75 for one that may pass.
    public func run(on shelf: Shelf, print: (String) -> Void) async -> Int32 {
        do {
            switch self {
            case .list(let count): for book in try await shelf.books(count) { print("\(book.id)\t\(book.title)") }
            case .get(let id, let file):
                let text = try await shelf.fetch(id, to: file)
                print("\(text.path): \(text.byteCount) bytes")
            }
            return 0
        } catch let error as CumulusError where error.statusCode == 404 {
            print("there is no such book")
            return 1
        } catch {
            print("\(error)")  // no secret is in it
            return (error as? CumulusError)?.isTransient == true ? 75 : 1
        }
    }
}
