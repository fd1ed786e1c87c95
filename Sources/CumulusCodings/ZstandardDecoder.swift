// SPDX-License-Identifier: Apache-2.0

import CLibraries
import CumulusCore

/// Decodes Zstandard's frames, one after the other.
final class ZstandardDecoder: ContentDecoder {
    /// 8 MB, the largest window that a server may use (RFC 9659 section 3).
    private static let mostWindowLog: Int32 = 23

    private let decoder: UnsafeMutableRawPointer
    /// The received part of the four bytes that begin a frame.
    ///
    /// The library gets them separately, so that it never takes its shortcut for complete frames, which ignores the
    /// limit of the window.
    private var magic: [UInt8] = []
    private var isBetween = true
    private var isFirst = true

    init() throws(ContentCodingProblem) {
        guard let decoder = clibraries_zstd_decoder(ZstandardDecoder.mostWindowLog) else { throw .notStarted(.zstd) }
        self.decoder = decoder
    }

    deinit { clibraries_zstd_decoder_free(decoder) }

    func decode(
        _ input: UnsafeRawBufferPointer,
        into room: UnsafeMutableRawBufferPointer
    ) throws(ContentCodingProblem) -> ContentCodingStep {
        if isBetween { return try begin(input, room) }
        let step = try run(input, room)
        isBetween = step.is_complete
        return ContentCodingStep(
            consumed: step.consumed,
            produced: step.produced,
            state: step.is_complete ? .complete : .within
        )
    }

    /// Determines whether another frame follows.
    private func begin(
        _ input: UnsafeRawBufferPointer,
        _ room: UnsafeMutableRawBufferPointer
    ) throws(ContentCodingProblem) -> ContentCodingStep {
        let part = input.prefix(4 - magic.count)
        magic += part
        guard ZstandardDecoder.canBegin(magic) else {
            if isFirst { throw .broken(by: "it doesn't begin with a frame") }
            return ContentCodingStep(consumed: part.count, produced: 0, state: .over)
        }
        if magic.count == 4 {
            let start = magic
            magic = []
            isBetween = false
            isFirst = false
            // `withUnsafeBytes` rethrows untyped, so the outcome is returned as a value.
            let result = start.withUnsafeBytes { bytes in
                Result { () throws(ContentCodingProblem) in try run(bytes, room) }
            }
            guard try result.get().consumed == 4 else { throw .broken(by: "a frame has an invalid header") }
        }
        return ContentCodingStep(
            consumed: part.count,
            produced: 0,
            state: isBetween && magic.isEmpty ? .complete : .within
        )
    }

    private func run(
        _ input: UnsafeRawBufferPointer,
        _ room: UnsafeMutableRawBufferPointer
    ) throws(ContentCodingProblem) -> CLibrariesStep {
        let step = clibraries_zstd_decode(
            decoder,
            input.bindMemory(to: UInt8.self).baseAddress,
            input.count,
            room.bindMemory(to: UInt8.self).baseAddress,
            room.count
        )
        if let problem = step.problem { throw .broken(by: String(cString: problem)) }
        return step
    }

    /// Whether bytes can begin a frame, or a skippable frame (RFC 8878 section 3.1).
    private static func canBegin(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first else { return true }
        return bytes.elementsEqual([0x28, 0xB5, 0x2F, 0xFD].prefix(bytes.count))
            || (first & 0xF0 == 0x50 && bytes.dropFirst().elementsEqual([0x2A, 0x4D, 0x18].prefix(bytes.count - 1)))
    }
}
