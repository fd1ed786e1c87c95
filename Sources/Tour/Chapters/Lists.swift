// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTesting
import Synchronization

/// Chapter 15: lists that come in pages, and documents that others change as well.
struct Lists {
    let site: Resource

    private struct Book: Codable, Sendable {
        let title: String
    }

    private struct Note: Codable, Sendable {
        var title: String
        var readers: Int
    }

    func visit(_ guide: inout TourGuide) async {
        guide.chapter("Lists and notes")
        await visitPages(&guide)
        await visitNote(&guide)
    }

    private func visitPages(_ guide: inout TourGuide) async {
        await guide.step("A list in pages", "for try await book in site[\"books\"].pages(of: Book.self) { ... }") {
            var titles: [String] = []
            for try await book in site["books"].pages(of: Book.self) { titles.append(book.title) }
            try promise(titles.count == 7, "\(titles)")
            return titles.joined(separator: ", ")
        }
        await guide.step(
            "Pages by a cursor in the body",
            "shelf.paging = .cursor(at: \"meta.cursor\", query: \"after\").items(at: \"books\")"
        ) {
            let shelf = site["shelf"]
            shelf.paging = .cursor(at: "meta.cursor", query: "after").items(at: "books")
            var lines: [String] = []
            for try await page in shelf.pages(of: Book.self).byPage {
                lines.append("page \(page.number): \(page.items.count) books, next: \(page.next?.target ?? "none")")
            }
            try promise(lines.count == 3, "\(lines)")
            return lines.joined(separator: "\n")
        }
        await guide.step("A next page elsewhere is refused", "try await site[\"lost\"].pages(of: Book.self)") {
            var titles: [String] = []
            let error = try await failure {
                for try await book in site["lost"].pages(of: Book.self) { titles.append(book.title) }
            }
            try promise(error.code == .paging && titles == ["Haze"], "\(error)")
            return "\(titles[0]) came; then \(error.message)"
        }
    }

    private func visitNote(_ guide: inout TourGuide) async {
        await guide.step(
            "An update that conflicts with another",
            "try await site[\"note\"].update(as: Note.self) { $0.readers += 1 }"
        ) {
            let rounds = Mutex(0)
            let note = try await site["note"].update(as: Note.self) { note in
                rounds.withLock { $0 += 1 }
                note.readers += 1
            }
            let document = try await site["note"].get().text ?? ""
            try promise(note.readers == 3 && rounds.withLock { $0 } == 2, "\(note)")
            try promise(document == #"{"shelf":12345678901234567890,"title":"On clouds","readers":3}"#, document)
            return "in 2 rounds: \(document)"
        }
    }
}
