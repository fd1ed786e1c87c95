// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension Response {
    /// What names the body's format besides its bytes.
    public var label: BodyLabel {
        BodyLabel(mediaType: mediaType, target: request.target, accept: request.headers[.accept])
    }
}
