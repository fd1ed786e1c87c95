// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Whether a request's body may be sent, if its head asked the server first (RFC 9110 section 10.1.1).
enum BodyPermission {
    /// It may be sent, or there is none.
    case given
    /// The server has not responded yet; it is waited for until a deadline.
    case awaited(until: Moment)
    /// The final response arrived first, so the body was never sent.
    case withheld

    /// Whether the connection is at the end of a message, rather than before an announced body.
    var leavesWholeRequest: Bool { if case .given = self { true } else { false } }
}
