// SPDX-License-Identifier: Apache-2.0

extension CumulusError {
    /// Whether the rest of a body that broke off with this error may be requested.
    var isBreak: Bool {
        if isTransient { return true }
        // Unknown transport failures may be temporary; only other bytes are requested, so nothing is done twice.
        guard let status = statusCode, !(200..<300).contains(status) else { return code == .transport }
        return code == .transport && StatusSet.transient.contains(status)
    }

    /// Whether the error suggests that a link has expired.
    var saysExpired: Bool {
        [401, 403, 404, 410].contains(statusCode ?? 0) && (code == .status || code == .service)
    }
}
