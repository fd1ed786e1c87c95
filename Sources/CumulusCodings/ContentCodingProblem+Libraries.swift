// SPDX-License-Identifier: Apache-2.0

import CumulusCore

extension ContentCodingProblem {
    /// A library that is missing, or has no memory.
    static func notStarted(_ coding: ContentCoding) -> ContentCodingProblem {
        ContentCodingProblem(
            "the content coding \(coding.name) could not be started: \(coding.missingLibrary ?? "out of memory")"
        )
    }

    /// Data that a library refuses, in its words.
    static func broken(by reason: String) -> ContentCodingProblem {
        ContentCodingProblem("the compressed body is broken: \(reason)")
    }
}
