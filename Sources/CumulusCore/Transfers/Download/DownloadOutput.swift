// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The output of a running download: the part file with its record, the writer, and the progress counter.
///
/// It throws only errors of files, which contain no request.
struct DownloadOutput {
    /// The result of looking for the bytes of an earlier download.
    enum Earlier {
        /// They can be continued.
        case usable(DownloadRecord)
        /// They can't, for this reason.
        case unusable(String)
    }

    let options: DownloadOptions
    private let target: DownloadTarget
    /// Identifies the download's URL.
    let place: String
    private(set) var file: DownloadFile?
    var writer: DownloadWriter?
    private(set) var journal: DownloadJournal?
    private(set) var counter: ProgressCounter?
    /// Whether an earlier download left bytes that are not resumed, and not replaced yet.
    private var leavesEarlier = false
    /// The end of the copied bytes that must be the server's; `nil` once they have been compared, or if none must be.
    private(set) var compared: Int64?

    init(_ target: DownloadTarget, _ options: DownloadOptions, of url: RequestURL) {
        self.target = target
        self.options = options
        place = DownloadRecord.place(of: url)
    }

    /// Opens the part file of an earlier download.
    ///
    /// - Returns: The record to resume from, or the reason why it can't be used; `nil` without earlier bytes, or if they
    ///   are not wanted.
    mutating func openEarlier(for plan: DownloadPlan) throws -> Earlier? {
        guard target.resumes else { return nil }
        let file = try DownloadFile(target: target.knownPath ?? target.part, part: target.part)
        self.file = file
        let record = options.resume ? file.earlier() : nil
        if let record, record.place == place || options.renewed != nil, plan.canResume(record) {
            return .usable(record)
        }
        // It is removed only when replacing bytes arrive: a request that fails loses nothing.
        leavesEarlier = file.part.size > 0 || file.record.exists
        guard file.part.size > 0, options.resume else { return nil }
        guard let record, !record.done.isEmpty else { return .unusable("the part file has no valid record") }
        return .unusable(
            record.place == place ? "the part file is for another range" : "the part file is for another URL"
        )
    }

    /// Makes a copy of an existing file at the destination the beginning of the part file.
    ///
    /// - Parameters:
    ///   - other: The file, which stays until the new one is complete.
    ///   - count: The number of its bytes.
    ///   - overlap: How many of the last ones are requested again, and must be the same.
    ///   - plan: The plan, which contains the state of the server's file, and continues after the copied bytes.
    /// - Throws: ``FileProblem``, ``PartFile/InUse``.
    mutating func adopt(
        _ other: ExaminedFile,
        count: Int64,
        comparing overlap: Int64 = 0,
        for plan: inout DownloadPlan
    ) async throws {
        let file = try await open(other.path)
        try await file.clear()
        leavesEarlier = false
        try await file.copy(other, count: count)
        var record = plan.record(of: place)
        let trusted = max(0, count - overlap)
        record.done = DownloadRecord.places(ByteRanges(trusted > 0 ? [0..<trusted] : []))
        // Another run must not resume from bytes that have not been compared.
        if overlap > 0 { compared = count } else { try await file.keep(record) }
        plan.resume(record)
    }

    /// Whether the part file begins with the bytes of an existing file.
    ///
    /// - Throws: ``FileProblem``, ``PartFile/InUse``.
    func begins(with other: ExaminedFile, count: Int64) async throws -> Bool {
        guard let file else { return false }
        return try await file.begins(with: other, count: count)
    }

    /// Prepares for a body, once its head has been judged; the leftovers of an earlier download are removed.
    ///
    /// - Parameters:
    ///   - path: The file's final place.
    ///   - plan: The plan, which contains the state of the server's file.
    ///   - startsOver: Whether the body replaces the existing bytes.
    ///   - kept: The end of the bytes that it may repeat.
    ///   - fetch: The source of the body.
    /// - Throws: ``FileProblem``, ``PartFile/InUse``.
    mutating func begin(
        at path: FilePath,
        for plan: DownloadPlan,
        startsOver: Bool,
        kept: Int64,
        from fetch: RangeFetch
    ) async throws {
        if startsOver { counter = nil }
        let file = try await open(path)
        if leavesEarlier {
            try await file.clear()
            leavesEarlier = false
        } else if startsOver {
            // The record lists bytes that are about to change.
            try await file.forget()
        }
        if let length = plan.length { try file.part.reserve(length) }
        writer = DownloadWriter(
            file.part,
            base: plan.base,
            end: plan.end,
            position: plan.position,
            kept: compared ?? kept,
            digest: try await digest(before: plan.position, of: file, for: plan)
        )
        writer?.mustMatch = compared != nil
        if journal == nil, !target.isTemporary {
            journal = DownloadJournal(file, clock: fetch.pipeline.attemptLoop.clock)
        }
        if counter == nil { count(for: plan, into: file, from: fetch) }
    }

