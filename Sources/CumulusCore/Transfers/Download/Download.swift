// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One download, from the first request to the finished file.
///
/// It sends the plan's requests and writes the output. If a body breaks off, it requests the remaining bytes. If the
/// file has changed, it starts over. In the end, the destination has one state of the remote file, or nothing.
struct Download {
    /// How all requests together end, unless one fails.
    private enum Ending {
        /// All bytes have been received.
        case complete
        /// A file exists at the destination that the response named, and is kept.
        case found(FilePath)
    }

    let options: DownloadOptions
    let target: DownloadTarget
    var fetch: RangeFetch
    var plan: DownloadPlan
    private var recovery = DownloadRecovery()
    var output: DownloadOutput
    /// The last response that contributed bytes.
    var response: Response?
    /// The stores that wait for the file, since they have seen the response that began it.
    private(set) var taps: StoreTaps?
    /// The number of the last exchange in the call's record.
    var number = 0
    /// How an existing file at the destination is resumed.
    private(set) var existingFile = DownloadExtension()

    init(_ fetch: RangeFetch, _ options: DownloadOptions, _ target: DownloadTarget) {
        self.fetch = fetch
        self.options = options
        self.target = target
        plan = DownloadPlan(wanted: options.range, isCovered: options.checksum != nil)
        output = DownloadOutput(target, options, of: fetch.request.url)
    }

    private var clock: any RequestClock { fetch.pipeline.attemptLoop.clock }

    /// Runs the download.
    mutating func run() async throws -> DownloadedFile {
        if let range = options.range, range.isEmpty || range.lowerBound < 0 {
            throw problem(.invalidRequest, "the range \(range) has no bytes")
        }
        if let path = target.knownPath, !target.isTemporary, path.exists {
            if options.existing == .extend { try takeIfVerified(path) }
            if let kept = try existing(path) { return kept }
        }
        do {
            switch try output.openEarlier(for: plan) {
            case nil: break
            case .usable(let record)?: plan.resume(record)
            case .unusable(let reason)?: plan.note(unusable: reason)
            }
            while true {
                switch try await transfer() {
                case .complete:
                    do {
                        return try await finish()
                    } catch let error as CumulusError where error.code == .checksum && existingFile.isAdopted {
                        // It is unknown whether the existing bytes were the right ones.
                        existingFile.isAdopted = false
                        taps = nil
                        plan.startOver(after: .changed("the checksum of the continued file was wrong"))
                        try await output.startOver()
                    }
                case .found(let path):
                    await leave()
                    if let kept = try existing(path) { return kept }
                    throw PartFile.Exists(path: path.text)
                }
            }
        } catch {
            let error = named(error)
            await leave(after: error as? CumulusError)
            throw error
        }
    }

    /// Sends requests and receives until all bytes are there.
    private mutating func transfer() async throws -> Ending {
        while true {
            do {
                if let ending = try await step() { return ending }
            } catch {
                try await recover(from: named(error))
            }
        }
    }

    /// Sends one request; `nil` if another one must follow.
    private mutating func step() async throws -> Ending? {
        let rangeRequest = plan.rangeRequest
        // The retry policy applies to requests before the first response. Later, `DownloadRecovery` decides.
        fetch.call.record.close(number, at: clock.moment)
        let reason: AttemptRecord.Reason = response == nil ? .call : .resume
        let unread: RangeFetch.UnreadResponse
        do {
            unread = try await fetch.send(rangeRequest, for: reason, retries: response == nil)
        } catch {
            // The redirects may lead to another server by now.
            fetch = fetch.untargeted
            throw error
        }
        number = unread.received.number
        switch plan.step(after: unread.check, to: rangeRequest, unread.head.headers) {
        case .receive(let reception): return try await receive(unread, reception)
        case .requestAgain:
            unread.drop()
            return nil
        case .complete:
            unread.drop()
            response = fetch.response(of: unread)
            let path = target.path(unread.head.headers)
            if case .found(let path)? = try await handleExisting(path, unread.head.headers, startsOver: false) {
                return .found(path)
            }
            output.retarget(at: path)
            return .complete
        case .startOver(let mismatch):
            unread.drop()
            try await startOver(after: mismatch, unread)
            return nil
        case .fail: throw try await fetch.failure(unread)
        }
    }

