// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Bytes in storage of any kind, such as a transport's receive buffer.
public protocol ByteStorage: Sendable {
    /// The number of bytes.
    var count: Int { get }

    /// Calls a closure with the bytes, which are valid only during the call.
    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result
}

extension [UInt8]: ByteStorage {}
extension Data: ByteStorage {}

/// A run of a body's bytes, in the storage that received them.
///
/// Nothing is copied until you request it.
public struct ByteChunk: Sendable {
    // One reference: a storage of unknown size is copied through run-time tables.
    private let storage: Shared<any ByteStorage>
    /// The number of bytes.
    public let count: Int

    /// Creates a chunk from the bytes in a storage.
    public init(_ storage: any ByteStorage) {
        // A chunk of a chunk would add a step to each access. Types compare faster than a cast fails.
        if type(of: storage) == ByteChunk.self, let chunk = storage as? ByteChunk {
            self = chunk
        } else {
            self.init(storage, count: storage.count)
        }
    }

    /// Creates a chunk of a storage that isn't a chunk itself.
    package init(_ storage: any ByteStorage, count: Int) {
        self.storage = Shared(storage)
        self.count = count
    }

    /// Creates a chunk from a string's UTF-8 bytes.
    public init(_ text: String) { self.init([UInt8](text.utf8)) }

    /// A chunk without bytes.
    public static let empty = ByteChunk([UInt8]())

    /// Whether there are no bytes.
    public var isEmpty: Bool { count == 0 }

    /// Calls a closure with the bytes, which are valid only during the call.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try storage.value.withUnsafeBytes(body)
    }

    /// The bytes as an array; they are copied unless the storage is an array.
    public var bytes: [UInt8] { storage.value as? [UInt8] ?? withUnsafeBytes { [UInt8]($0) } }

    /// The bytes as `Data`; they are copied unless the storage is `Data`.
    public var data: Data { storage.value as? Data ?? withUnsafeBytes { Data($0) } }

    /// Returns the original storage, for a transport that can send its own type without copying.
    public func unwrap<Storage: ByteStorage>(as type: Storage.Type) -> Storage? { storage.value as? Storage }
}

extension ByteChunk: ByteStorage {}

extension ByteChunk: Equatable {
    /// Whether the bytes are the same, regardless of their storage.
    public static func == (left: ByteChunk, right: ByteChunk) -> Bool {
        guard left.count == right.count else { return false }
        return left.withUnsafeBytes { mine in right.withUnsafeBytes { mine.elementsEqual($0) } }
    }
}

extension ByteChunk: Redacted {
    /// The number of bytes, since the bytes themselves may be secret, and many.
    public var description: String { "\(count) bytes" }
}

extension ByteChunk {
    /// A part of the bytes, in the same storage.
    func slice(_ range: Range<Int>) -> ByteChunk {
        range == 0..<count ? self : ByteChunk(ChunkSlice(whole: self, range: range))
    }
}

/// A part of a chunk's bytes, which keeps the chunk alive.
private struct ChunkSlice: ByteStorage {
    let whole: ByteChunk
    let range: Range<Int>

    var count: Int { range.count }

    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try whole.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }
}