    /// Sets the destination of an open part file, if only a response determines it.
    mutating func retarget(at path: FilePath) { if target.knownPath == nil { file = file?.retargeted(to: path) } }

    private mutating func open(_ path: FilePath) async throws -> DownloadFile {
        guard let file else {
            let file = try DownloadFile(target: path, part: target.part)
            self.file = file
            try await file.clear()
            return file
        }
        retarget(at: path)
        return self.file ?? file
    }

    private func digest(
        before position: Int64,
        of file: DownloadFile,
        for plan: DownloadPlan
    ) async throws -> RunningDigest {
        let empty = RunningDigest(plan.declared.map(\.algorithm) + [options.checksum?.algorithm].compactMap(\.self))
        guard position > 0, !empty.isEmpty else { return empty }
        if let writer, writer.position == position { return writer.digest }
        return try await file.digest(of: position, with: empty)
    }

    private mutating func count(for plan: DownloadPlan, into file: DownloadFile, from fetch: RangeFetch) {
        counter = fetch.pipeline.attemptLoop.stages.progress.counter(
            fetch.call,
            ProgressMeter.Subject(
                direction: .receiving,
                id: fetch.id,
                redactedURL: fetch.draft.redactedURL,
                total: plan.length,
                offset: plan.next,
                file: file.target.text,
                brought: plan.count
            )
        )
        counter?.begin()
    }

    /// Reads a body into the file, and reports its bytes to the plan, including those before an error.
    ///
    /// - Returns: The reason why the bytes can't be trusted; `nil` if they can.
    mutating func receive(
        _ unread: RangeFetch.UnreadResponse,
        from start: Int64,
        by fetch: RangeFetch,
        for plan: inout DownloadPlan
    ) async throws -> RangeMismatch? {
        guard var writer else { return nil }
        let path = file?.target.text ?? ""
        let (counter, state, compared) = (counter, plan.record(of: place), compared ?? 0)
        let journal = options.keeps && plan.remote.condition != nil ? journal : nil
        defer {
            self.writer = writer
            plan.advance(to: writer.position)
            if writer.position >= compared { self.compared = nil }
        }
        return try await fetch.read(unread) { chunk, offset in
            let before = writer.position
            let goesOn = try writer.take(chunk, at: start + offset)
            counter?.count(Int(writer.position - before))
            if writer.differs { throw DownloadExtension.Difference(path: path) }
            if writer.position < compared { return goesOn }
            journal?.note {
                var record = state
                record.done = DownloadRecord.places(ByteRanges([0..<writer.position]))
                return record
            }
            return goesOn
        }
    }

    /// Discards the bytes, and their record.
    mutating func startOver() async throws {
        counter = nil
        compared = nil
        if let file, !leavesEarlier { try await file.clear() }
    }

    /// The digests of all bytes, computed again if they weren't computed while the bytes arrived.
    func digest(of length: Int64, _ algorithms: [Checksum.Algorithm]) async throws -> RunningDigest {
        let digest = writer?.digest ?? RunningDigest(algorithms)
        guard let file, digest.count != length else { return digest }
        return try await file.digest(of: length, with: digest.count < length ? digest : digest.cleared)
    }

    /// Moves the file to its destination; from here on it belongs to the caller.
    ///
    /// - Returns: Its path; `nil` if no file was begun.
    mutating func commit(
        length: Int64,
        _ collision: PartFile.Collision,
        modified: Int64?
    ) async throws -> FilePath? {
        guard let file else { return nil }
        let path = try await file.commit(length: length, collision, modified: modified, beside: options.filesInUse)
        self.file = nil
        counter?.finish()
        return path
    }

    /// After an error, keeps the parts that another download can use, and removes everything else that this one made.
    mutating func leave(_ plan: DownloadPlan, keeps: Bool) async {
        guard let file else { return }
        self.file = nil
        defer { file.part.unlock() }
        if leavesEarlier { return }
        if keeps, compared == nil {
            // If there is no space for this record, the previous one stays, and is still true.
            try? await file.keep(plan.record(of: place))
        } else {
            await file.discard()
        }
    }
}
