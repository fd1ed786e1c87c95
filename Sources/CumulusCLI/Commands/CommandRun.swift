// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import CumulusPrimitives
import HTTPTypes
import Synchronization

/// One run of the command: arguments -> plan -> request -> output -> exit status.
struct CommandRun: Sendable {
    /// Creates the transport for a plan.
    typealias TransportMaker = @Sendable (Plan) -> any Transport

    /// How long the end waits for the renewal of a token, and for refreshes of cached responses.
    private static let longestWait = Duration.seconds(10)

    /// The inputs and outputs; those of a single try may differ.
    var console: Console
    let makeTransport: TransportMaker
    let renewals = RenewalWatch()
    let refreshes = RefreshWatch()

    init(_ console: Console, makeTransport: TransportMaker? = nil) {
        self.console = console
        self.makeTransport = makeTransport ?? { CommandRun.transport($0, console) }
    }

    /// Runs the command line; never throws, and reports everything on the console.
    func run(_ arguments: [String]) async -> CommandStatus {
        do {
            let invocation = try Invocation.parse(arguments, in: console.surroundings)
            if invocation.isSilent { InterruptSignal.isSilent.store(true, ordering: .relaxed) }
            let run = invocation.isSilent ? CommandRun(console.silenced, makeTransport: makeTransport) : self
            return await run.perform(invocation)
        } catch {
            console.note(ErrorLine.text(for: error))
            return CommandStatus(error)
        }
    }

    private func perform(_ invocation: Invocation) async -> CommandStatus {
        do {
            switch invocation {
            case .text(let text):
                try print(Array("\(text)\n".utf8))
                return .success
            case .request(let plan): return try await perform(plan)
            case .requests(let plans): return try await perform(plans)
            case .download(let plan): return try await download(plan)
            case .upload(let plan): return try await upload(plan)
            case .events(let plan): return try await events(plan)
            case .edit(let plan): return try await edit(plan)
            case .login(let plan, let login): return try await self.login(plan, login)
            case .trust(let plan): return try await trust(plan)
            case .logout(let plan): return try await logout(plan)
            case .services(let plan): return try await services(plan)
            case .sessions(let plan): return try await sessions(plan)
            case .cache(let plan): return try cache(plan)
            }
        } catch is ClosedOutput {
            return .success
        } catch {
            console.note(ErrorLine.text(for: error))
            return CommandStatus(error)
        }
    }

    /// Prints a text, through a pager if it is longer than the screen of a terminal.
    private func print(_ text: [UInt8]) throws {
        guard console.surroundings.outputIsTerminal, let pager = Pager(in: console.surroundings) else {
            return try console.write(text)
        }
        let pages = PagedOutput(pager, console: console)
        try pages.paged.write(text)
        try pages.finish()
    }

    /// Runs work with a plan's transport, which is shut down gracefully at the end.
    func withTransport(
        _ plan: Plan,
        _ work: (any Transport) async throws -> CommandStatus
    ) async throws -> CommandStatus {
        let plan = try unlocked(plan)
        let transport = plan.isOffline ? OfflineTransport() : makeTransport(plan)
        do {
            let status = try await recording(plan, over: transport, work)
            await finish(transport)
            return status
        } catch {
            await finish(transport)
            throw error
        }
    }

    private func finish(_ transport: any Transport) async {
        // After an interruption, the process ends soon: a refresh would be lost anyway.
        let wantsRefreshes = !Task.isCancelled
        // In its own task: the end is graceful even after an interruption.
        await Task { [renewals, refreshes, console] in
            if wantsRefreshes {
                await refreshes.finish(within: CommandRun.longestWait) {
                    console.note("cumulus: waiting for a newer version of the cached response")
                }
            }
            await renewals.finish(within: CommandRun.longestWait) {
                console.note("cumulus: waiting for a token to be renewed")
            }
            let limit = Duration.milliseconds(100)
            switch transport {
            case let transport as NIOTransport: await transport.finish(within: limit)
            case let router as OriginRouter: await router.finish(within: limit)
            case let transport as LateRootsTransport: await transport.finish(within: limit)
            default: break
            }
        }.value
    }

    /// Sends a request and prints the requested parts.
    func perform(_ asked: Plan) async throws -> CommandStatus {
        try checkOutput(of: asked)
        var plan = try completed(asked)
        plan.asksAgain = asksAgain(plan, after: asked)
        let status = try await withCookies([plan]) { [plan] plans in
            try await withTransport(plan) { transport in
                if let repetition = plan.repetition {
                    return try await perform(plans[0], repeated: repetition, over: transport)
                }
                guard let pages = plan.pages, !plan.isOffline, !plan.isCurl else {
                    return try await perform(plans[0], over: ExchangeRecorder(transport, for: plans[0]))
                }
                return try await printPages(plans[0], most: pages, over: transport)
            }
        }
        noteUnsentInput(of: [plan])
        return status
    }

