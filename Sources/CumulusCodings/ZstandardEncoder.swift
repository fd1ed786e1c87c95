// SPDX-License-Identifier: Apache-2.0

import CLibraries
import CumulusCore

/// Creates one Zstandard frame with a checksum, at the library's default level.
final class ZstandardEncoder: ContentEncoder {
    private let encoder: UnsafeMutableRawPointer

    init() throws(ContentCodingProblem) {
        guard let encoder = clibraries_zstd_encoder() else { throw .notStarted(.zstd) }
        self.encoder = encoder
    }

    deinit { clibraries_zstd_encoder_free(encoder) }

    func encode(
        _ input: UnsafeRawBufferPointer,
        into room: UnsafeMutableRawBufferPointer,
        isLast: Bool
    ) throws(ContentCodingProblem) -> ContentCodingStep {
        let step = clibraries_zstd_encode(
            encoder,
            input.bindMemory(to: UInt8.self).baseAddress,
            input.count,
            room.bindMemory(to: UInt8.self).baseAddress,
            room.count,
            isLast
        )
        if let problem = step.problem {
            throw ContentCodingProblem("zstd can't compress the body: \(String(cString: problem))")
        }
        return ContentCodingStep(
            consumed: step.consumed,
            produced: step.produced,
            state: isLast && step.is_complete ? .over : .within
        )
    }
}
