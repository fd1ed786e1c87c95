// SPDX-License-Identifier: Apache-2.0

import Cumulus

struct ClosedToday: Error {}

// snippet.hook
/// A preflight that sends a request through the same tree, with a limit of one request.
func checkedAccount(_ site: Resource) -> Resource {
    site.setRules { $0.maxConcurrentRequests = 1 }
    return site["account"].with {
        $0.preflights.append { draft in
            let open = try await site["open"].get(as: Bool.self)  // no slot is held yet, so this gets one
            if !open { throw ClosedToday() }
            draft.headers["X-Checked"] = "yes"
        }
    }
}
// snippet.end

// snippet.bridge
/// For code that can't wait: the closure is called later, on the main actor.
func titlesSoon(_ site: Resource, _ done: @escaping @MainActor @Sendable ([String]) -> Void) {
    site["titles"].call(.get, as: [String].self).start { result in done((try? result.get()) ?? []) }
}
// snippet.end

// snippet.slot
/// A stream holds its slot: finish it, or leave its loop, before you wait for another request.
func firstLine(_ site: Resource) async throws -> String? {
    site.setRules { $0.maxConcurrentRequests = 1 }
    var first: String?
    for try await line in try await site["log"].call(.get).stream().lines {
        first = line
        break  // releases the slot
    }
    try await site["seen"].put(.text(first ?? "")).requireSuccess()
    return first
}
// snippet.end
