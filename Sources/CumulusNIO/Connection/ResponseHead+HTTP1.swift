// SPDX-License-Identifier: Apache-2.0

import CumulusCore

extension ResponseHead {
    /// Creates the head for callers; its fields are built at the first access.
    init(_ head: HTTP1ResponseHead, connectionHadServed: Bool) {
        // Only they are captured.
        let fields = head.fields
        self.init(
            status: head.httpStatus,
            protocolName: head.minorVersion == 0 ? "HTTP/1.0" : "HTTP/1.1",
            mayBeCoded: head.isCoded,
            connectionHadServed: connectionHadServed,
            lazily: { fields.httpFields }
        )
    }
}
