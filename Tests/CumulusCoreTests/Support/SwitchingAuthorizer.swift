// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import Synchronization

/// An authorizer whose named user a test can replace while it is used.
final class SwitchingAuthorizer: Authorizer {
    private let state: Mutex<String>

    init(_ user: String) { state = Mutex(user) }

    var user: String {
        get { state.withLock(\.self) }
        set { state.withLock { $0 = newValue } }
    }

    var identity: AuthorizerIdentity? { AuthorizerIdentity("Named", Secret(user)) }

    func authorize(_ request: inout EncodedRequest) async throws { request.headers[.authorization] = "Named \(user)" }
}
