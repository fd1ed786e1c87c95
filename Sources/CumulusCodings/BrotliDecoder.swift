// SPDX-License-Identifier: Apache-2.0

import CLibraries
import CumulusCore

/// Decodes one Brotli stream.
final class BrotliDecoder: ContentDecoder {
    private let decoder: UnsafeMutableRawPointer

    init() throws(ContentCodingProblem) {
        guard let decoder = clibraries_brotli_decoder() else { throw .notStarted(.brotli) }
        self.decoder = decoder
    }

    deinit { clibraries_brotli_decoder_free(decoder) }

    func decode(
        _ input: UnsafeRawBufferPointer,
        into room: UnsafeMutableRawBufferPointer
    ) throws(ContentCodingProblem) -> ContentCodingStep {
        let step = clibraries_brotli_decode(
            decoder,
            input.bindMemory(to: UInt8.self).baseAddress,
            input.count,
            room.bindMemory(to: UInt8.self).baseAddress,
            room.count
        )
        if let problem = step.problem { throw .broken(by: String(cString: problem)) }
        return ContentCodingStep(
            consumed: step.consumed,
            produced: step.produced,
            state: step.is_complete ? .over : .within
        )
    }
}
