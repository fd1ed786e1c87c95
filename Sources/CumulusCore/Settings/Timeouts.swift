// SPDX-License-Identifier: Apache-2.0

/// Limits for single phases of an exchange.
public struct Timeouts: Sendable, Hashable {
    /// The limit for name lookup, connecting and the TLS handshake together; `nil` means no limit.
    public var connect: Duration? { didSet { edits.note(0) } }
    /// The limit for waiting for a connection while the pool is busy; `nil` means no limit.
    public var poolWait: Duration? { didSet { edits.note(1) } }
    /// The minimum rate at which a body must move.
    ///
    /// `nil`, the default, is a byte a second over 30 seconds for downloads to files, and no limit otherwise;
    /// ``MinimumRate/none`` means no limit for downloads, too.
    public var minimumRate: MinimumRate? { didSet { edits.note(2) } }
    /// The limit from the request's last byte to the whole head of the response, including informational (1xx)
    /// responses.
    ///
    /// `nil`, the default, is ``Settings/timeout``: the head must arrive by then, and neither its first bytes nor
    /// informational responses extend the wait. If a limit is set, they do, up to that limit: a server that sends `102
    /// Processing` while it works needs one.
    public var response: Duration? { didSet { edits.note(3) } }
    var edits = FieldEdits.all

    /// Makes a set of limits.
    public init(
        connect: Duration? = .seconds(10),
        poolWait: Duration? = .seconds(30),
        minimumRate: MinimumRate? = nil,
        response: Duration? = nil
    ) {
        self.connect = connect
        self.poolWait = poolWait
        self.minimumRate = minimumRate
        self.response = response
    }
}

extension Timeouts: FieldwiseSetting {
    mutating func take(_ other: Timeouts) {
        if other.edits.says(0) { connect = other.connect }
        if other.edits.says(1) { poolWait = other.poolWait }
        if other.edits.says(2) { minimumRate = other.minimumRate }
        if other.edits.says(3) { response = other.response }
    }

    /// Whether the limits are the same.
    public static func == (left: Timeouts, right: Timeouts) -> Bool {
        left.connect == right.connect && left.poolWait == right.poolWait && left.minimumRate == right.minimumRate
            && left.response == right.response
    }

    /// Hashes the limits.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(connect)
        hasher.combine(poolWait)
        hasher.combine(minimumRate)
        hasher.combine(response)
    }
}

extension Timeouts: CustomStringConvertible {
    /// The limits in words.
    public var description: String {
        func text(_ limit: Duration?) -> String { limit.map { SpokenDuration($0).description } ?? "none" }
        let rate = minimumRate.map { ", at least \($0)" } ?? ""
        let head = response.map { ", response \(SpokenDuration($0))" } ?? ""
        return "connect \(text(connect)), pool wait \(text(poolWait))\(rate)\(head)"
    }
}
