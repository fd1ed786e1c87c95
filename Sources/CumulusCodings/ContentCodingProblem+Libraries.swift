// SPDX-License-Identifier: Apache-2.0

import CumulusCore

extension ContentCodingProblem {
    /// The problem if a library is missing, or out of memory.
    static func notStarted(_ coding: ContentCoding) -> ContentCodingProblem {
        ContentCodingProblem(
            "the content coding \(coding.name) could not be started: \(coding.missingLibrary ?? "out of memory")"
        )
    }

    /// The problem if a library refuses the data, in its words.
    static func broken(by reason: String) -> ContentCodingProblem {
        ContentCodingProblem("the compressed body is corrupt: \(reason)")
    }
}
