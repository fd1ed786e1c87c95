// SPDX-License-Identifier: Apache-2.0

package import CumulusPrimitives

/// The reason why a file in a request's body could not be sent.
///
/// It is the ``CumulusError/cause`` of an ``CumulusError/Code/encoding`` error, which is thrown before anything is sent.
/// If the file fails while it is being sent (``CumulusError/Code/requestBody``), it is the cause of that error's
/// `TransportFailure`.
public struct UploadProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of problem.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Kind: Sendable, Hashable {
        /// The file does not exist.
        case missing
        /// The file can't be opened or read.
        case unreadable
        /// The path is a folder, a device or a pipe, or the URL is not a file URL.
        case notPlain
        /// The file is shorter or longer than it was when the request was created.
        case changed
    }

    /// The kind.
    public let kind: Kind
    /// The file's path.
    public let path: String
    /// The problem, in words that follow the path.
    public let reason: String

    /// Creates a problem, which a transport that reads files itself throws.
    public init(_ kind: Kind, path: String, _ reason: String) {
        self.kind = kind
        self.path = path
        self.reason = reason
    }

    /// The problem of a file that can't be opened or read.
    package init(_ refusal: OpenedFile.Refusal) {
        let kind: Kind =
            switch refusal.kind {
            case .missing: .missing
            case .unreadable: .unreadable
            case .notPlain: .notPlain
            }
        self.init(kind, path: refusal.path, refusal.reason)
    }

    /// Works with an open file, whose refusals become problems.
    static func naming<Value>(_ work: () throws(OpenedFile.Refusal) -> Value) throws(UploadProblem) -> Value {
        do { return try work() } catch { throw UploadProblem(error) }
    }

    /// The file and the problem.
    public var description: String { "the file \(PeerText.quoted(path)) \(reason)" }
}
