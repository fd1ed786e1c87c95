// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension Download {
    /// Opens what an earlier download left, where it may be used.
    mutating func openEarlier() async throws {
        guard let part = target.earlyPart else { return }
        let file = try disk { try DownloadFile(target: target.early ?? part, part: part) }
        self.file = file
        guard options.resume, let record = file.earlier(),
            record.place == DownloadRecord.place(of: url) || options.renewed != nil, record.wanted == wanted,
            !record.done.isEmpty
        else {
            // It goes when bytes come that take its place: a request that fails costs nothing.
            leavesEarlier = file.part.size > 0 || file.record.exists
            return
        }
        remote = record.remote
        position = record.prefix
        pieces = record.ranges
        resumed = pieces.count
        declared = record.checksums.compactMap { try? Checksum(parsing: $0) }
    }

    var wanted: DownloadRecord.Done? {
        options.range.map { DownloadRecord.Done(start: $0.lowerBound, end: $0.upperBound) }
    }

    /// Makes ready for a body, once its head has been judged.
    mutating func begin(_ answer: RangeFetch.Answer, total: Int64?, isPart: Bool) async throws {
        do {
            let headers = answer.head.headers
            let response = fetch.pipeline.exchange.response(of: answer.arrival)
            self.response = try await fetch.pipeline.validation.accept(response)
            let isAnew = !isPart || (position == 0 && pieces.count == 0)
            let kept = isAnew ? position : 0
            if isAnew {
                remote = RemoteState(headers, length: total)
                resumed = 0
                position = 0
                pieces = ByteRanges()
                // The digest of a coded body is of the coded bytes, which are those that are kept.
                declared = DeclaredChecksums(headers, isPart: options.range != nil).items.map(\.checksum)
                counter = nil
            } else {
                remote.length = remote.length ?? total
            }
            try await open(answer)
            guard let file else { return }
            if leavesEarlier {
                do { try await file.clear() } catch { throw named(error) }
                leavesEarlier = false
            } else if isAnew {
                // The record speaks of bytes that are about to be others.
                try await file.forget()
            }
            try await prepare(file, kept: kept)
        } catch {
            answer.drop()
            throw error
        }
    }

    private mutating func open(_ answer: RangeFetch.Answer) async throws {
        let path = target.path(answer.head.headers)
        if target.early == nil, path.exists, options.existing == .refuse || options.existing == .skip {
            throw Found(path: path)
        }
        if target.early == nil, options.existing == .replace { _ = try existing(path) }
        guard let file else {
            let part = DownloadTarget.part(of: path)
            let file = try disk { try DownloadFile(target: path, part: part) }
            self.file = file
            do { return try await file.clear() } catch { throw named(error) }
        }
        if target.early == nil { self.file = file.retargeted(to: path) }
    }

    private mutating func prepare(_ file: DownloadFile, kept: Int64) async throws {
        if let end { try disk { try file.part.reserve(end - base) } }
        var digest = RunningDigest(declared.map(\.algorithm) + [options.checksum?.algorithm].compactMap(\.self))
        if position > 0, !digest.isEmpty {
            if let writer, writer.position == position {
                digest = writer.digest
            } else {
                let (empty, length) = (digest, position)
                do {
                    digest = try await file.digest(of: length, with: empty)
                } catch {
                    throw named(error)
                }
            }
        }
        writer = DownloadWriter(
            file.part,
            base: base,
            end: end,
            position: position,
            kept: kept,
            digest: digest
        )
        if journal == nil, !target.isTemporary {
            journal = DownloadJournal(file, clock: fetch.pipeline.exchange.clock)
        }
        if counter == nil {
            counter = fetch.pipeline.exchange.progress.counter(
                fetch.call,
                ProgressMeter.Subject(
                    direction: .receiving,
                    id: fetch.draft.id,
                    redactedURL: fetch.draft.redactedURL,
                    total: end.map { $0 - base },
                    offset: base + position,
                    file: file.target.text,
                    brought: max(position, pieces.count)
                )
            )
            counter?.begin()
        }
    }

    /// Reads the body into the file.
    mutating func receive(_ answer: RangeFetch.Answer, from start: Int64) async throws {
        guard var writer else { return answer.drop() }
        let (counter, state) = (counter, record)
        let journal = options.keeps && remote.condition != nil ? journal : nil
        defer {
            self.writer = writer
            position = writer.position
        }
        try await fetch.read(answer) { chunk, place in
            let before = writer.position
            let goesOn = try disk { try writer.take(chunk, at: start + place) }
            counter?.count(Int(writer.position - before))
            journal?.note {
                var record = state
                record.done = DownloadRecord.places(ByteRanges([0..<writer.position]))
                return record
            }
            return goesOn
        }
        response = fetch.pipeline.exchange.response(of: answer.arrival)
    }

    /// Which bytes are there.
    private var done: ByteRanges {
        var done = pieces
        done.insert(0..<position)
        return done
    }

    /// What would be written beside the file now.
    var record: DownloadRecord {
        DownloadRecord(
            place: DownloadRecord.place(of: url),
            wanted: wanted,
            remote: remote,
            checksums: declared.map(\.description),
            done: DownloadRecord.places(done)
        )
    }

    /// Does a disk's work; its errors get their codes.
    func disk<Result>(_ work: () throws -> Result) throws -> Result {
        do { return try work() } catch { throw named(error) }
    }

    /// An error of a file with its code; others as they are.
    func named(_ error: any Error) -> any Error {
        Download.named(error, request: response?.request ?? fetch.draft.bare, response)
    }

    static func named(_ error: any Error, request: EncodedRequest?, _ response: Response?) -> any Error {
        let code: CumulusError.Code
        switch error {
        case is PartFile.InUse: code = .fileInUse
        case is PartFile.Exists: code = .fileExists
        case is FileProblem: code = .disk
        default: return error
        }
        return CumulusError(code, stage: .delivery, "\(error)", request: request, response: response, cause: error)
    }
}
