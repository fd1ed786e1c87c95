// SPDX-License-Identifier: Apache-2.0

/// The bounds that an HTTP/2 connection and its peer must keep (T-34, T-41).
struct HTTP2Limits: Sendable {
    /// The largest window that there is (RFC 9113 section 6.9.1).
    static let largestWindow = Int(Int32.max)

    /// Exchanges on one connection at once, where the peer allows more.
    var streams = 256
    /// What the peer is taken to allow before it has said so.
    var streamsBeforeSettings = 100
    /// Bytes that the peer may send on a stream before they are read.
    var streamWindow = 1 << 20
    /// Bytes that the peer may send on all streams before they are received.
    var connectionWindow = 16 << 20
    /// The bytes of a field section, as RFC 9113 section 6.5.2 counts them.
    var fieldSectionBytes = 256 * 1024
    /// The fields of a field section.
    var fields = 5_000
    /// The 1xx responses before the final one.
    var informationalResponses = 100
    /// CONTINUATION frames of one field section; what the section may hold fits in 16 of the smallest frames.
    var continuationFrames = 32
    /// DATA frames in a row that carry nothing.
    var emptyDataFrames = 16
    /// Frames in 30 seconds that bring no exchange further: windows, pings, settings, priorities, unknown ones.
    var controlFrames = 1_000
    /// Such frames more for each frame that does, received or sent.
    var controlFramesPerFrame = 4
    /// What a busy connection may have earned of them: answers to a window full of small frames come at once.
    var controlFramesKept = 100_000
    /// The time in which the number is allowed again.
    var controlPeriod = Duration.seconds(30)
    /// Bytes for streams that are over, besides the windows of those that were ended here.
    var lateBytes = 256 * 1024
    /// Streams that the peer resets in 30 seconds, and those that it breaks.
    var resets = 500
    /// Answers to control frames that wait to be written.
    var bufferedControlFrames = 1_000
    /// Streams cancelled here for which frames may still arrive.
    var cancelledStreams = 256
}
