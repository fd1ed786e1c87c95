// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The bytes that clients and servers exchange: each 8 of them tell their place, so that a lost or doubled one is seen.
package struct TrialContent: Sendable {
    /// The file with all of them, and its size.
    package let file: String
    package let size: Int
    private let bodies: [Int: ByteChunk]
    private let digests: [Int: String]

    /// - Parameters:
    ///   - file: The file with the content.
    ///   - sizes: The sizes of the bodies that will be sent or expected beside the whole.
    /// - Throws: Why the file can't be read.
    package init(file: String, sizes: [Int]) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: file))
        var bodies: [Int: ByteChunk] = [:]
        var digests: [Int: String] = [:]
        for size in Set(sizes + [data.count]) {
            let bytes = [UInt8](data.prefix(size))
            if size < data.count { bodies[size] = ByteChunk(bytes) }
            digests[size] = MessageDigest.hexadecimal(MessageDigest.sha256(of: bytes))
        }
        self.file = file
        size = data.count
        self.bodies = bodies
        self.digests = digests
    }

    func body(_ size: Int) -> Payload { .body(.bytes(bodies[size] ?? ByteChunk([]))) }

    func digest(_ size: Int) -> String { digests[size] ?? "" }

    /// Requires that a server got a body of this size whole: it says so, or sends the same back.
    func check(_ response: Response, got size: Int, isEchoed: Bool) throws {
        guard response.status.code == 200 else { throw WrongAnswer("status \(response.status.code)") }
        if isEchoed {
            try check(response, is: size)
        } else if response.text != "\(size) \(digest(size))" {
            throw WrongAnswer("a body of \(size) arrived as \(response.text?.prefix(80) ?? "nothing")")
        }
    }

    /// Requires that a response's body are the first bytes of the content.
    func check(_ response: Response, is size: Int) throws {
        guard response.status.code == 200 else { throw WrongAnswer("status \(response.status.code)") }
        let found = MessageDigest.hexadecimal(MessageDigest.sha256(of: response.bytes.bytes))
        guard found == digest(size) else { throw WrongAnswer("\(response.bytes.count) bytes, other than \(size)") }
    }
}
