// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLSessionTransport {
    /// The networks that requests may use, and their priority; see ``URLSessionTransport/with(_:)``.
    ///
    /// A request without a permitted network fails as `connect`, or waits if the session's configuration has
    /// `waitsForConnectivity`. On Linux, only the priority exists, and it has no effect.
    public struct RequestOptions: Sendable, Hashable {
        /// Whether the cellular network may be used.
        ///
        /// Default: true.
        public var allowsCellularAccess = true
        /// Whether networks that the system considers expensive may be used, such as a personal hotspot.
        ///
        /// Default: true.
        public var allowsExpensiveNetworkAccess = true
        /// Whether networks for which the user has set Low Data Mode may be used.
        ///
        /// Default: true.
        public var allowsConstrainedNetworkAccess = true
        /// Whether the server is expected to support HTTP/3, which is then tried first.
        ///
        /// Default: false.
        public var assumesHTTP3Capable = false
        /// The priority, from 0 to 1, as a hint for the system and the server.
        ///
        /// Default: 0.5.
        public var priority: Float = 0.5

        func apply(to request: inout URLRequest) {
            request.allowsCellularAccess = allowsCellularAccess
            #if canImport(Darwin)
            request.allowsExpensiveNetworkAccess = allowsExpensiveNetworkAccess
            request.allowsConstrainedNetworkAccess = allowsConstrainedNetworkAccess
            request.assumesHTTP3Capable = assumesHTTP3Capable
            #endif
        }
    }
}
