// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The controls of a session's task that an exchange uses.
///
/// The exchange calls them while it holds its lock, so that the session gets them in the order of the decisions.
protocol ExchangeTask: Sendable {
    /// Sends the request.
    func resume()
    /// Ends the task.
    func cancel()
    /// Stops reading from the peer, until ``letGo()``.
    ///
    /// Apple's URLSession delivers what it has already read: "suspend" is a request (`NSURLSession.h`).
    func holdBack()
    /// Reads from the peer again.
    func letGo()
}

extension URLSessionTask: ExchangeTask {
    // On Linux a suspended task would send its request a second time.
    func holdBack() {
        #if canImport(Darwin)
        suspend()
        #endif
    }

    func letGo() {
        #if canImport(Darwin)
        resume()
        #endif
    }
}
