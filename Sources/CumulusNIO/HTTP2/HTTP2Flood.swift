// SPDX-License-Identifier: Apache-2.0

/// What a peer sends too much of.
enum HTTP2Flood: Hashable, Sendable {
    case emptyContent, lateContent, lateSections, priorities, resets, settings, pings, ends, windowUpdates
    case unknownFrames
}

extension HTTP2Flood: CustomStringConvertible {
    /// A sentence fragment for the error message that the caller sees.
    var description: String {
        switch self {
        case .emptyContent: "too many DATA frames without content arrived"
        case .lateContent: "too much content arrived for exchanges that had ended"
        case .lateSections: "too many heads arrived for exchanges that had ended"
        case .priorities: "too many PRIORITY frames arrived"
        case .resets: "too many RST_STREAM frames arrived"
        case .settings: "too many SETTINGS frames arrived"
        case .pings: "too many PING frames arrived"
        case .ends: "too many GOAWAY frames arrived"
        case .windowUpdates: "too many WINDOW_UPDATE frames arrived for what was sent"
        case .unknownFrames: "too many frames of unknown types arrived"
        }
    }
}
