// SPDX-License-Identifier: Apache-2.0

#if CUMULUS_CHECKED
import HTTPTypes

/// What one call has handed to its transport, and what of it must never have happened; no I/O.
///
/// It judges by what passes alone: it asks neither the engine nor its rules, and counts for itself.
struct SendLedger {
    /// An attempt, as far as it decides what may be sent after it.
    private struct Attempt {
        var reason = AttemptRecord.Reason.call
        /// The caller's rule for retries.
        var policy: RetryPolicy?
        /// How often it was passed on; more than once if an interceptor asked for that.
        var passages = 0
        var exchanges = 0
        /// Whether an exchange ended without an answer, and the server may have the request.
        var mayHaveArrived = false
        var wasAnswered = false
    }

    /// A request on its way out, with its repetitions within the attempt.
    struct Passage {
        /// The once-only bodies of which something was read before it was decided to send this.
        var spent: Set<ObjectIdentifier> = []
        fileprivate var exchanges = 0
        /// How often it was sent again, without refusals.
        fileprivate var repetitions = 0
        fileprivate var end: End?
        fileprivate var isLate = false
        fileprivate var isCancelled = false
    }

    /// How an exchange ended.
    enum End {
        case answered(HTTPResponse.Status)
        case failed(TransportFailure)
        /// By anything that no transport says.
        case other
    }

    private var exchanges = 0
    private var attempts = 0
    private var emptyAttempts = 0
    private var hasDownloads = false
    private var present = Attempt()
    private var past: Attempt?
    /// Where the call began, with or without a renewed link.
    private var homes: Set<Origin> = []
    private var homeProofs: Set<String> = []
    /// The origins that an authorizer was told to serve as well.
    private var shared: Set<Origin> = []
    /// Whether another attempt was decided that has not begun, or another exchange that waits for its proof.
    private var isPlanned = false

    private static let secretNames: [HTTPField.Name] = [.authorization, .proxyAuthorization, .cookie]

    // MARK: What happens

    mutating func beginAttempt(
        _ request: EncodedRequest,
        for reason: AttemptRecord.Reason,
        isFirst: Bool,
        isDownload: Bool,
        sharing shared: Set<Origin> = [],
        _ policy: RetryPolicy?
    ) {
        self.shared = shared
        isPlanned = false
        if attempts > 0 { past = present }
        if attempts > 0, present.exchanges == 0 { emptyAttempts += 1 }
        attempts += 1
        present = Attempt(reason: reason, policy: policy)
        if isFirst { homes.insert(request.origin) }
        if isDownload { hasDownloads = true }
    }

    /// Another attempt, or another proof, was decided; the wait before it may outlast the call.
    mutating func plan() { isPlanned = true }

    /// A request is handed over; the words of the property that this violates.
    mutating func begin(
        _ request: TransportRequest,
        shown: HTTPFields,
        _ passage: inout Passage,
        isLate: Bool = false,
        isCancelled: Bool = false
    ) -> String? {
        exchanges += 1
        isPlanned = false
        present.exchanges += 1
        if passage.exchanges == 0 { present.passages += 1 }
        passage.exchanges += 1
        (passage.isLate, passage.isCancelled) = (isLate, isCancelled)
        return onceOnly(request, passage) ?? blindly(request, passage) ?? tooOften(&passage)
            ?? secretly(request, shown)
    }

    /// The exchange has ended; the words of the property that this violates.
    mutating func end(_ end: End, _ passage: inout Passage) -> String? {
        passage.end = end
        switch end {
        case .answered(let status):
            // The server refused these without a look at what they ask for.
            if status.code == 408 { present.mayHaveArrived = true }
            if ![408, 417, 421].contains(status.code) { present.wasAnswered = true }
            if passage.isLate { return "nothing is sent after the deadline" }
            if passage.isCancelled { return "nothing is sent after a cancellation" }
        case .failed(let failure): if failure.fate == .unknown { present.mayHaveArrived = true }
        case .other: present.mayHaveArrived = true
        }
        return nil
    }

    // MARK: What must never happen

    private func onceOnly(_ request: TransportRequest, _ passage: Passage) -> String? {
        guard case .stream(let stream) = request.body, let identity = stream.identity.map(ObjectIdentifier.init),
            passage.spent.contains(identity)
        else { return nil }
        return "a once-only body is never sent again after a byte of it was read"
    }

    private func blindly(_ request: TransportRequest, _ passage: Passage) -> String? {
        let words = "what isn't idempotent and has no key is never sent again after an unknown fate"
        guard request.headers.idempotencyKey == nil else { return nil }
        if passage.exchanges > 1 {
            let isSafe = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "QUERY"].contains(request.method.rawValue)
            switch passage.end {
            case .failed(let failure): return isSafe || failure.fate != .unknown ? nil : words
            case .answered(let status): return isSafe || status.code != 408 ? nil : words
            case .other, nil: return words
            }
        }
        // An interceptor that asks again, and a rule of the caller's own, know what they do.
        guard present.passages == 1, let past, present.policy?.decide == nil,
            !(present.policy ?? .default).methods.contains(request.method)
        else { return nil }
        switch present.reason {
        case .retry: return past.mayHaveArrived || past.wasAnswered ? words : nil
        case .call, .resume: return past.mayHaveArrived ? words : nil
        default: return nil
        }
    }

    private func tooOften(_ passage: inout Passage) -> String? {
        guard passage.exchanges > 1 else { return nil }
        if case .failed(let failure) = passage.end, failure.fate == .unprocessed, failure.connectionHadServed {
            return nil
        }
        passage.repetitions += 1
        return passage.repetitions > 3 ? "within an attempt a request is sent again at most three times" : nil
    }

    private mutating func secretly(_ request: TransportRequest, _ shown: HTTPFields) -> String? {
        let proofs = [HTTPField.Name.authorization, .proxyAuthorization].compactMap { request.headers[$0] }
        if homes.isEmpty || homes.contains(request.origin) {
            homeProofs.formUnion(proofs)
            return nil
        }
        let words = "no other origin gets more than the harmless fields after a redirect"
        if request.offersIdentity { return words }
        if !shared.contains(request.origin), !homeProofs.isDisjoint(with: proofs) { return words }
        if SendLedger.secretNames.contains(where: { shown[$0] != nil }) { return words }
        return shown.count == shown.harmless.count ? nil : words
    }

    /// The words of the property that a call's record violates.
    ///
    /// An attempt may have sent nothing, and an interceptor may give a response of its own after one that failed.
    func compare(_ records: [AttemptRecord], hasInterceptors: Bool) -> String? {
        guard !hasDownloads, attempts > 0 else { return nil }
        let empty = emptyAttempts + (present.exchanges == 0 ? 1 : 0) + (isPlanned ? 1 : 0)
        let count = max(records.last?.number ?? 1, 1)
        let fallbacks = records.count { $0.reason == .fallback }
        // Of several at once, one may have ended while it waited, or have found its body used up.
        let refused = records.count { record in
            guard case .failed(let error) = record.outcome else { return false }
            guard let error = error as? CumulusError else { return error is CancellationError }
            return error.cause is BodyAlreadySent || error.phase == .total || error.phase == .rateLimit
        }
        let most = exchanges + empty + fallbacks + (hasInterceptors ? attempts + refused : 0)
        return exchanges <= count && count <= max(most, 1)
            ? nil : "the record says \(count) attempts, the transport got \(exchanges) (\(empty) sent nothing)"
    }
}
#endif
