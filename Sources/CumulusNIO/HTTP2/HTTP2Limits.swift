// SPDX-License-Identifier: Apache-2.0

/// The limits for an HTTP/2 connection and its peer.
struct HTTP2Limits: Sendable {
    /// Concurrent exchanges on one connection, even if the peer allows more.
    var streams = 256
    /// The assumed limit of the peer if its settings name none.
    var streamsWithoutLimit = 100
    /// The same before its settings: lighttpd allows 8, and can't read further heads once it has refused one more.
    var streamsBeforeSettings = 8
    /// Bytes that the peer may send on a stream before they are read.
    var streamWindow = 1 << 20
    /// Bytes that the peer may send on all streams before they are received.
    var connectionWindow = 16 << 20
    /// The size of a field section, as RFC 9113 section 6.5.2 counts it.
    var fieldSectionBytes = 256 * 1024
    /// The fields of a field section.
    var fields = 5_000
    /// The 1xx responses before the final one that need not be paid for, and their bytes.
    var informationalResponses = 2_000
    var informationalBytes = 256 * 1024
    /// CONTINUATION frames of one field section; the largest allowed section fits in frames of 1 KiB.
    var continuationFrames = 256
    /// Consecutive DATA frames of a stream without content; more count as control frames.
    var emptyDataFrames = 16
    /// Frames in 30 seconds that don't advance an exchange: pings, settings, priorities, unknown ones, and windows and
    /// resets beyond what the sent bytes and opened streams explain.
    var controlFrames = 1_000
    /// Additional such frames for each frame that does, received or sent.
    var controlFramesPerFrame = 4
    /// The most of them that a busy connection can save up: answers to a window full of small frames arrive at once.
    var controlFramesKept = 100_000
    /// The period after which the number is allowed again.
    var controlPeriod = Duration.seconds(30)
    /// Bytes for ended streams, in addition to the windows of those that were ended here.
    var lateBytes = 256 * 1024
    /// Streams that the peer breaks off in 30 seconds before the connection gets no more.
    var resets = 500
    /// Frames other than content that are waiting to be written: answers to control frames, and what all streams may
    /// have to say while the peer reads nothing.
    var bufferedControlFrames = 10_000
    /// Streams cancelled here for which frames may still arrive.
    var cancelledStreams = 4_096
    /// Bytes of content that may wait to be written.
    var queuedBytes = 256 * 1024
}
