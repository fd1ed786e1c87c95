// SPDX-License-Identifier: Apache-2.0

/// When to send a late request again, to take whichever response arrives first.
///
/// ```swift
/// site.hedging = .after(.milliseconds(200))
/// site["search"].hedging = .after(percentile: 0.95)
/// ```
///
/// It is for servers that answer one request in a hundred far later than the others. Only GET and HEAD without a body
/// are hedged, until the response's head arrives; downloads to files are not. The hedge is the same request with the
/// same proof of identity, sent after all interceptors have run. When one answers, the other is cancelled, and its slot
/// of ``Settings/maxConcurrentRequests`` is free again.
///
/// A hedge never waits: it is sent only if a slot is free, the ``Settings/pace`` allows it, and the origin has a retry
/// left in the ``RetryPolicy/budget`` (that of ``RetryPolicy/default`` if nothing is retried), of which it takes one. A
/// response that a retry might fix (429, 503, ...) and a 401 wait for the other request.
public struct Hedging: Sendable, Hashable {
    enum Delay: Sendable, Hashable {
        case fixed(Duration)
        case percentile(Double)
    }

    let delay: Delay
    /// The number of additional requests.
    public let extra: Int

    private init(_ delay: Delay, upTo extra: Int) {
        self.delay = delay
        self.extra = min(max(0, extra), 4)
    }

    /// Sends a hedge after a fixed time without a response.
    ///
    /// - Parameters:
    ///   - delay: The time; a negative one counts as zero.
    ///   - extra: The limit of additional requests, each sent after the same time; 4 at most. Default: 1.
    /// - Returns: The setting's value.
    public static func after(_ delay: Duration, upTo extra: Int = 1) -> Hedging {
        Hedging(.fixed(max(.zero, delay)), upTo: extra)
    }

    /// Sends a hedge after the time within which a share of the recent responses arrived.
    ///
    /// Times are learned by place: from the responses of the same path, or of the whole origin while the path has fewer
    /// than 20; until the origin has 20, nothing is hedged. Newer responses count more.
    ///
    /// - Parameters:
    ///   - percentile: From 0.5 to 0.999; 0.95 hedges about one request in twenty.
    ///   - extra: The limit of additional requests, each sent after the same time; 4 at most. Default: 1.
    /// - Returns: The setting's value.
    public static func after(percentile: Double, upTo extra: Int = 1) -> Hedging {
        Hedging(.percentile(percentile.isNaN ? 0.95 : min(max(0.5, percentile), 0.999)), upTo: extra)
    }
}

extension Hedging: CustomStringConvertible {
    /// The setting in words.
    public var description: String {
        let count = extra == 1 ? "once" : "up to \(extra) times"
        switch delay {
        case .fixed(let delay): return "\(count), after \(SpokenDuration(delay))"
        case .percentile(let share): return "\(count), after the time in which \(share * 100) % of responses arrive"
        }
    }
}
