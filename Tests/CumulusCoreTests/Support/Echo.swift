// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import TestSupport

/// A tree over a transport that answers everything with 200, and what it was sent.
struct Echo {
    let transport = StubTransport { _ in .text("ok") }
    let site: Resource

    init(_ url: String = "https://api.example.com") { site = Resource(url, transport: transport.watched) }

    /// The target that a GET of a resource is sent to.
    func target(_ resource: Resource) async throws -> String? {
        try await resource.get().requireSuccess()
        return transport.lastRequest?.request.target
    }
}
