// SPDX-License-Identifier: Apache-2.0

/// Gzip with its members in sequence (RFC 1952 section 2.2).
final class GzipDecoder: ContentDecoder {
    private let inflater: Inflater
    private var isBetween = false

    init(_ inflater: Inflater) { self.inflater = inflater }

    func decode(
        _ input: UnsafeRawBufferPointer,
        into room: UnsafeMutableRawBufferPointer
    ) throws(ContentCodingProblem) -> ContentCodingStep {
        if isBetween {
            guard let first = input.first else { return ContentCodingStep(consumed: 0, produced: 0, state: .complete) }
            // Zeros or other bytes are padding.
            guard first == 0x1F else { return ContentCodingStep(consumed: 0, produced: 0, state: .over) }
            try inflater.restart()
        }
        let step = try inflater.inflate(input, into: room)
        isBetween = step.state == .over
        return isBetween ? ContentCodingStep(consumed: step.consumed, produced: step.produced, state: .complete) : step
    }
}
