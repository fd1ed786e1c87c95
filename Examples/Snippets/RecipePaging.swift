// SPDX-License-Identifier: Apache-2.0

import Cumulus

struct Ticket: Codable, Sendable {
    var id: Int
    var title: String
}

func openTickets(at site: Resource) async throws -> [Ticket] {
    var open: [Ticket] = []
    for try await ticket in site["tickets"].pages(of: Ticket.self, query: ["state": "open"]) {
        open.append(ticket)
    }
    return open
}

// snippet.cursor
func newestTickets(_ count: Int, at site: Resource) async throws -> [Ticket] {
    let list = site["log"].pages(of: Ticket.self, by: .cursor(at: "meta.next", query: "cursor"))
    var newest: [Ticket] = []
    for try await ticket in list {
        newest.append(ticket)
        if newest.count == count { break }  // no other page is requested, and a running request is cancelled
    }
    return newest
}
// snippet.end
