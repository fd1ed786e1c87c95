// SPDX-License-Identifier: Apache-2.0

import CumulusUploads

/// An upload in pieces, which can be continued.
struct PieceUpload: Sendable {
    /// The file's path.
    var path: String
    var uploadProtocol: UploadProtocol
    var resumes: Bool
    /// Whether an interrupted upload is removed, and nothing is sent.
    var abandons: Bool
    /// The folder of records; `nil` if neither XDG_STATE_HOME nor HOME is set.
    var records: String?
    /// The command that continues after an interruption.
    var continuation: String
}
