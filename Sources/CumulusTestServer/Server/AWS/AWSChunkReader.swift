// SPDX-License-Identifier: Apache-2.0

import CumulusAWS
import CumulusCore

/// Extracts a payload from signed chunks, by signing it again and comparing.
struct AWSChunkReader {
    private let bytes: [UInt8]
    private var position = 0
    private var signer: AWSChunkSigner

    init(_ bytes: [UInt8], _ signer: AWSChunkSigner) {
        self.bytes = bytes
        self.signer = signer
    }

    /// The payload; `nil` if a frame is incomplete or a signature is wrong.
    mutating func payload() -> [UInt8]? {
        var payload: [UInt8] = []
        while let size = size() {
            if size == 0 {
                // The rest of the body has only one valid form.
                return signer.end().elementsEqual(bytes[position...]) ? payload : nil
            }
            let frame = position
            guard let start = bytes[frame...].firstIndex(of: UInt8(ascii: "\n")).map({ $0 + 1 }),
                bytes.count - start >= size + 2
            else { return nil }
            let chunk = bytes[start..<start + size]
            position = start + size + 2
            guard chunk.withUnsafeBytes({ signer.chunk($0) }).elementsEqual(bytes[frame..<position]) else { return nil }
            payload += chunk
        }
        return nil
    }

    /// Reads the size of the next chunk.
    private func size() -> Int? {
        let digits = bytes[position...].prefix { $0 != UInt8(ascii: ";") }
        guard 1...8 ~= digits.count else { return nil }
        return Int(String(decoding: digits, as: UTF8.self), radix: 16).flatMap { $0 < 0 ? nil : $0 }
    }
}
