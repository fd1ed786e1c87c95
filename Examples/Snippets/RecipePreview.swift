// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTesting

// snippet.mock
nonisolated struct Friend: Codable, Sendable {
    var id: Int
    var name: String
}

extension Resource {
    /// A service without a server: for previews, and for work on a train.
    static var preview: Resource {
        let site = Resource("https://api.example.com") {
            $0.fixtures = [
                "GET /friends": .json([Friend(id: 1, name: "Ada"), Friend(id: 2, name: "Grace")]),
                "GET /friends/:id": .json(Friend(id: 1, name: "Ada"), delay: .milliseconds(300)),
                "GET /broken": .failure(TransportFailure(.connect, "there is no network")),
            ]
            $0.fixtureUse = .only  // nothing is ever sent
        }
        return site
    }
}
// snippet.end

#if canImport(SwiftUI)
import SwiftUI

struct FriendList: View {
    let site: Resource
    @State private var friends: [Friend] = []

    var body: some View {
        List(friends, id: \.id) { Text($0.name) }
            .task { friends = (try? await site["friends"].get(as: [Friend].self)) ?? [] }
    }
}

// snippet.view
#Preview { FriendList(site: .preview) }
// snippet.end
#endif
