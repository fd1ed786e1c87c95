// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// One download, from the first request to the file in its place.
///
/// It asks again where a body breaks off, and begins anew where the file has changed; what is at the destination in the
/// end is one state of the remote file, or nothing.
struct Download {
    /// How often it is asked again after a break, unless the last try brought at least `gain` bytes.
    static let tries = 2
    static let gain: Int64 = 1 << 20
    /// How often a download begins anew because the file has changed, or the server can't be trusted with ranges.
    static let restarts = 2
    static let renewals = 3

    var fetch: RangeFetch
    let options: DownloadOptions
    let target: DownloadTarget
    /// The settings that the call began with.
    let settings: SettingsSnapshot
    /// The URL that the call named, whatever links came later.
    let url: RequestURL
    var file: DownloadFile?
    var writer: DownloadWriter?
    var journal: DownloadJournal?
    var counter: ProgressCounter?
    /// The state that the bytes in the file are of.
    var remote = RemoteState()
    /// Bytes of the file that are there from its first on.
    var position: Int64 = 0
    /// Bytes that are there, those before `position` and those that came out of order.
    var pieces = ByteRanges()
    /// Other places of the same file.
    var mirrors: [RangeFetch] = []
    /// Bytes that an earlier download brought and that are still used.
    var resumed: Int64 = 0
    /// What the head said of the file's digest.
    var declared: [Checksum] = []
    var response: Response?
    var usesRanges = true
    var isConditional = true
    /// Whether there is something of an earlier download that is not gone on with, and not replaced yet.
    var leavesEarlier = false
    private var failures = 0
    private var restarts = 0
    private var renewals = 0
    private var countAtFailure: Int64 = 0

    init(
        _ fetch: RangeFetch,
        _ options: DownloadOptions,
        _ target: DownloadTarget,
        settings: SettingsSnapshot,
        url: RequestURL
    ) {
        self.fetch = fetch
        self.options = options
        self.target = target
        self.settings = settings
        self.url = url
    }

    private var clock: any RequestClock { fetch.pipeline.exchange.clock }
    /// Where the wanted bytes begin in the remote file.
    var base: Int64 { options.range?.lowerBound ?? 0 }
    /// Where they end; `nil` where nobody has told.
    var end: Int64? {
        guard let wanted = options.range?.upperBound else { return remote.length }
        return min(wanted, remote.length ?? wanted)
    }

    /// Downloads.
    mutating func run() async throws -> DownloadedFile {
        if let range = options.range, range.isEmpty || range.lowerBound < 0 {
            throw problem(.invalidRequest, "the range \(range) has no bytes")
        }
        if let path = target.early, !target.isTemporary, path.exists {
            if let kept = try existing(path) { return kept }
        }
        do {
            for link in options.mirrors { mirrors.append(try await fetch.following(link)) }
            try await openEarlier()
            try await transfer()
            return try await finish()
        } catch {
            await leave(after: error)
            if let found = error as? Found, let kept = try existing(found.path) { return kept }
            throw error
        }
    }

    /// Asks and receives until all is there.
    private mutating func transfer() async throws {
        while true {
            do {
                if try await step() { return }
            } catch {
                try await recover(from: error)
            }
        }
    }

    /// One request; true where nothing is missing after it.
    private mutating func step() async throws -> Bool {
        let question = question
        let answer = try await fetch.ask(question)
        do {
            return try await judge(answer, to: question)
        } catch let misfit as RangeFetch.Misfit {
            usesRanges = false
            try await startAnew(.malformedResponse, misfit.reason, answer)
            return false
        }
    }

    private mutating func judge(_ answer: RangeFetch.Answer, to question: RangeQuestion) async throws -> Bool {
        switch answer.verdict {
        case .part(let count, let total):
            // Bytes of a state that nobody can name are not filled up with those of another.
            try await begin(answer, total: total, isPart: question.known != nil || !hasBytes)
            if let terms = segments(answer, isPart: true) { return try await inSegments(answer, terms) }
            try await receive(answer, from: question.start)
            return end.map { base + position >= $0 } ?? (question.end == nil || count == 0)
        case .whole(let length):
            if isWorthAsking(answer, length, question) {
                answer.drop()
                isConditional = false
                return false
            }
            try await begin(answer, total: length, isPart: false)
            if let terms = segments(answer, isPart: false) { return try await inSegments(answer, terms) }
            try await receive(answer, from: 0)
            return true
        case .complete:
            answer.drop()
            response = fetch.pipeline.exchange.response(of: answer.arrival)
            return true
        case .changed(let reason):
            answer.drop()
            try await startAnew(.remoteChanged, reason, answer)
            return false
        case .misfit(let reason):
            answer.drop()
            throw RangeFetch.Misfit(reason: reason, isChange: false)
        case .failed: throw try await fetch.failure(answer)
        }
    }

