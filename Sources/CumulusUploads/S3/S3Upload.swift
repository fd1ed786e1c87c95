// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusFormats
import CumulusPrimitives
import HTTPTypes
import Synchronization

/// The upload of a file to S3 or a compatible store: one request for a small file, parts in parallel for others.
struct S3Upload: Sendable {
    private let file: SourceFile
    private let settings: S3Settings
    private let run: UploadRun
    private let journal: UploadJournal
    private let requests: S3Requests
    private let url: RequestURL

    init(_ file: SourceFile, _ settings: S3Settings, _ run: UploadRun, _ journal: UploadJournal) throws {
        self.file = file
        self.settings = settings
        self.run = run
        self.journal = journal
        requests = S3Requests(run: run, file: file)
        guard let url = run.url else { throw run.problem(.invalidURL, "the resource has no URL") }
        self.url = url
    }

    /// Sends the parts that the store doesn't have, and completes the object.
    func send() async throws -> UploadedFile {
        var earlier: Earlier?
        var reason: String?
        if let record = journal.earlier {
            switch try await find(record) {
            case .object(let head): return await end(begin(kept: file.size), head, kept: file.size)
            case .parts(let found): earlier = found
            case .nothing(let cause): reason = cause
            }
        }
        let plan = earlier?.plan ?? S3Plan(size: file.size, wanted: run.options.chunkSize)
        let kept = earlier?.parts.reduce(into: Int64(0)) { $0 += length(of: $1.number, plan) } ?? 0
        let counter = begin(kept: kept)
        let response: Response
        if plan.isOnePart {
            response = try await requests.putWhole()
            counter.count(Int(file.size))
            try file.check()
        } else {
            response = try await send(plan, earlier, counter)
        }
        return await end(counter, response, kept: kept, reason)
    }

    private func begin(kept: Int64) -> ProgressCounter {
        let counter = run.progress.counter(of: file.size, kept: kept, file: file.path, url: url.redacted)
        counter.begin()
        return counter
    }

    private func end(
        _ counter: ProgressCounter,
        _ response: Response,
        kept: Int64,
        _ reason: String? = nil
    ) async -> UploadedFile {
        counter.finish()
        await counter.awaitDelivery()
        // Last: after a kill before this, the next run finds the object instead of sending it again.
        journal.remove()
        return UploadedFile(
            url: url,
            response: response,
            byteCount: file.size,
            resumedByteCount: kept,
            sentByteCount: file.size - kept,
            restartReason: reason,
            expires: nil
        )
    }

    // MARK: Beginning

    /// An earlier upload and those of its parts that have the file's bytes.
    private struct Earlier {
        var id: String
        var plan: S3Plan
        var parts: [S3Part]
    }

    /// The remains of an earlier upload at the store.
    private enum Remains {
        /// The head of the object, which an earlier run has made of its parts without receiving the response.
        case object(Response)
        case parts(Earlier)
        /// Nothing to continue, and the reason, if there is one to report.
        case nothing(String?)
    }

    /// Finds the remains of an earlier upload; parts with other bytes than the file's are sent again.
    private func find(_ record: UploadRecord) async throws -> Remains {
        let reason = journal.difference(from: record, isVerified: true)
        guard let id = record.id else { return .nothing(reason) }
        guard run.options.resume, reason == nil else {
            // Its parts are of no use, and cost space.
            if !journal.isOfOtherCookies(record) { try? await requests.abort(id) }
            try Task.checkCancellation()
            return .nothing(reason)
        }
        let loss = "the store no longer has the upload"
        guard let size = record.terms.maxPiece, let plan = S3Plan(size: file.size, partSize: size), plan.count > 0
        else { return .nothing(loss) }
        guard let listed = try await requests.list(id) else {
            if record.sent == file.size, let head = try await completedObject(of: { try self.parts(plan) }) {
                return .object(head)
            }
            return .nothing(loss)
        }
        var parts: [S3Part] = []
        for (part, size) in listed where (1...plan.count).contains(part.number) {
            let range = plan.range(of: part.number)
            guard size == range.upperBound - range.lowerBound, try isSame(part, range) else { continue }
            parts.append(part)
        }
        return .parts(Earlier(id: id, plan: plan, parts: parts))
    }

    /// The head of the object, if it has been made of these parts, which are computed if its size is the file's.
    ///
    /// A store that no longer has the parts may still be making it.
    private func completedObject(of parts: () throws -> [S3Part]) async throws -> Response? {
        var known: [S3Part]?
        for wait in S3Upload.completionWaits + [nil] {
            let head = try await requests.head()
            if hasSize(head) {
                let parts = try known ?? parts()
                if isMade(of: parts, head) { return head }
                known = parts
            }
            if let wait { try await run.clock.sleep(for: wait) }
        }
        return nil
    }

    private static let completionWaits: [Duration?] = [.milliseconds(250), .milliseconds(500), .seconds(1)]

    /// The file's parts as most stores name them, by their MD5.
    private func parts(_ plan: S3Plan) throws -> [S3Part] {
        try (1...plan.count).map { number in
            let digest = try file.digest(of: plan.range(of: number), by: .md5)
            return S3Part(number: number, entityTag: MessageDigest.hexadecimal(digest))
        }
    }