    /// Warns of input that has arrived since a plan was made without it.
    func noteUnsentInput(of plans: [Plan]) {
        let waited = plans.contains(where: \.leavesInputOpen)
        guard waited || plans.allSatisfy(\.leavesInputUnread) else { return }
        let input = console.surroundings.input()
        guard waited || input.isOwn, input.content(0) == .bytes else { return }
        let detail =
            waited
            ? ": no bytes arrived within one second; --ignore-stdin leaves it unread"
            : "; cumulus post URL sends it, and --ignore-stdin leaves it unread"
        console.note("cumulus: warning: standard input was not sent\(detail)")
    }

    /// Whether a refused password is asked for again: the user is there, and nothing else uses the first one.
    private func asksAgain(_ plan: Plan, after asked: Plan) -> Bool {
        let isTyped = plan.identity != asked.identity
        let isWatched = console.surroundings.inputIsTerminal || console.surroundings.errorsAreTerminal
        let isAlone = plan.session == nil && plan.pages == nil && !plan.isOffline && !plan.isCurl
        return isTyped && isWatched && isAlone
    }

    func perform(
        _ plan: Plan,
        over recorder: ExchangeRecorder,
        isFirst: Bool = true,
        capture: ResponseCapture? = nil
    ) async throws -> CommandStatus {
        // Breaks a reference cycle: the requests refer to the recorder through their resources.
        defer { recorder.dropExchanges() }
        let transport: any Transport = plan.isChunked ? ChunkedTransport(inner: recorder) : recorder
        let draft = try await RequestBuilder(plan, console: console, renewals: renewals).build(over: transport)
        if plan.cacheFolder != nil { refreshes.add(draft.resource) }
        if plan.isCurl {
            let command = try await draft.curl(plan)
            try console.write(Array("\(command.text)\n".utf8))
            if !command.isComplete, !plan.output.isSilent {
                console.note("cumulus: note: the command omits the request's secrets; --show-secrets includes them")
            }
            return .success
        }
        var printer = ExchangePrinter(plan.output, console: console, isFirst: isFirst)
        printer.capture = capture
        do {
            let started = ContinuousClock.now
            let stream = try await draft.open()
            if plan.isOffline {
                if let request = recorder.lastRequest { try await printer.printUnsent(request) }
                return .success
            }
            try capture?.take(stream.head)
            let pages = PagedOutput(plan.output, for: stream.head, console: console)
            if let pages { printer = ExchangePrinter(plan.output, console: pages.paged, isFirst: isFirst) }
            do {
                try printer.print(earlier: recorder.exchanges.dropLast())
                if let request = recorder.lastRequest { try printer.print(request, over: stream.head.protocolName) }
                try printer.print(stream.head)
                try printer.saveHead(stream.head)
                let status = try await deliver(stream, to: &printer, started: started)
                try pages?.finish()
                return status
            } catch is ClosedOutput {
                // A reader who leaves after the first lines doesn't turn a failure into success.
                stream.cancel()
                try? pages?.finish()
                return CommandStatus(statusCode: stream.status.code)
            } catch {
                // Everything that arrived is still shown; the first error counts.
                try? pages?.finish()
                throw error
            }
        } catch let error as CumulusError where !printer.hasPrinted {
            // An invalid request is not shown as if it would be sent.
            if plan.isOffline { throw error }
            do { try show(recorder.exchanges, of: plan, with: &printer) } catch is ClosedOutput {}
            throw error
        }
    }

    /// Prints the exchanges that led to an error.
    private func show(
        _ exchanges: [ExchangeRecorder.Recorded],
        of plan: Plan,
        with printer: inout ExchangePrinter
    ) throws {
        try printer.print(earlier: exchanges.dropLast())
        // The last request is also shown if it led to the error: its body is in no response.
        if let request = exchanges.last?.request { try printer.print(request) }
        if plan.output.earlier != .nothing, let head = exchanges.last?.head { try printer.print(head) }
    }