    /// Fetches the rest over several connections; true where nothing is missing after it.
    private mutating func inSegments(_ answer: RangeFetch.Answer, _ terms: SegmentedFetch.Terms) async throws -> Bool {
        do {
            if try await receiveSegments(answer, terms) { return true }
            // The server doesn't do as it says: the whole is compared with the bytes that are here.
            usesRanges = false
        } catch let misfit as RangeFetch.Misfit {
            try await startAnew(.remoteChanged, misfit.reason, answer)
        }
        return false
    }

    private var hasBytes: Bool { position > 0 || pieces.count > 0 }

    /// What to ask for next.
    private var question: RangeQuestion {
        let wanted = options.range?.upperBound
        guard hasBytes, usesRanges, remote.condition != nil else {
            guard let wanted, usesRanges else { return .whole }
            return RangeQuestion(start: base, end: wanted, isRanged: true)
        }
        // Where all is there, the last byte is asked for again, which tells whether it is still the same file.
        let start = base + position == end ? base + position - 1 : base + position
        return RangeQuestion(
            start: start,
            end: wanted,
            isRanged: true,
            known: remote,
            isConditional: isConditional,
            isCovered: options.checksum != nil
        )
    }

    /// Whether the whole came for a range though the file seems to be the same: some servers ignore `If-Range` with a tag.
    private func isWorthAsking(_ answer: RangeFetch.Answer, _ length: Int64?, _ question: RangeQuestion) -> Bool {
        guard question.condition != nil, let tag = remote.entityTag, answer.head.headers[.eTag] == tag,
            length == remote.length, answer.head.headers[.acceptRanges]?.lowercased() != "none"
        else { return false }
        return true
    }

    private mutating func startAnew(
        _ code: CumulusError.Code,
        _ reason: String,
        _ answer: RangeFetch.Answer
    ) async throws {
        restarts += 1
        let response = fetch.pipeline.exchange.response(of: answer.arrival)
        guard restarts <= Download.restarts else {
            throw problem(code, "the download was begun anew \(restarts) times: \(reason)", response)
        }
        isConditional = true
        resumed = 0
        try await forget()
    }

    /// Forgets the bytes, and the record that speaks of them.
    private mutating func forget() async throws {
        position = 0
        pieces = ByteRanges()
        countAtFailure = 0
        remote = RemoteState()
        counter = nil
        guard let file, !leavesEarlier else { return }
        do { try await file.clear() } catch { throw named(error) }
    }

    /// Waits before another try, or gets a fresh link; throws what can't be mended.
    ///
    /// No follow-up: it asks for other bytes, perhaps of another place, and not for the same again.
    private mutating func recover(from error: any Error) async throws {
        guard let failure = error as? CumulusError else { throw error }
        if let renewed = options.renewed, [401, 403, 404, 410].contains(failure.statusCode ?? 0),
            failure.code == .status || failure.code == .service, renewals < Download.renewals
        {
            renewals += 1
            return try await renew(by: renewed, after: failure)
        }
        // A place that can't give the file is left for the next one.
        if failure.code != .disk, failure.stage != .preflight, let next = mirrors.first {
            mirrors.removeFirst()
            fetch = next
            return
        }
        // Before the first byte of a call an error is the caller's at once.
        guard failure.isBreak, writer != nil || response != nil else { throw failure }
        let count = max(position, pieces.count)
        if count - countAtFailure >= Download.gain { failures = 0 }
        countAtFailure = count
        guard failures < Download.tries else {
            throw CumulusError(
                .incomplete,
                stage: .delivery,
                "the download broke off after \(count) bytes\(end.map { " of \($0 - base)" } ?? ""), and so did "
                    + "\(failures) tries to go on: \(failure.message)",
                request: failure.request,
                response: failure.response,
                cause: failure
            )
        }
        failures += 1
        try await fetch.call.pause(for: .milliseconds(failures == 1 ? 250 : 1000), on: clock, before: fetch.draft.bare)
    }

    private mutating func renew(by renewed: DownloadOptions.Renewal, after failure: CumulusError) async throws {
        let link = try await Stage.run(.delivery, .status, request: failure.request, wrapping: true) {
            try await renewed(failure)
        }
        fetch = try await fetch.following(link)
    }

    func problem(
        _ code: CumulusError.Code,
        _ message: String,
        _ response: Response? = nil
    ) -> CumulusError {
        CumulusError(
            code,
            stage: .delivery,
            message,
            request: response?.request ?? fetch.draft.bare,
            response: response
        )
    }
}

extension CumulusError {
    /// Whether a body that broke off so may be asked for again.
    var isBreak: Bool {
        // What broke off may be an error's body: its status decides.
        if let status = statusCode, !(200..<300).contains(status) {
            return code.isBreak || code == .status ? [408, 425, 429, 500, 502, 503, 504].contains(status) : false
        }
        return code.isBreak || code == .timeout && phase != .total
    }
}

extension CumulusError.Code {
    /// Whether a connection that failed so may do better the next time.
    fileprivate var isBreak: Bool {
        [.connectionClosed, .truncatedBody, .connect, .lookup, .transport].contains(self)
    }
}
