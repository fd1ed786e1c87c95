// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes

/// Why a service refused a signed request.
enum AWSRefusal {
    case clock
    case keys
    case other

    private static let clockCodes: Set<String> = [
        "RequestTimeTooSkewed", "RequestExpired", "RequestInTheFuture",
    ]
    private static let keyCodes: Set<String> = ["ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired"]

    /// Classifies an error; the response to HEAD has no body with an error, so only the clock can be corrected.
    init(_ error: AWSError?, isHead: Bool) {
        guard let error else {
            self = isHead ? .clock : .other
            return
        }
        if Self.clockCodes.contains(error.code) {
            self = .clock
        } else if Self.keyCodes.contains(error.code) {
            self = .keys
        } else if error.code == "InvalidSignatureException", let message = error.message,
            message.begins(with: "Signature expired") || message.begins(with: "Signature not yet current")
        {
            self = .clock
        } else {
            self = .other
        }
    }

    /// The access key that signed a request.
    static func key(of request: EncodedRequest) -> String? {
        guard let value = request.headers[.authorization], let place = value.place(of: "Credential=") else {
            return nil
        }
        return String(value[place.upperBound...].before("/"))
    }
}
