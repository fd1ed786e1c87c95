// SPDX-License-Identifier: Apache-2.0

// Names of other servers, each with a message that names the remedy.
extension LoopbackServer {
    /// A name of other libraries.
    @available(*, unavailable, message: "write `await shutdown()`")
    public func stop() {}
}
