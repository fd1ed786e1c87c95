// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Whether a request's body may go, where its head asked the server first (RFC 9110 section 10.1.1).
enum BodyPermission {
    /// It may, or there is none.
    case given
    /// The server has not said, and is waited for until then.
    case awaited(until: Moment)
    /// The final response came first, so the body was never sent.
    case withheld

    /// Whether the connection is at the end of a message, and not where a body was announced.
    var leavesWholeRequest: Bool { if case .given = self { true } else { false } }
}
