// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Synchronization

/// A server's routes, shared by its connections; routes can be added while it runs.
final class RouteTable: Sendable {
    private let routes: Mutex<Routes>

    init(_ routes: Routes) { self.routes = Mutex(routes) }

    func lookup(_ method: HTTPRequest.Method, _ path: String) -> Routes.Lookup {
        let routes = routes.withLock { $0 }
        return routes.lookup(method, path)
    }

    func append(_ more: Routes) { routes.withLock { $0.append(more) } }
}
