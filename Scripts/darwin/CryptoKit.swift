// SPDX-License-Identifier: Apache-2.0

// Stands in for CryptoKit: its hash functions.

public protocol Digest: Hashable, Sequence where Element == UInt8 {}

public protocol HashFunction {
    associatedtype Digest: CryptoKit.Digest
    init()
    mutating func update(bufferPointer: UnsafeRawBufferPointer)
    func finalize() -> Digest
}

public struct StandInDigest: Digest {
    public func makeIterator() -> IndexingIterator<[UInt8]> { [].makeIterator() }
}

public protocol StandInHash: HashFunction, Sendable where Digest == StandInDigest {}

extension StandInHash {
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
    public func finalize() -> StandInDigest { StandInDigest() }
}

public struct SHA256: StandInHash { public init() {} }
public struct SHA384: StandInHash { public init() {} }
public struct SHA512: StandInHash { public init() {} }
public enum Insecure {
    public struct MD5: StandInHash { public init() {} }
    public struct SHA1: StandInHash { public init() {} }
}
