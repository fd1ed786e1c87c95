// SPDX-License-Identifier: Apache-2.0

extension CumulusError {
    /// Whether a body that broke off so may be asked for again.
    var isBreak: Bool {
        if isTransient { return true }
        // What a transport can't name may do better; other bytes are asked for, so nothing is done twice.
        guard let status = statusCode, !(200..<300).contains(status) else { return code == .transport }
        return code == .transport && StatusSet.transient.contains(status)
    }

    /// Whether a link may have expired.
    var saysExpired: Bool {
        [401, 403, 404, 410].contains(statusCode ?? 0) && (code == .status || code == .service)
    }
}