    /// Receives a response's body into the file, together with those of other connections if that helps.
    private mutating func receive(
        _ unread: RangeFetch.UnreadResponse,
        _ reception: DownloadPlan.Reception
    ) async throws -> Ending? {
        switch try await begin(unread, reception) {
        case .found(let path)?: return .found(path)
        case .adopted?: return nil
        case nil: break
        }
        let terms = plan.segments(
            reception,
            unread.head.headers,
            // A single stream doesn't depend on all servers having the same tag for the file.
            connections: recovery.restarts == 0 ? options.connections : 1,
            fetch.draft.settings
        )
        // The end of an existing file is compared in order.
        if let terms, output.compared == nil {
            switch try await output.receive(unread, terms, by: fetch, for: &plan) {
            case nil: return .complete
            case .changed(let reason)?: try await startOver(after: .changed(reason), unread)
            // The server's ranges are unreliable: the existing bytes are compared with the whole file.
            case .unreliable?: plan.avoidRanges()
            }
            return nil
        }
        if let mismatch = try await output.receive(unread, from: reception.start, by: fetch, for: &plan) {
            try await startOver(after: mismatch, unread)
            return nil
        }
        response = fetch.response(of: unread)
        return plan.isComplete(after: reception) ? .complete : nil
    }

    /// Prepares for a body, once its head has been judged.
    ///
    /// - Returns: The ending, if an existing file determines it, else `nil`.
    private mutating func begin(
        _ unread: RangeFetch.UnreadResponse,
        _ reception: DownloadPlan.Reception
    ) async throws -> DownloadExtension.Found? {
        do {
            let headers = unread.head.headers
            response = try await fetch.pipeline.validation.accept(fetch.response(of: unread))
            if let own = unread.received.taps { taps = own }
            fetch.retarget(after: unread)
            let kept = plan.begin(reception, headers, from: unread.source)
            let path = target.path(headers)
            try check(reception)
            if let found = try await handleExisting(path, headers, startsOver: reception.startsOver) {
                unread.drop()
                return found
            }
            if reception.startsOver, output.compared == nil { existingFile.startOver() }
            try await output.begin(at: path, for: plan, startsOver: reception.startsOver, kept: kept, from: fetch)
            return nil
        } catch {
            unread.drop()
            throw error
        }
    }

    /// Handles an existing file at the destination, once the head is known.
    ///
    /// - Returns: The consequence; `nil` if the download goes on, and may replace it.
    private mutating func handleExisting(
        _ path: FilePath,
        _ headers: HTTPFields,
        startsOver: Bool
    ) async throws -> DownloadExtension.Found? {
        guard path.exists else { return nil }
        if options.existing != .keepBoth { try options.filesInUse?.check(path) }
        if options.existing == .extend, options.range == nil {
            return try await extend(path, headers, startsOver: startsOver)
        }
        guard target.knownPath == nil else { return nil }
        if options.existing == .refuse || options.existing == .skip { return .found(path) }
        _ = try existing(path)
        return nil
    }

    /// Uses an existing file: as the whole, or as the beginning of the download.
    private mutating func extend(
        _ path: FilePath,
        _ headers: HTTPFields,
        startsOver: Bool
    ) async throws -> DownloadExtension.Found? {
        guard !existingFile.isDecided, !target.isTemporary else { return nil }
        if try takeIfVerified(path) { return .found(path) }
        var decided = existingFile
        let decision = try decided.decide(
            on: path,
            length: plan.remote.length,
            headers,
            startsOver: startsOver,
            isKnown: plan.remote.condition != nil,
            digests: expected.map(\.checksum),
            trusts: options.trustsBeginning,
            has: { try has($0, at: path) }
        )
        existingFile = decided
        switch decision {
        case .whole: return .found(path)
        case .replaced: return nil
        case .continued(let count):
            try await output.adopt(existingFile.file(at: path), count: count, for: &plan)
            existingFile.isAdopted = true
            return .adopted
        case .matched(let count) where plan.position >= count:
            guard try await output.begins(with: existingFile.file(at: path), count: count) else {
                throw DownloadExtension.Mismatch(path: path.text)
            }
            return nil
        case .compared(let count), .matched(let count):
            let overlap = DownloadExtension.overlap
            try await output.adopt(existingFile.file(at: path), count: count, comparing: overlap, for: &plan)
            return .adopted
        case .refused(let code, let reason): throw problem(code, reason, response)
        }
    }

