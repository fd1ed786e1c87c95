// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes

/// Removes content codings from a body in memory.
enum BodyDecoding {
    /// The most decoded bytes, and the most codings.
    private static let limits = (bytes: 64 << 20, codings: 5)

    /// The names of a message's content codings, in lower case, without those that mean none.
    static func names(in fields: HTTPFields) -> [String] {
        fields[values: .contentEncoding].flatMap { $0.parts(at: ",") }
            .map { $0.trimmed.lowercased() }
            .filter { !["", "identity", "none", "aws-chunked"].contains($0) }
    }

    /// The body without its codings; `nil` if one of them is unknown, or its data is invalid.
    ///
    /// - Parameters:
    ///   - bytes: The body.
    ///   - names: Its codings, the last one first to remove.
    ///   - known: The codings that can be removed.
    ///   - isWhole: Whether it has arrived to its end; if not, the beginning is decoded.
    /// - Returns: The decoded bytes.
    static func decoded(_ bytes: [UInt8], _ names: [String], by known: [ContentCoding], isWhole: Bool) -> [UInt8]? {
        guard names.count <= limits.codings else { return nil }
        var bytes = bytes
        for name in names.reversed() {
            let coding = known.first { $0.name == name || $0.aliases.contains(name) }
            guard let coding, coding.isAvailable, let decoder = try? coding.makeDecoder(),
                let decoded = try? decoded(bytes, by: decoder, isWhole: isWhole)
            else { return nil }
            bytes = decoded
        }
        return bytes
    }

    private static func decoded(_ bytes: [UInt8], by decoder: any ContentDecoder, isWhole: Bool) throws -> [UInt8]? {
        var (result, position, state) = ([] as [UInt8], 0, ContentCodingStep.State.complete)
        var room = [UInt8](repeating: 0, count: 65_536)
        while true {
            let step = try bytes.withUnsafeBytes { input in
                try room.withUnsafeMutableBytes { output in
                    try decoder.decode(UnsafeRawBufferPointer(rebasing: input[position...]), into: output)
                }
            }
            (position, state) = (position + step.consumed, step.state)
            result += room[..<step.produced]
            guard result.count <= limits.bytes else { return nil }
            let isStuck = step.consumed == 0 && step.produced == 0
            if state == .over || isStuck || position == bytes.count && step.produced < room.count { break }
        }
        return isWhole && state == .within && !bytes.isEmpty ? nil : result
    }
}
