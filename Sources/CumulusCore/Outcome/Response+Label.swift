// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension Response {
    /// The body's label, for coders.
    var label: BodyLabel {
        BodyLabel(mediaType: mediaType, target: request.target, accept: request.headers[.accept])
    }
}
