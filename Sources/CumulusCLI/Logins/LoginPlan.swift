// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// What `cumulus login` and `cumulus logout` are to do.
struct LoginPlan: Sendable {
    /// How somebody signs in.
    enum Grant: String, CaseIterable, Sendable {
        case code, device, client
    }

    /// By which connections, and to which origin the login belongs.
    let request: Plan
    let grant: Grant
    let folder: LoginFolder

    var origin: Origin { request.target.origin }
}