    /// Whether a part has the file's bytes, by its SHA-256, or else its MD5, which most stores use as its ETag.
    private func isSame(_ part: S3Part, _ range: Range<Int64>) throws -> Bool {
        if let checksum = part.checksum { return try requests.checksum(of: range) == checksum }
        return MessageDigest.hexadecimal(try file.digest(of: range, by: .md5)) == part.unquotedTag
    }

    private func length(of number: Int, _ plan: S3Plan) -> Int64 {
        let range = plan.range(of: number)
        return range.upperBound - range.lowerBound
    }

    // MARK: Parts

    private func send(_ plan: S3Plan, _ earlier: Earlier?, _ counter: ProgressCounter) async throws -> Response {
        var terms = UploadTerms()
        terms.maxPiece = plan.partSize
        let id: String
        if let earlier {
            id = earlier.id
        } else {
            // If there is no room for it, nothing is sent.
            try journal.reserve()
            id = try await requests.create()
            do { try journal.write(id: id, terms) } catch {
                try? await requests.abort(id)
                throw error
            }
        }
        do {
            let parts = try await missing(plan, earlier?.parts ?? [], of: id, counter)
            try file.check()
            try? journal.write(id: id, terms, isCompleting: true)
            return try await complete(id, parts)
        } catch {
            if isFinal(error) {
                // Another attempt would fail as well, and the parts cost space.
                try? await requests.abort(id)
                journal.remove()
            }
            throw error
        }
    }

    /// Sends the missing parts.
    ///
    /// - Returns: All parts in order.
    private func missing(
        _ plan: S3Plan,
        _ existing: [S3Part],
        of id: String,
        _ counter: ProgressCounter
    ) async throws -> [S3Part] {
        let known = Set(existing.map(\.number))
        var waiting = (1...plan.count).filter { !known.contains($0) }.makeIterator()
        let sent = try await withThrowingTaskGroup(of: S3Part.self) { group in
            var parts: [S3Part] = []
            func startNext() {
                guard let number = waiting.next() else { return }
                group.addTask { [requests, file] in
                    try file.check()
                    return try await requests.put(number, plan.range(of: number), of: id)
                }
            }
            for _ in 0..<max(1, min(settings.concurrency, plan.count)) { startNext() }
            while let part = try await group.next() {
                counter.count(Int(length(of: part.number, plan)))
                parts.append(part)
                startNext()
            }
            return parts
        }
        return (existing + sent).sorted { $0.number < $1.number }
    }

    // MARK: End

    /// Completes the object; if the result is unknown, the parts are listed before this is repeated.
    private func complete(_ id: String, _ parts: [S3Part]) async throws -> Response {
        var recovery = UploadRecovery()
        while true {
            let failure: CumulusError
            do {
                let response = try await requests.complete(id, parts).requireSuccess()
                guard let error = try requests.errorCode(ofCompletion: response) else { return response }
                failure = run.problem(.incomplete, "the store reports \(PeerText.quoted(error))", response)
            } catch let error as CumulusError where error.isTransient {
                failure = error
            }
            guard let wait = recovery.wait(after: failure, at: 0, gain: .max, in: run) else { throw failure }
            try await run.clock.sleep(for: wait)
            guard try await requests.list(id) == nil else { continue }
            // The upload has ended: by the request whose response was lost, or by another program.
            if let head = try await completedObject(of: { parts }) { return head }
            throw run.problem(.remoteChanged, "the upload has ended, but the store has no object with the file's bytes")
        }
    }

    /// Whether an object has the file's size and the ETag of these parts: the MD5 of their MD5s.
    private func isMade(of parts: [S3Part], _ head: Response) -> Bool {
        guard hasSize(head) else { return false }
        var digest = MessageDigest(.md5)
        for part in parts {
            guard let checksum = try? Checksum(.md5, part.unquotedTag) else { return false }
            checksum.bytes.withUnsafeBytes { digest.update($0) }
        }
        return head.headers[.eTag] == "\"\(MessageDigest.hexadecimal(digest.bytes))-\(parts.count)\""
    }

    private func hasSize(_ head: Response) -> Bool {
        head.isSuccessful && head.headers[.contentLength] == "\(file.size)"
    }

    /// Whether the same upload would fail again: the file changed, or the store refuses the request.
    ///
    /// A refusal for missing rights, a limit, or the store's present state is temporary.
    private func isFinal(_ error: any Error) -> Bool {
        guard let error = error as? CumulusError else { return false }
        // A file that can't be read may be the same later.
        if error.code == .requestBody { return error.cause is SourceFile.Change || file.hasChanged }
        guard error.code == .status || error.code == .service, let status = error.statusCode,
            400..<500 ~= status, ![401, 403, 407, 408, 409, 423, 425, 429].contains(status)
        else { return false }
        let code = error.response.flatMap { try? requests.document($0).text(at: "Code") }
        return !S3Upload.temporaryCodes.contains(code ?? "")
    }

    /// The codes of errors with other statuses than usual, mostly 400, that don't concern the upload itself.
    private static let temporaryCodes: Set<String> = [
        "RequestTimeout", "ExpiredToken", "InvalidToken", "TokenRefreshRequired", "OperationAborted",
        "RequestTimeTooSkewed", "SlowDown",
    ]
}
