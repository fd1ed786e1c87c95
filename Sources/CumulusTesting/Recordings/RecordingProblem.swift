// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// The reason why a recording can't be read, written or used for a request.
///
/// It is the `CumulusError.cause` of an error with the code `CumulusError.Code.fixture`.
public struct RecordingProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of problem.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Kind: Sendable, Hashable {
        /// The file is missing, or the file or one of its bodies can't be read.
        case unreadable
        /// The file is not a HAR file; ``RecordingProblem/jsonPath`` is the location of the problem.
        case malformed
        /// The file can't be written.
        case unwritable
        /// The file has reached 48 MiB, not counting the bodies in separate files; no more exchanges are added.
        case full
        /// The recording has no response for a request, or all of them have been used.
        case unknownRequest
        /// The recording contains the head of a response, but not its body.
        case missingBody
    }

    /// The kind.
    public let kind: Kind
    /// The recording's file.
    public let file: String
    /// The location in the file, such as `$.log.entries[3].response.status`; `nil` if the problem has no location.
    public let jsonPath: String?
    /// The reason, without the file.
    package let reason: String
    /// The reason, with the file and the location.
    public let description: String

    init(_ kind: Kind, _ file: String, at jsonPath: String? = nil, _ reason: String) {
        self.kind = kind
        self.file = file
        self.jsonPath = jsonPath
        self.reason = reason
        let place = jsonPath.map { " at \(PeerText.printable($0))" } ?? ""
        description = "the recording \(PeerText.quoted(file))\(place): \(reason)"
    }

    /// The error that a call throws.
    var error: CumulusError { CumulusError(.fixture, stage: .transmission, description, cause: self) }
}
