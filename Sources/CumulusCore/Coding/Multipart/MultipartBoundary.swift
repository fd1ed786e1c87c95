// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// The boundary between the parts of a body.
enum MultipartBoundary {
    /// An unpredictable boundary of 160 random bits, so that no part can contain it on purpose.
    static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        let digits = (0..<40).map { _ in String(generator.next(upperBound: UInt8(16)), radix: 16) }
        return "cumulus-" + digits.joined()
    }

    /// Checks a boundary against the grammar of RFC 2046 section 5.1.1: 1 to 70 characters, no space at the end.
    ///
    /// - Throws: ``MultipartProblem`` of the kind `boundary`.
    static func checked(_ boundary: String) throws(MultipartProblem) -> String {
        guard 1...70 ~= boundary.utf8.count, boundary.utf8.allSatisfy(isAllowed), boundary.last != " " else {
            throw MultipartProblem(
                .boundary,
                "\(PeerText.quoted(boundary)) is not a valid boundary (RFC 2046 section 5.1.1)"
            )
        }
        return boundary
    }

    /// The boundary of a media type.
    static func of(_ mediaType: MediaType?) throws(MultipartProblem) -> String {
        guard let mediaType, mediaType.type == "multipart" else {
            let name = mediaType.map { "of type \($0.essence)" } ?? "without a media type"
            throw MultipartProblem(.notMultipart, "the body is \(name), not multipart")
        }
        guard let boundary = mediaType["boundary"] else {
            throw MultipartProblem(.boundary, "the media type \(mediaType.essence) has no boundary")
        }
        return try checked(boundary)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "'()+_,-./:=? ".utf8.contains(byte)
        }
    }
}
