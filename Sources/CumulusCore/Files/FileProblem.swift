// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The reason why a download's file can't be created, written or moved; the cause of ``CumulusError/Code/disk``.
public struct FileProblem: Error, Sendable, Hashable, CustomStringConvertible {
    private let failure: FileFailure

    /// The operation: `make`, `write`, `move`.
    public var operation: String { failure.operation }
    /// The file or directory.
    public var path: String { failure.path }
    /// The system's error number (`errno`); 0 if the system reported none.
    public var errorNumber: Int32 { failure.errorNumber }

    init(_ failure: FileFailure) { self.failure = failure }

    /// Creates a problem from the error that the system has just reported.
    init(_ operation: String, _ path: String) { failure = FileFailure(operation, path) }

    /// Creates a problem from the system's error number, for your own store to throw.
    ///
    /// - Parameters:
    ///   - operation: The operation, a verb: `write`.
    ///   - path: The file or directory.
    ///   - errorNumber: The system's error number.
    public init(_ operation: String, _ path: String, errorNumber: Int32) {
        failure = FileFailure(operation, path, errorNumber: errorNumber)
    }

    /// Creates a problem with a reason in words.
    public init(_ operation: String, _ path: String, because reason: String) {
        failure = FileFailure(operation, path, because: reason)
    }

    /// Does work with files, whose failures become problems.
    static func naming<Value>(_ work: () async throws -> Value) async throws -> Value {
        do { return try await work() } catch let failure as FileFailure { throw FileProblem(failure) }
    }

    /// The operation, the file, and the system's message.
    public var description: String { failure.description }
}
