// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// A plan of `cumulus download`.
struct DownloadJob: Sendable {
    /// The requests: one, or those of a list.
    var requests: [Plan]
    /// Whether they come from a list, so that one failure doesn't affect the others.
    var isList: Bool
    /// A file or a folder; `nil` is the working folder.
    var output: String?
    var resumes: Bool
    /// Whether a shorter file is also continued without a digest, after a comparison of its end.
    var trustsPart: Bool
    /// `nil` uses the library's default.
    var connections: Int?
    var checksum: Checksum?
    var setsTime: Bool
    var overwrites: Bool
    /// How many of a list run at a time.
    var parallel: Int
    /// Whether only errors and warnings are printed.
    var isQuiet: Bool
    /// The command that resumes after an interruption.
    var continuation: String
    /// The command that starts again, without a use of existing files.
    var repetition: String
}

/// A plan of `cumulus upload`.
struct UploadPlan: Sendable {
    /// The request, with its body.
    var request: Plan
    /// How it is sent in pieces; `nil` if it is one request.
    var pieces: PieceUpload?
    /// The displayed name of the file.
    var name: String
}
