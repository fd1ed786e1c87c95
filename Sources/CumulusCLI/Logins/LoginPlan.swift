// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// A plan of `cumulus login` or `cumulus logout`.
struct LoginPlan: Sendable {
    /// The grants for signing in.
    enum Grant: String, CaseIterable, Sendable {
        case code, device, client
    }

    /// The connection settings, and the origin that the login belongs to.
    let request: Plan
    let grant: Grant
    let folder: LoginFolder

    var origin: Origin { request.target.origin }
}
