// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import TestSupport

/// A tree whose transport only counts what reaches it.
struct Offline {
    let transport = StubTransport { _ in .text("from the network") }
    let site: Resource

    init(_ url: String = "https://api.example.com") { site = Resource(url, transport: transport.watched) }

    /// How many requests went to the transport.
    var sentCount: Int { transport.requests.count }
}
