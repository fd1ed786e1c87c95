// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// Everything that `cumulus download` was asked for.
struct DownloadJob: Sendable {
    /// The requests: one, or those of a list.
    var requests: [Plan]
    /// Whether they are of a list, so that one's failure leaves the others alone.
    var isList: Bool
    /// A file or a folder; `nil` is the folder where the command runs.
    var output: String?
    var resumes: Bool
    /// `nil` leaves it to the library.
    var connections: Int?
    /// Where the same file is, too.
    var mirrors: [String]
    var checksum: Checksum?
    var setsTime: Bool
    var overwrites: Bool
    /// How many of a list run at a time.
    var parallel: Int
    /// Whether only errors and warnings are told.
    var isQuiet: Bool
    /// The command that goes on after an interruption.
    var continuation: String
}
