// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A mebibyte of zeros in each coding, made by Python's gzip, brotli 1.2 and zstandard 0.25.
enum BombSample {
    /// `gzip.compress(bytes(1 << 20), 9, mtime=0)`.
    static let gzip =
        bytes("1f8b0800000000000203edc13101000000c2a0f54f6d085fa0") + [UInt8](repeating: 0, count: 1_016)
        + bytes("3e031cea38a700001000")

    /// The same as pieces of one zlib stream, flushed after each mebibyte.
    static let deflateStart = bytes("78da")
    static let deflatePiece =
        bytes("ecc13101000000c2a0f54f6d085fa0") + [UInt8](repeating: 0, count: 1_016) + bytes("3e030000ffff")

    /// The stream's end has the checksum of so many zeros (RFC 1950 section 9).
    static func deflateEnd(mebibytes: Int) -> [UInt8] {
        let sum = (mebibytes << 20) % 65_521
        return [0x03, 0x00, UInt8(sum >> 8), UInt8(sum & 0xFF), 0x00, 0x01]
    }

    /// Gzip in gzip: pieces of an endless stream, each of which is `gzip` again.
    static let doubleStart = bytes("1f8b0800000000000203")
    static let doublePiece = bytes(
        "92efe660000126e6b7070d19818c430bbefae772c42f601805a360148c3860c72cf3ca623903830003000000ffff"
    )

    /// Pieces of a stream that was flushed after each mebibyte.
    static let brotliStart = bytes("abffff074002201e0b24f7fec100")
    static let brotliPiece = bytes("faff7f002400e2b00074ef1f0c")
    static let brotliEnd = bytes("03")
    /// Announces a thousand bytes to skip (RFC 7932 section 9.2).
    static let brotliPadding = bytes("e6f900")

    static let zstdFrame = bytes(
        "28b52ffda0000010004c000008000100fcff39100202001000020010000200100002001000020010000200100003001000"
    )
    /// Announces a thousand bytes to skip (RFC 8878 section 3.1.2).
    static let zstdPadding = bytes("502a4d18e8030000")

    /// Whether the system reports a process's memory.
    static let canMeasure =
        FileManager.default.fileExists(atPath: "/proc/self/status")
        // A sanitizer's own memory would be counted.
        && ProcessInfo.processInfo.environment["CUMULUS_SANITIZER"] == nil

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = Array(hexadecimal.utf8)
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
        }
    }
}
