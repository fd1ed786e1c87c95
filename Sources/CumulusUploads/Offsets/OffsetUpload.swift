// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes

/// An upload by a protocol in which the server reports the number of bytes that have arrived.
///
/// Requests with bytes are sent one at a time. If the result of one is unknown, the server's offset is requested. An
/// offset beyond the bytes that may have been sent is an error.
struct OffsetUpload<Source: UploadSource> {
    private var source: Source
    private let dialect: any OffsetDialect
    private let run: UploadRun
    private let journal: UploadJournal?
    private var recovery = UploadRecovery()
    private var terms = UploadTerms()
    private var url: RequestURL?
    private var offset: Int64 = 0
    /// The end of the bytes that may have been sent.
    private var sent: Int64 = 0
    private var resumed: Int64 = 0
    private var sentByteCount: Int64 = 0
    private var restartReason: String?
    private var response: Response?
    private var counter: ProgressCounter?
    /// Whether the server knows the number of bytes.
    private var lengthIsKnown = true
    /// Whether the server regards the upload as complete, once it has all bytes.
    private var hasAll = false

    init(_ source: Source, _ dialect: any OffsetDialect, _ run: UploadRun, _ journal: UploadJournal? = nil) {
        self.source = source
        self.dialect = dialect
        self.run = run
        self.journal = journal
    }

    /// Sends the bytes that the server doesn't have.
    mutating func send() async throws -> UploadedFile {
        if let record = journal?.earlier, try await !resume(record) { (url, offset, sent, resumed) = (nil, 0, 0, 0) }
        if url == nil { try await create() }
        guard let url else { throw run.problem(.incomplete, "the upload has no URL", response) }
        beginProgress(url, kept: resumed)
        while !isComplete { try await step() }
        try await checkSource()
        counter?.finish()
        await counter?.awaitDelivery()
        guard let response, let url = self.url else { throw run.problem(.incomplete, "the upload has no response") }
        // Last: after a kill before this, the next run finds the upload complete instead of sending it again.
        journal?.remove()
        return UploadedFile(
            url: url,
            response: response,
            byteCount: offset,
            resumedByteCount: resumed,
            sentByteCount: sentByteCount,
            restartReason: restartReason,
            expires: response.uploadExpiration
        )
    }

    private var isComplete: Bool { source.length == offset && lengthIsKnown && hasAll }

    /// Notes a successful response of the upload.
    private mutating func note(_ response: Response) {
        self.response = response
        hasAll = dialect.hasAll(response)
    }

    // MARK: Beginning

    /// Continues an earlier upload; false if that is not possible.
    private mutating func resume(_ record: UploadRecord) async throws -> Bool {
        restartReason = journal?.difference(from: record)
        guard run.options.resume, restartReason == nil else {
            // The earlier bytes are of no use, and the server removes them in the end anyway.
            let isOwn = journal?.isOfOtherCookies(record) == false
            if isOwn, record.terms.canRemove { try? await dialect.remove(record.url, run) }
            try Task.checkCancellation()
            return false
        }
        guard let text = record.url, let url = try? RequestURL(text) else { return false }
        guard run.allows(url) else {
            restartReason = "the earlier upload is at another origin"
            return false
        }
        (self.url, sent, terms) = (url, record.sent, record.terms)
        do {
            guard let offset = try await requestOffset(of: url) else {
                restartReason = "the server no longer has the upload"
                return false
            }
            (self.offset, resumed) = (offset, offset)
            return true
        } catch let error as CumulusError where error.code == .remoteChanged {
            restartReason = error.message
            return false
        }
    }

