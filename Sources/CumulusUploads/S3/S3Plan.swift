// SPDX-License-Identifier: Apache-2.0

/// The settings of uploads to S3.
struct S3Settings: Sendable {
    /// The number of parts that are sent at a time.
    var concurrency: Int
}

/// The parts of an object: their size and their number.
struct S3Plan: Sendable, Hashable {
    /// The minimum size of all parts but the last, 5 MiB.
    static let leastPartSize: Int64 = 5 << 20
    /// The maximum size of a part, 5 GiB.
    static let mostPartSize: Int64 = 5 << 30
    /// The maximum number of parts of an object.
    static let mostParts: Int64 = 10_000

    let size: Int64
    let partSize: Int64

    /// Divides an object into parts of at least the wanted size, or larger ones if there would be too many.
    init(size: Int64, wanted: Int64) {
        self.size = size
        let least = min(max(wanted, S3Plan.leastPartSize), S3Plan.mostPartSize)
        // Rounded up to whole mebibytes.
        let needed = (((size / S3Plan.mostParts) >> 20) + 1) << 20
        partSize = size / least >= S3Plan.mostParts ? max(least, needed) : least
    }

    /// Uses the size of an earlier upload's parts; `nil` if it isn't possible.
    init?(size: Int64, partSize: Int64) {
        guard size >= 0, partSize >= S3Plan.leastPartSize, size / partSize <= S3Plan.mostParts else { return nil }
        (self.size, self.partSize) = (size, partSize)
    }

    /// Whether the object is sent with one request.
    var isOnePart: Bool { size <= partSize }

    /// The number of parts.
    var count: Int { Int(size / partSize) + (size % partSize > 0 ? 1 : 0) }

    /// The bytes of a part; the first is number 1.
    func range(of number: Int) -> Range<Int64> {
        let start = Int64(number - 1) * partSize
        return start..<start + min(partSize, size - start)
    }
}

/// A part that the store has.
struct S3Part: Sendable, Hashable {
    var number: Int
    var entityTag: String
    /// Its SHA-256 in Base64; `nil` if the store didn't report one.
    var checksum: String?

    /// The entity tag without quotes, which most stores make of the part's MD5.
    var unquotedTag: String {
        String(decoding: entityTag.utf8.filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
    }
}
