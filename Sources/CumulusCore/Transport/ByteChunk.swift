// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Bytes held by somebody else, a transport's receive buffer for example.
public protocol ByteStorage: Sendable {
    /// How many bytes there are.
    var count: Int { get }

    /// Lends the bytes for the time of a call.
    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result
}

extension [UInt8]: ByteStorage {}
extension Data: ByteStorage {}

/// A run of bytes of a body, held where the transport received them: nothing is copied until you ask for it.
public struct ByteChunk: Sendable {
    private let storage: any ByteStorage
    /// How many bytes there are.
    public let count: Int

    /// Holds bytes where they are.
    public init(_ storage: any ByteStorage) {
        self.storage = storage
        self.count = storage.count
    }

    /// The UTF-8 bytes of a text.
    public init(_ text: String) { self.init([UInt8](text.utf8)) }

    /// No bytes.
    public static var empty: ByteChunk { ByteChunk([UInt8]()) }

    /// Whether there are no bytes.
    public var isEmpty: Bool { count == 0 }

    /// Lends the bytes for the time of a call.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try storage.withUnsafeBytes(body)
    }

    /// The bytes as an array; copied unless an array is what holds them.
    public var bytes: [UInt8] { storage as? [UInt8] ?? withUnsafeBytes { [UInt8]($0) } }

    /// The bytes as `Data`; copied unless `Data` is what holds them.
    public var data: Data { storage as? Data ?? withUnsafeBytes { Data($0) } }

    /// The storage as it was given, for a transport that can send its own kind without copying.
    public func unwrap<Storage: ByteStorage>(as type: Storage.Type) -> Storage? { storage as? Storage }
}

extension ByteChunk: Equatable {
    /// Whether the bytes are the same, wherever they are held.
    public static func == (left: ByteChunk, right: ByteChunk) -> Bool {
        guard left.count == right.count else { return false }
        return left.withUnsafeBytes { mine in right.withUnsafeBytes { mine.elementsEqual($0) } }
    }
}

extension ByteChunk: CustomStringConvertible, CustomReflectable {
    /// How many bytes there are; what they are may be secret, and long.
    public var description: String { "\(count) bytes" }
    /// Shows the same as the description.
    public var customMirror: Mirror { Mirror(self, children: ["bytes": description]) }
}
