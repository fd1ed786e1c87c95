// SPDX-License-Identifier: Apache-2.0

import NIOHTTP2

extension HTTP2ErrorCode {
    /// The code's name (RFC 9113 section 7), or its number.
    var name: String {
        let names = [
            "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
            "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
            "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
        ]
        let number = UInt32(http2ErrorCode: self)
        return number < names.count ? names[Int(number)] : "error \(number)"
    }
}
