// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// An open file from which responses are read in pieces.
final class FixtureFile: Sendable {
    private let file: OpenedFile
    private let path: String
    let length: Int64

    init(path: String) throws(FixtureProblem) {
        self.path = path
        do throws(OpenedFile.Refusal) {
            file = try OpenedFile(path)
            length = try file.size()
        } catch {
            throw FixtureFile.problem(path, error.reason)
        }
    }

    func read(_ range: Range<Int64>) throws(FixtureProblem) -> ByteChunk {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        while bytes.count < range.count {
            let more: [UInt8]
            do throws(OpenedFile.Refusal) {
                more = try file.read(at: range.lowerBound + Int64(bytes.count), count: range.count - bytes.count)
            } catch {
                throw FixtureFile.problem(path, error.reason)
            }
            guard !more.isEmpty else { throw FixtureFile.problem(path, "became shorter while it was read") }
            if bytes.isEmpty, more.count == range.count { return ByteChunk(more) }
            bytes += more
        }
        return ByteChunk(bytes)
    }

    private static func problem(_ path: String, _ reason: String) -> FixtureProblem {
        FixtureProblem("the fixture's file \(PeerText.quoted(path)) \(reason)")
    }
}