    /// Accepts an existing file with the requested checksum as complete, whatever the server's length.
    @discardableResult
    private mutating func takeIfVerified(_ path: FilePath) throws -> Bool {
        guard let checksum = options.checksum, options.range == nil else { return false }
        do {
            _ = try checked(checksum, at: path)
        } catch let error as CumulusError where error.code == .checksum || error.code == .disk {
            return false
        }
        existingFile.keep(by: checksum)
        return true
    }

    /// Throws if the wanted range begins after the file's end, whatever the server sends instead.
    private func check(_ reception: DownloadPlan.Reception) throws {
        guard let wanted = plan.wanted, let length = reception.total ?? plan.remote.length, wanted.lowerBound >= length
        else { return }
        throw problem(
            .incomplete,
            "the range begins at byte \(wanted.lowerBound), but the file has only \(length) bytes",
            response
        )
    }

    private mutating func startOver(after mismatch: RangeMismatch, _ unread: RangeFetch.UnreadResponse) async throws {
        // The bytes that must be compared are no longer the server's.
        if output.compared != nil { throw problem(mismatch.code, mismatch.reason, fetch.response(of: unread)) }
        guard recovery.startOver() else {
            throw problem(
                mismatch.code,
                "the download was restarted \(recovery.restarts) times: \(mismatch.reason)",
                fetch.response(of: unread)
            )
        }
        taps = nil
        fetch = fetch.untargeted
        plan.startOver(after: mismatch)
        try await output.startOver()
    }

    /// Waits before another attempt, or gets a fresh link; throws errors that can't be recovered.
    ///
    /// The next attempt requests other bytes, perhaps from another URL, and doesn't repeat the same request.
    private mutating func recover(from error: any Error) async throws {
        guard let failure = error as? CumulusError else { throw error }
        let situation = DownloadRecovery.Situation(
            canRenew: options.renewed != nil,
            hasBegun: response != nil,
            isResumable: fetch.isResumable(failure),
            count: plan.count
        )
        switch recovery.move(after: failure, in: situation) {
        case .renew:
            try await renew(after: failure)
        case .resume(let number):
            let decision = decision(of: number, after: failure)
            if let decision { fetch.call.record.note(decision, of: failure.exchange ?? self.number) }
            if let decision { fetch.call.observation?.tell(.retry(decision)) }
            guard let delay = decision?.delay else { throw brokenOff(failure, number) }
            fetch.call.observation?.tell(.again(.resume, fetch.request, after: delay))
            try await fetch.call.pause(for: delay, on: clock, before: fetch.draft.bare)
        case .fail: throw failure
        }
    }

    /// Whether the remaining bytes are requested, and after which wait; `nil` if nothing is retried.
    private func decision(of number: Int, after failure: CumulusError) -> RetryDecision? {
        let loop = fetch.pipeline.attemptLoop
        guard loop.resumes else { return nil }
        var broken = BrokenBody(number: number, request: fetch.request, timing: failure.timing)
        (broken.cause, broken.isDownload) = (failure.message, true)
        return loop.recovery.resumption(broken, fetch.call)
    }

    private func brokenOff(_ failure: CumulusError, _ number: Int) -> CumulusError {
        let tries =
            switch number - 1 {
            case 0: ""
            case 1: ", and so was one attempt to resume"
            case let count: ", and so were \(count) attempts to resume"
            }
        return CumulusError(
            .incomplete,
            stage: .delivery,
            "the download was interrupted after \(plan.count) bytes\(plan.length.map { " of \($0)" } ?? "")\(tries): "
                + failure.message,
            request: failure.request,
            response: failure.response,
            cause: failure
        )
    }

    private mutating func renew(after failure: CumulusError) async throws {
        guard let renewed = options.renewed else { throw failure }
        let link = try await Stage.run(.delivery, .status, request: failure.request, wrapping: true) {
            try await renewed(failure)
        }
        fetch = try await fetch.following(link)
    }

    /// After an error, keeps the parts that another download can use, and removes everything else that this one made.
    private mutating func leave(after failure: CumulusError? = nil) async {
        // Once the other file has been moved away, the bytes can be continued.
        let isOnlyBlocked = failure?.cause is DownloadExtension.Mismatch
        let isWorthless = [.checksum, .remoteChanged, .fileExists].contains(failure?.code) && !isOnlyBlocked
        let isOfUse = plan.count > 0 && plan.remote.condition != nil && !isWorthless
        if let jar = fetch.cookieJar { plan.note(jar.downloadChanges) }
        await output.leave(plan, keeps: options.keeps && !target.isTemporary && isOfUse)
    }
}