    /// Prints the body, or writes it to the file, and determines the exit status.
    ///
    /// Success means that the request's body, which messages call `bodyName`, was also sent to its end.
    func deliver(
        _ stream: ResponseStream,
        to printer: inout ExchangePrinter,
        started: ContinuousClock.Instant,
        bodyName: String = "the request's body"
    ) async throws -> CommandStatus {
        let status = CommandStatus(statusCode: stream.status.code)
        var note: String?
        do {
            try await printer.printBody(of: stream)
            let request = stream.request
            let result = ExchangeResult(
                head: stream.head,
                method: request.method.rawValue,
                url: printer.style.showsSecrets ? request.url.description : request.redactedURL,
                elapsed: ContinuousClock.now - started,
                facts: stream.end?.facts ?? ExchangeFacts(),
                redirects: stream.history.count,
                attempts: stream.attempts
            )
            try printer.printMeta(of: result)
        } catch is ClosedOutput {
            // The output's reader has seen enough.
            stream.cancel()
            return status
        } catch let error as CumulusError where status.isRefusal && CommandStatus.isIncomplete(error) {
            // The server's response counts, although it is incomplete.
            note = ErrorLine.note(for: error)
        }
        let hint = ErrorHint.text(for: stream.head, sentScheme: printer.sentScheme)
        if status != .success, !printer.tellsStatus || note != nil || hint != nil {
            let parts = [printer.problem, note, CommandRun.obstacle(stream)]
            let problem = parts.compactMap(\.self).joined(separator: ": ")
            let shown = ErrorLine.phrase(stream.status)
            let line = ErrorLine.text(status: shown, url: stream.request.redactedURL, problem: problem)
            printer.warn(line + (hint.map { "\n  hint: \($0)" } ?? ""))
        }
        if status == .success, stream.end?.facts.isBodyCut == true {
            printer.warn("cumulus: \(bodyName) was not sent completely: the server had already responded successfully")
            return .failure
        }
        return status
    }

    /// Why a temporary failure was not retried, or not again; `nil` if no retries were requested.
    private static func obstacle(_ stream: ResponseStream) -> String? {
        switch stream.attempts.last?.retry?.obstacle {
        case nil, .limit(0): nil
        case let obstacle?: "\(obstacle)"
        }
    }

    /// A plan with its password, after printing its notices, and asking about a method that looks misspelt.
    func completed(_ asked: Plan) throws -> Plan {
        var plan = asked
        if let meant = plan.meantMethod, let method = plan.method, !plan.isOffline, !plan.isCurl {
            try confirm(method, meant)
            plan.meantMethod = nil
        }
        if !plan.output.isSilent {
            for notice in plan.notices { console.note("cumulus: warning: \(PeerText.printable(notice, limit: 1_000))") }
        }
        plan.identity = try completed(plan.identity, from: plan.identityPlace)
        return plan
    }

    private func confirm(_ method: String, _ meant: String) throws {
        let method = PeerText.printable(method, limit: 40)
        let answer = try console.ask(
            "cumulus: \(method) is not a standard method; did you mean \(meant)? Send \(method)? [y/N] "
        )
        if ["y", "yes"].contains(answer?.lowercased()) { return }
        throw UsageMistake(
            answer == nil
                ? "\(method) is not a standard method, and there is no terminal to ask for confirmation"
                : "nothing was sent, because the method was not confirmed",
            hint: "did you mean \(meant)? --any-method sends \(method) without asking"
        )
    }

    /// The identity with its password, which is asked for if it is missing; a configuration's comes from a place.
    private func completed(_ identity: Plan.Identity?, from place: String?) throws -> Plan.Identity? {
        let user: String
        switch identity {
        case .basic(let name, nil), .digest(let name, nil): user = name
        default: return identity
        }
        guard let password = try console.askPassword("cumulus: password for \(PeerText.printable(user)): ") else {
            throw UsageMistake(
                "\(place.map { "\($0): auth" } ?? "--auth") has no password, and there is no terminal to prompt for it",
                hint: "write USER:PASSWORD, or USER: for an empty password; -A bearer -a @FILE sends a token"
            )
        }
        if case .digest = identity { return .digest(user: user, password: Secret(password)) }
        return .basic(user: user, password: Secret(password))
    }

    private static func transport(_ plan: Plan, _ console: Console) -> any Transport {
        // Nothing is sent for curl, whose options are those of the URL.
        if let connections = plan.connections, !plan.isCurl {
            return OriginRouter(connections, identities: plan.route.tls.identities) { notice in
                if !plan.output.isSilent { console.note("cumulus: warning: \(notice)") }
            }
        }
        // The command has already warned, unless it is silent. Its own transport, which can be shut down.
        let configuration = plan.route.verifying(plan.verification, warns: plan.output.isSilent)
        if plan.verification == .environment { return LateRootsTransport(configuration, in: console.surroundings) }
        return NIOTransport(configuration: configuration)
    }
}
