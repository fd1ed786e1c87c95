// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Response {
    /// Whether the server has taken none of a piece: it has another offset, it is busy with another request of the
    /// upload, or the checksum doesn't match.
    var refusesPiece: Bool { [409, 423, 460].contains(statusCode) }

    /// Whether the server no longer has the upload; 401 and 403 don't mean that.
    var isOfLostUpload: Bool { [404, 410].contains(statusCode) }

    /// The error of an unsuccessful response.
    var refusal: any Error {
        failure
            ?? CumulusError(.incomplete, stage: .delivery, "the piece was refused", request: request, response: self)
    }

    /// When the server removes the upload.
    var uploadExpiration: Date? {
        HTTPField.Name("Upload-Expires").flatMap { headers[$0] }.flatMap { HTTPDate(parsing: $0) }.map {
            Date(timeIntervalSince1970: TimeInterval($0.secondsSince1970))
        }
    }
}

extension CumulusError {
    /// Whether the server no longer has the upload, even if the tree's decoders found a service's error.
    var isUploadGone: Bool { (code == .status || code == .service) && response?.isOfLostUpload == true }

    /// Whether the server has taken nothing yet, and will respond otherwise after an earlier request of the upload.
    var isOfBusyUpload: Bool { (code == .status || code == .service) && response?.refusesPiece == true }
}
