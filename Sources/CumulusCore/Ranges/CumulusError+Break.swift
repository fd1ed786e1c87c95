// SPDX-License-Identifier: Apache-2.0

extension CumulusError {
    /// Whether a body that broke off so may be asked for again.
    var isBreak: Bool {
        // What broke off may be an error's body: its status decides.
        if let status = statusCode, !(200..<300).contains(status) {
            return code.isBreak || code == .status ? [408, 425, 429, 500, 502, 503, 504].contains(status) : false
        }
        return code.isBreak || code == .timeout && phase != .total
    }

    /// Whether a link may have expired.
    var saysExpired: Bool {
        [401, 403, 404, 410].contains(statusCode ?? 0) && (code == .status || code == .service)
    }
}

extension CumulusError.Code {
    /// Whether a connection that failed so may do better the next time.
    fileprivate var isBreak: Bool {
        [.connectionClosed, .truncatedBody, .connect, .lookup, .transport].contains(self)
    }
}
