// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Synchronization

extension REST {
    /// The settings of all calls of `REST`, to any URL: `REST.defaults.timeout = .seconds(5)`.
    ///
    /// A limit (`maxConcurrentRequests`) counts all calls together. `defaults.runningRequests` are those of all calls, and
    /// `defaults.cancelAll()` ends them. Requests on it itself fail, since it has no URL; so credentials that are set here
    /// belong to no server and are never sent: set them on ``origin(_:)``.
    public static let defaults = Resource(
        nowhere: "`REST.defaults` has settings but no URL",
        transport: DefaultTransport.shared
    )

    /// The settings of calls to one server, over ``defaults``.
    ///
    /// `REST.origin("https://api.example.com").credentials = ...`
    ///
    /// - Parameter url: A URL of the server; scheme, host and port count.
    /// - Returns: The server's root, which is kept as long as the process lasts.
    public static func origin(_ url: some Locator) -> Resource {
        let url = url.locatorText
        guard let origin = try? RequestURL.parse(url).url.origin else { return Resource(url, over: defaults) }
        return origins.withLock { origins in
            if let known = origins[origin] { return known }
            let root = Resource("\(origin)", over: defaults)
            origins[origin] = root
            return root
        }
    }

    private static let origins = Mutex<[Origin: Resource]>([:])

    /// Where a call goes, over the settings that apply to it.
    static func resource(_ url: some Locator) -> Resource {
        let url = url.locatorText
        let isPlain = origins.withLock(\.isEmpty)
        guard !isPlain, let origin = try? RequestURL.parse(url).url.origin,
            let root = origins.withLock({ $0[origin] })
        else { return Resource(url, over: defaults) }
        return Resource(url, over: root)
    }
}
