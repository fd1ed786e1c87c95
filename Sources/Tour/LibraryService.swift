// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTesting
import HTTPTypes
import Synchronization

/// The tour's library: a list of books in pages, each told in another way, and a note that others change as well.
final class LibraryService: Sendable {
    private struct Store {
        var note = #"{"shelf":12345678901234567890,"title":"On clouds","readers":1}"#
        var version = 1
        var visitors = 1
    }

    private static let titles = ["Anvils", "Breezes", "Clouds", "Dew", "Echoes", "Fog", "Gales"]

    private let store = Mutex(Store())

    func install(in routes: inout Routes) {
        routes.get("/books") { request in
            let page = request.queryValue("page").flatMap { Int($0) } ?? 1
            let link = "</books?page=\(page + 1)>; rel=\"next\""
            return ServerResponse(
                headers: page < 3
                    ? ["Content-Type": "application/json", "Link": link] : ["Content-Type": "application/json"],
                body: LibraryService.books(from: (page - 1) * 3).encoded()
            )
        }
        routes.get("/shelf") { request in
            let start = request.queryValue("after").flatMap { Int($0) } ?? 0
            let next: JSON = start + 3 < LibraryService.titles.count ? .number(.init(start + 3)) : nil
            return .json("\(["books": LibraryService.books(from: start), "meta": ["cursor": next]] as JSON)")
        }
        routes.get("/lost") { _ in
            ServerResponse(
                headers: ["Content-Type": "application/json", "Link": "<http://elsewhere.example/books>; rel=next"],
                body: Array("[{\"title\":\"Haze\"}]".utf8)
            )
        }
        routes.get("/note") { [self] _ in
            let (note, version) = store.withLock { ($0.note, $0.version) }
            let headers: Headers = ["Content-Type": "application/json", "ETag": "\"v\(version)\""]
            return ServerResponse(headers: headers, body: Array(note.utf8))
        }
        routes.put("/note") { [self] request in
            let isCurrent = store.withLock { store in
                if store.visitors > 0 {
                    // Somebody else is faster, once.
                    store.visitors -= 1
                    store.version += 1
                    store.note = #"{"shelf":12345678901234567890,"title":"On clouds","readers":2}"#
                }
                guard request.headers[.ifMatch] == "\"v\(store.version)\"" else { return false }
                store.note = request.text
                store.version += 1
                return true
            }
            return ServerResponse(isCurrent ? .noContent : .preconditionFailed)
        }
    }

    private static func books(from start: Int) -> JSON {
        .array(titles.dropFirst(max(0, start)).prefix(3).map { ["title": .string($0)] })
    }
}
