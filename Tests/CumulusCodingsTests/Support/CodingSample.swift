// SPDX-License-Identifier: Apache-2.0

/// Encoded bodies made with Python's brotli 1.2 and zstandard 0.25.
enum CodingSample {
    static let text = #"{"poem":"the clouds, the clouds, the clouds and the rain"}"#

    /// `brotli.compress(text)`.
    static let brotli = bytes(
        "1b3900f88dd462cd19eea4274bd59ed5864d606c484aa7af05314412aae402b404f4f0e8b204ac1b49d4e93071227a08"
    )

    /// `ZstdCompressor(level=3, write_checksum=True).compress(text)`.
    static let zstd = bytes(
        "28b52ffd243a450100f87b22706f656d223a2274686520636c6f7564732c2020616e647261696e227d02003e05f24a6102688ae411"
    )

    /// A frame, a skippable one, an empty one, and the rest.
    static let frames = bytes(
        "28b52ffd2014a100007b22706f656d223a2274686520636c6f7564732c502a4d180300000061626328b52ffd200001000028b52ffd"
            + "2026f50000b02074686520636c6f7564732c20616e647261696e227d02003205b95192"
    )

    /// A hundred times `a` with windows of 8 and of 16 MiB.
    static let window23 = bytes("28b52ffd006845000010616101003f012c")
    static let window24 = bytes("28b52ffd007045000010616101003f012c")

    /// A frame that needs the dictionary with number 7.
    static let dictionary = bytes("28b52ffd21070109000061")

    /// A mebibyte of zeros, and the end of a stream of such pieces.
    static let firstZeros = bytes("abffff074002201e0b24f7fec100")
    static let moreZeros = bytes("faff7f002400e2b00074ef1f0c")
    static let lastPiece = bytes("03")

    /// A mebibyte of zeros as a frame of RLE blocks.
    static let zeroFrame = bytes(
        "28b52ffda0000010004c000008000100fcff39100202001000020010000200100002001000020010000200100003001000"
    )

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = Array(hexadecimal.utf8)
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
        }
    }
}
