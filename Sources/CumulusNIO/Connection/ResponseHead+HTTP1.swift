// SPDX-License-Identifier: Apache-2.0

import CumulusCore

extension ResponseHead {
    /// The head in the type that callers know; its fields are made when somebody looks.
    init(_ head: HTTP1ResponseHead) {
        self.init(
            status: head.httpStatus,
            protocolName: head.minorVersion == 0 ? "HTTP/1.0" : "HTTP/1.1",
            mayBeCoded: head.fields.contains("content-encoding"),
            lazily: { head.fields.httpFields }
        )
    }
}