    /// Creates the upload.
    private mutating func create() async throws {
        terms = try await dialect.terms(run)
        if let length = source.length, let most = terms.maxSize, length > most {
            throw run.problem(.refused, "the upload has \(length) bytes, but the server accepts at most \(most)")
        }
        if source.length == nil, terms.defersLength == false {
            throw run.problem(.unsupported, "the server requires the length of an upload in advance")
        }
        let first = try await firstPiece()
        try source.check()
        let name = source.path.map { FilePath($0).name }
        let request = try dialect.creation(length: source.length, name: name, first: first)
        sent = first?.range.upperBound ?? 0
        // If there is no room for it, nothing is sent.
        try journal?.reserve()
        let response = try await run.send(request).requireSuccess()
        sentByteCount += first.map { $0.range.upperBound } ?? 0
        let url = try run.location(in: response)
        self.url = url
        note(response)
        lengthIsKnown = source.length != nil
        beginProgress(url, kept: 0)
        let acknowledged = try dialect.acknowledged(response, first) ?? 0
        try checkOffset(acknowledged, response)
        advance(to: acknowledged)
        do { try journal?.write(url: url, sent, terms) } catch {
            // Without a record, no later run would find it.
            if terms.canRemove { try? await dialect.remove(url.description, run) }
            throw error
        }
    }

    /// The bytes that are sent with the request that creates the upload: all of them, if they fit and are not verified.
    private mutating func firstPiece() async throws -> UploadPiece? {
        guard terms.createsWithBytes, terms.checksum == nil, let length = source.length, length > 0,
            length <= pieceLimit
        else { return nil }
        return try await source.piece(at: 0, limit: pieceLimit)
    }

    private var pieceLimit: Int64 { max(1, min(run.options.chunkSize, terms.maxPiece ?? .max)) }

    private mutating func beginProgress(_ url: RequestURL, kept: Int64) {
        guard counter == nil else { return }
        counter = run.progress.counter(of: source.length, kept: kept, file: source.path, url: url.redacted)
        counter?.begin()
    }

    // MARK: Pieces

    /// Sends one piece.
    private mutating func step() async throws {
        guard let url else { throw run.problem(.incomplete, "the upload has no URL", response) }
        guard let piece = try await source.piece(at: offset, limit: pieceLimit) else {
            throw run.problem(.remoteChanged, "the server lost bytes that it had acknowledged, from byte \(offset) on")
        }
        try source.check()
        let before = offset
        do {
            if try await send(piece, to: url) { return }
        } catch let error as CumulusError {
            return try await recover(from: error, url)
        }
        // The response doesn't report how much of the piece was taken.
        try await synchronize(with: url)
        guard self.url == url, offset <= before, !isComplete else { return }
        let failure = run.problem(.incomplete, "the server accepts pieces, but stores none of their bytes", response)
        try await recover(from: failure, url)
    }

    /// Sends a piece; false if the response doesn't report the upload's offset.
    private mutating func send(_ piece: UploadPiece, to url: RequestURL) async throws -> Bool {
        let before = sent
        let request = try dialect.append(piece, terms, lengthIsKnown: lengthIsKnown)
        sent = max(sent, piece.range.upperBound)
        // An earlier record stays true, except that the server may have more than it lists: the upload then starts over.
        try? journal?.write(url: url, sent, terms)
        sentByteCount += piece.range.upperBound - piece.range.lowerBound
        let response = try await run.send(request, to: url)
        if response.refusesPiece {
            // None of these bytes was taken.
            sent = before
            try? journal?.write(url: url, sent, terms)
            throw response.refusal
        }
        note(try response.requireSuccess())
        guard let acknowledged = try dialect.acknowledged(response, piece) else { return false }
        try checkOffset(acknowledged, response)
        guard acknowledged == piece.range.upperBound else {
            let expected = piece.range.upperBound
            let reason = "the server acknowledged \(acknowledged) bytes, not the \(expected) that were sent"
            throw run.problem(.incomplete, reason, response)
        }
        advance(to: acknowledged)
        guard piece.isLast else { return true }
        lengthIsKnown = true
        if !hasAll { throw run.problem(.incomplete, "the server has received all bytes, but expects more", response) }
        return true
    }

