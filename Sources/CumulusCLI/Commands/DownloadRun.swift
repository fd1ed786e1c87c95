// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// The downloads of one run of the command.
struct DownloadRun: Sendable {
    private let plan: DownloadJob
    private let board: ProgressBoard
    private let console: Console
    private let transport: any Transport
    private let renewals: RenewalWatch
    private let refreshes: RefreshWatch
    /// The resource whose rate limit all of them share; `nil` if there is none.
    private let base: Resource?
    /// What these downloads have made or kept, which none of them takes from another.
    private let filesInUse = FilesInUse()
    private let numbers = NumberedNames()

    init(
        _ plan: DownloadJob,
        board: ProgressBoard,
        console: Console,
        transport: any Transport,
        renewals: RenewalWatch,
        refreshes: RefreshWatch,
        rateLimit: RateLimit? = nil
    ) {
        base = rateLimit.map { rateLimit in
            let base = Resource(nowhere: "it holds the rate limit of all downloads", transport: transport)
            base.setRules { $0.rateLimit = rateLimit }
            return base
        }
        self.plan = plan
        self.board = board
        self.console = console
        self.transport = transport
        self.renewals = renewals
        self.refreshes = refreshes
    }

    /// Creates the folder for the files if it is absent and the command line leaves no doubt that it is one.
    func makeFolder() throws(FileFailure) {
        guard let output = plan.output, plan.isList || output.ends(with: "/") else { return }
        try FilePath.makeDirectory(output, isPrivate: false)
    }

    /// Downloads a file, and throws its errors.
    func one(_ request: Plan) async throws -> CommandStatus {
        let index = board.add(name(of: request))
        do {
            board.end(index, saying: try await fetch(request, index))
            return .success
        } catch {
            board.end(index, saying: nil)
            throw error
        }
    }

    /// Downloads the files of a list, several at a time; a failure is reported and doesn't affect the others.
    ///
    /// - Returns: Success, or the exit status of the first failure in the list.
    func all(_ requests: [Plan]) async throws -> CommandStatus {
        try await withThrowingTaskGroup(of: (Int, CommandStatus).self) { group in
            var waiting = requests.enumerated().makeIterator()
            var outcomes: [Int: CommandStatus] = [:]
            func startNext() {
                guard let (number, request) = waiting.next() else { return }
                group.addTask { (number, try await self.listed(request)) }
            }
            for _ in 0..<plan.parallel { startNext() }
            while let (number, status) = try await group.next() {
                outcomes[number] = status
                startNext()
            }
            return outcomes.sorted { $0.key < $1.key }.first { $0.value != .success }?.value ?? .success
        }
    }

    private func listed(_ request: Plan) async throws -> CommandStatus {
        let index = board.add(name(of: request))
        do {
            board.end(index, saying: try await fetch(request, index))
            return .success
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            // URLs that differ only in their queries look the same when printed.
            let place = request.listLine.map { "line \($0), \(name(of: request))" }
            board.end(index, saying: ErrorLine.text(for: error, of: place))
            return CommandStatus(error)
        }
    }

    /// Downloads a file.
    ///
    /// - Returns: The line that reports it; `nil` if none is wanted.
    private func fetch(_ request: Plan, _ index: ProgressBoard.Index) async throws -> String? {
        let use = RequestBuilder.Use.download(isListed: plan.isList)
        let draft = try await RequestBuilder(request, console: console, renewals: renewals, for: use)
            .build(over: transport, beneath: base)
        if request.cacheFolder != nil { refreshes.add(draft.resource) }
        let started = console.clock.now
        let watched = draft.call.with { call in
            call.observers.append(
                .progress { event in
                    board.note(event, of: index)
                    numbers.note(event)
                }
            )
        }
        let file = try await watched.download(to: destination, options: options).send()
        let name = file.path.begins(with: "./") ? String(file.path.dropFirst(2)) : file.path
        // A warning, so that a quiet run doesn't pass for a download either.
        if file.isKept, file.verifiedChecksums.isEmpty {
            return "cumulus: \(PathName.shown(name)) was kept: its length matches the server's file, "
                + "but its content was not compared"
        }
        guard !plan.isQuiet else { return nil }
        guard !file.isKept else { return "cumulus: \(PathName.shown(name)) already exists" }
        let report = TransferReport(
            name: name,
            verb: "got",
            bytes: file.byteCount - file.resumedByteCount,
            kept: file.resumedByteCount,
            elapsed: console.clock.now - started
        )
        let isReplaced = file.replacedByteCount > 0 && file.resumedByteCount == 0
        let reason =
            file.restartReason.map { PeerText.printable($0) }
            ?? (isReplaced
                ? "no digest shows that the existing \(file.replacedByteCount) bytes came from the server; --checksum "
                    + "verifies them, and --trust-part compares the last 64 KiB" : nil)
        guard let reason else { return report.text }
        return "cumulus: \(PathName.shown(name)) was downloaded from the beginning: \(reason)\n\(report.text)"
    }

    private var options: DownloadOptions {
        var options = DownloadOptions(resume: plan.resumes)
        options.keepsPartial = true
        options.existing = plan.overwrites ? .replace : plan.resumes ? .extend : numbersFiles ? .keepBoth : .refuse
        options.trustsBeginning = plan.trustsPart
        options.checksum = plan.checksum
        options.connections = plan.connections
        options.setsModificationTime = plan.setsTime
        options.filesInUse = filesInUse
        return options
    }

    /// Whether a name that is taken gets a number: if the server or the URL names the file.
    private var numbersFiles: Bool { !plan.overwrites && !plan.resumes && plan.output.map(isFolder) ?? true }

    /// The advice after an interruption.
    ///
    /// `-c` would compare a download with the file that has its name, which is another's if names are numbered.
    var continuation: String {
        numbersFiles && numbers.haveBegun
            ? "to start again, run:\n  \(plan.repetition)" : "to resume, run:\n  \(plan.continuation)"
    }

    private var destination: DownloadDestination {
        guard let output = plan.output else { return .directory(".") }
        return isFolder(output) ? .directory(output) : .file(output)
    }

    private func isFolder(_ output: String) -> Bool {
        plan.isList || output.ends(with: "/") || PathName.isFolder(output)
    }

    /// The name of a file before the server gives a better one.
    private func name(of request: Plan) -> String {
        if let output = plan.output, !isFolder(output) { return PathName.shown(PathName.last(of: output)) }
        switch request.target {
        case .absolute(let url): return PathName.shown(PathName.last(of: "\(url)"))
        case .child(_, let path): return PathName.shown(PathName.last(of: path))
        }
    }
}
