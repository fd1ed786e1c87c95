// SPDX-License-Identifier: Apache-2.0

extension MediaType {
    /// The media type that a body's first bytes indicate: an image's, JSON, XML or a property list; `nil` for others.
    public init?(sniffing bytes: ByteChunk) {
        let start = bytes.withUnsafeBytes { Array($0.prefix(256)) }
        if let format = EncodedImage.Format(sniffing: start) { self = format.mediaType; return }
        if start.starts(with: Array("bplist".utf8)) { self = .propertyList; return }
        let mark: [UInt8] = start.starts(with: [0xEF, 0xBB, 0xBF]) ? [0xEF, 0xBB, 0xBF] : []
        let text = start.dropFirst(mark.count).drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        if ["<?xml", "<!DOCTYPE plist", "<plist"].contains(where: { text.starts(with: Array($0.utf8)) }) {
            self = .xml
        } else if text.first == UInt8(ascii: "{") || text.first == UInt8(ascii: "[") {
            self = .json
        } else {
            return nil
        }
    }
}