    /// Requests the offset after an interruption; throws errors that can't be recovered.
    private mutating func recover(from failure: CumulusError, _ url: RequestURL) async throws {
        if failure.isUploadGone { return try await replace(after: failure) }
        guard failure.isTransient || failure.code == .incomplete || failure.isOfBusyUpload else { throw failure }
        guard let wait = recovery.wait(after: failure, at: offset, gain: pieceLimit, in: run) else {
            throw brokenOff(failure)
        }
        try await run.clock.sleep(for: wait)
        try await synchronize(with: url)
    }

    private func brokenOff(_ failure: CumulusError) -> CumulusError {
        let total = source.length.map { " of \($0)" } ?? ""
        let reason = "the upload was interrupted after \(offset) bytes\(total): \(failure.message)"
        return run.problem(.incomplete, reason, failure.response, cause: failure)
    }

    /// Continues at the server's offset.
    private mutating func synchronize(with url: RequestURL) async throws {
        let current: Int64?
        do { current = try await requestOffset(of: url) } catch let error as CumulusError
            where error.isTransient || error.isOfBusyUpload
        {
            // The policy's attempts for this request have failed as well.
            throw brokenOff(error)
        }
        if let current { return advance(to: current) }
        try await replace(after: run.problem(.remoteChanged, "the server no longer has the upload", response))
    }

    /// Creates the upload again, since the server no longer has it.
    private mutating func replace(after failure: CumulusError) async throws {
        guard source.canStartOver, recovery.startOver() else { throw failure }
        restartReason = "the server no longer has the upload"
        advance(to: 0)
        (url, sent, resumed) = (nil, 0, 0)
        try await create()
    }

    private mutating func advance(to new: Int64) {
        counter?.count(Int(clamping: new - offset))
        offset = new
    }

    // MARK: Offsets

    /// The server's offset; `nil` if it no longer has the upload.
    ///
    /// The request is repeated while the server is busy with an earlier one of the upload.
    private mutating func requestOffset(of url: RequestURL) async throws -> Int64? {
        while true {
            do { return try await currentOffset(of: url) } catch let error as CumulusError where error.isOfBusyUpload {
                let wait = recovery.wait(after: error, at: offset, gain: pieceLimit, in: run)
                guard let wait else { throw error }
                try await run.clock.sleep(for: wait)
            }
        }
    }

    private mutating func currentOffset(of url: RequestURL) async throws -> Int64? {
        let response = try await run.send(dialect.offsetRequest, to: url)
        if response.isOfLostUpload { return nil }
        note(try response.requireSuccess())
        let isClosed = dialect.isClosed(response)
        lengthIsKnown = journal != nil || isClosed || dialect.length(in: response) != nil
        guard let offset = try dialect.acknowledged(response, nil) else {
            throw run.problem(.malformedResponse, "the server did not report the upload's offset", response)
        }
        if let length = source.length, let reported = dialect.length(in: response), reported != length {
            let reason = "the server reports a length of \(reported) bytes for the upload, not \(length)"
            throw run.problem(.remoteChanged, reason, response)
        }
        try checkOffset(offset, response)
        if isClosed, offset != source.length {
            throw run.problem(.remoteChanged, "the server ended the upload after \(offset) bytes", response)
        }
        return offset
    }

    /// Checks that the server doesn't have more bytes than were sent.
    private func checkOffset(_ offset: Int64, _ response: Response) throws {
        guard offset > sent else { return }
        let reason = "the server reports \(offset) bytes of the upload, but at most \(sent) were sent"
        throw run.problem(.remoteChanged, reason, response)
    }

    // MARK: End

    /// Checks that the bytes were the same from the first to the last; otherwise removes the upload and its record.
    private mutating func checkSource() async throws {
        do {
            try source.check()
        } catch  where source.hasChanged {
            // A mixture of two states must not stay at the server.
            if terms.canRemove { try? await dialect.remove(url?.description, run) }
            journal?.remove()
            throw error
        }
    }
}
