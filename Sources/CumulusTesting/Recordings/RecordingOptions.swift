// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
public import HTTPTypes

/// The options of a recording: the requests that match, and the recorded content.
public struct RecordingOptions: Sendable {
    /// The condition under which requests are sent and recorded.
    public enum Mode: Sendable, Hashable {
        /// Everything is recorded if the file doesn't exist. If it exists, nothing is sent.
        case once
        /// Requests that the file doesn't contain are sent and added to it.
        case new
        /// Everything is sent, and the recording replaces the file.
        case always
    }

    /// The request fields that must match, in addition to the method and the URL; fields whose names indicate a secret
    /// always match.
    ///
    /// Default: none.
    public var matchedFields: Set<HTTPField.Name> = []
    /// Whether the request's body must match, apart from its secrets.
    ///
    /// Default: false.
    public var matchesBodies = false
    /// The names of additional fields and query items whose values are secret, in any case.
    ///
    /// Names that indicate a secret (`SecretRedaction.isSecret(_:)`) needn't be listed. Default: none.
    public var secretNames: Set<String> = []
    /// Whether secrets are written to the file.
    ///
    /// Default: false.
    public var includesSecrets = false
    /// Whether bodies in which secrets can't be recognized are written unchanged: HTML, XML, other text that is neither
    /// JSON nor a form, and text over 8 MiB.
    ///
    /// Default: false, which omits such a body if it contains a name that indicates a secret, or is too long.
    public var includesUnsearchableBodies = false
    /// The content codings that are removed from bodies before they are written; a body with a different coding is not
    /// recorded.
    ///
    /// Default: gzip and deflate. `CumulusCodings` contains more.
    public var contentCodings: [ContentCoding] = [.gzip, .deflate]

    /// Creates the default options.
    public init() {}

    /// Whether a body is written although its secrets are not known.
    var includesAnyBody: Bool { includesSecrets || includesUnsearchableBodies }

    func hides(_ name: String) -> Bool {
        !secretNames.isEmpty && secretNames.contains { $0.lowercased() == name.lowercased() }
    }
}
