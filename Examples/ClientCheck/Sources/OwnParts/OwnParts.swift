// SPDX-License-Identifier: Apache-2.0

import Cumulus
import Synchronization

/// An authorizer, a coder, a store, an observer, a transport and a content coding that aren't the library's, together.
@main
struct OwnParts {
    static func main() async throws {
        let fetches = Mutex(0)
        let signer = Signer {
            fetches.withLock { $0 += 1 }
            return fetches.withLock { $0 == 1 ? 1 : 7 }  // the first key is out of date
        }
        let notes = Notes()
        let shelf = Shelf(key: 7)
        let site = Resource("https://shelf.example", transport: shelf) {
            $0.authorizers.append(signer)
            $0.coders.register(LinesCoder(), for: [String].self)
            $0.contentCodings.append(Turning.coding)
            $0.responseStore = LastAnswer()
            $0.retry = .never
            $0.observers.append(CallObserver { notes.add($0) })
        }
        let lines = ["one", "two", "three"]
        try await site["list"].put(body: lines).requireSuccess()
        try check(try await site["list"].get(as: [String].self) == lines, "the lines come back")
        try check(fetches.withLock(\.self) == 2, "a refused key is fetched again, and then kept")

        let turned = Payload.value(lines).compressed(by: Turning.coding, keepingSmaller: false)
        try await site["turned"].put(turned).requireSuccess()
        try check(try await site["turned"].get(as: [String].self) == lines, "what is turned over is turned back")

        try await site["forged"].put(body: lines).requireSuccess()
        do {
            _ = try await site["forged"].get(as: [String].self)
            try check(false, "a forged body is refused")
        } catch let error as CumulusError {
            try check(error.code == .authorization, "a forged body is refused: \(error)")
        }

        shelf.isOpen = false
        let last = try await site["turned"].call(.get, as: [String].self).send()
        try check(last == lines, "what was read once can be read while the service is closed")
        do {
            try await site["new"].get().requireSuccess()
            try check(false, "what was never read can't")
        } catch let error as CumulusError {
            try check(error.code == .status, "what was never read can't: \(error)")
        }
        try check(notes.attempts > 8 && notes.ends == 8, "the observer has seen all: \(notes.attempts), \(notes.ends)")
        print("6 parts of a stranger's own work")
    }

    static func check(_ holds: Bool, _ what: String) throws {
        if !holds { throw Broken(description: what) }
    }

    struct Broken: Error, CustomStringConvertible { let description: String }
}

/// An observer of one's own: how many requests were sent, and how many calls have ended.
final class Notes: Sendable {
    private let counts = Mutex((attempts: 0, ends: 0))

    var attempts: Int { counts.withLock(\.attempts) }
    var ends: Int { counts.withLock(\.ends) }

    func add(_ event: CallEvent) {
        switch event.kind {
        case .sending: counts.withLock { $0.attempts += 1 }
        case .ended: counts.withLock { $0.ends += 1 }
        default: break
        }
    }
}
