// SPDX-License-Identifier: Apache-2.0

import NIOHTTP2

extension NIOHTTP2Errors {
    /// What was wrong, in our words: NIOHTTP2's own texts quote whole field sections and places in its source.
    static func reason(for error: any Error) -> String? {
        switch error {
        case is UnableToParseFrame: "a frame can't be parsed"
        case is FlowControlViolation: "more content arrived than the window allows"
        case is InvalidFlowControlWindowSize, is InvalidWindowIncrementSize: "a window is out of range"
        case is InvalidSetting, is ReceivedBadSettings: "a setting is out of range"
        case is MissingPreface: "the first frame is not SETTINGS"
        case is PushInViolationOfSetting: "a response was pushed"
        case is NoSuchStream, is StreamClosed, is BadStreamStateTransition, is StreamIDTooSmall,
            is InvalidStreamIDForPeer, is CreatedStreamAfterGoaway, is MaxStreamsViolation, is PriorityCycle:
            "a frame arrived for a stream in the wrong state"
        case is RaisedGoawayLastStreamID: "a GOAWAY frame raised the last stream ID"
        case is TrailersWithoutEndStream: "trailers did not end the stream"
        case is MissingPseudoHeader, is DuplicatePseudoHeader, is PseudoHeaderAfterRegularHeader,
            is UnknownPseudoHeader,
            is UnsupportedPseudoHeader, is InvalidPseudoHeaders, is InvalidPseudoHeaderValue, is InvalidStatusValue:
            "the pseudo-header fields are malformed"
        case is InvalidHTTP2HeaderFieldName, is InvalidHTTP2HeaderFieldValue: "a header field is malformed"
        case is ForbiddenHeaderField: "HTTP/2 forbids a header field"
        case is ContentLengthViolated: "the content doesn't match Content-Length"
        case is ContentLengthHeadersMismatch, is ContentLengthHeaderNegative, is ContentLengthHeaderMalformedValue:
            "Content-Length is not a single number"
        case is ExcessiveOutboundFrameBuffering: "the server does not read the replies to its frames"
        case is UnableToSerializeFrame: "the request doesn't fit into a frame"
        case is ExcessiveEmptyDataFrames, is ExcessiveControlFrames, is ExcessiveRSTFrames, is ExcessiveStreamErrors,
            is ExcessiveNumberOfGlitches:
            "too many useless frames arrived"
        default: nil
        }
    }
}

extension HTTP2ErrorCode {
    /// Whether a peer that ends a connection with this code handles nothing more of it (RFC 9113 section 5.4.1).
    ///
    /// Unknown codes are not among them: Apache uses one for a graceful restart. The others are for single streams.
    var endsConnection: Bool {
        switch self {
        case .protocolError, .internalError, .flowControlError, .settingsTimeout, .streamClosed, .frameSizeError,
            .compressionError, .enhanceYourCalm, .inadequateSecurity:
            true
        default: false
        }
    }

    /// The code's name (RFC 9113 section 7), or its number without one.
    var name: String {
        let names = [
            "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
            "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
            "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
        ]
        let number = UInt32(http2ErrorCode: self)
        return number < names.count ? names[Int(number)] : "undefined HTTP/2 error code 0x\(String(number, radix: 16))"
    }
}
