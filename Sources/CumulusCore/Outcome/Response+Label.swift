// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension Response {
    /// What is known of its body, for coders.
    var label: BodyLabel {
        BodyLabel(mediaType: mediaType, target: request.target, accept: request.headers[.accept])
    }
}
