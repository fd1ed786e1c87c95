// SPDX-License-Identifier: Apache-2.0

import CumulusCore

extension REST {
    /// The rules of all calls of `REST`, to any URL: `REST.defaults.setRules { $0.timeout = .seconds(5) }`.
    ///
    /// A limit (`maxConcurrentRequests`) counts all calls together. `defaults.runningRequests` are those of all calls, and
    /// `defaults.cancelAll()` ends them. Requests on it itself fail, since it has no URL; so credentials that are set here
    /// belong to no server and are never sent: set them on ``origin(_:)``.
    public static let defaults = Resource(
        nowhere: "`REST.defaults` has settings but no URL",
        transport: DefaultTransport.shared
    )

    /// The root of a server, for the rules of the calls to it, over those of ``defaults``.
    ///
    /// `REST.origin("https://api.example.com").setRules { $0.credentials = ... }`
    ///
    /// - Parameter url: A URL of the server; scheme, host and port count.
    /// - Returns: The resource at its origin.
    public static func origin(_ url: some Locator) -> Resource {
        let url = url.locatorText
        guard let origin = try? RequestURL.parse(url).url.origin else { return resource(url) }
        return resource("\(origin)")
    }

    /// Where a call goes, in the tree that all calls of `REST` share.
    static func resource(_ url: some Locator) -> Resource { Resource(url.locatorText, over: defaults) }
}
