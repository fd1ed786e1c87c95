// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusNIO
import HTTPTypes

/// One run of the command: arguments -> plan -> request -> output -> exit status.
struct CommandRun: Sendable {
    /// Makes the transport that a plan asks for.
    typealias TransportMaker = @Sendable (Plan) -> any Transport

    let console: Console
    let makeTransport: TransportMaker

    init(_ console: Console, makeTransport: @escaping TransportMaker = CommandRun.transport) {
        self.console = console
        self.makeTransport = makeTransport
    }

    /// Runs the command line; never throws, and tells everything on the console.
    func run(_ arguments: [String]) async -> CommandStatus {
        do {
            switch try Invocation.parse(arguments, in: console.surroundings) {
            case .text(let text):
                try console.write(Array("\(text)\n".utf8))
                return .success
            case .request(let plan): return try await perform(plan)
            case .download(let plan): return try await download(plan)
            case .upload(let plan): return try await upload(plan)
            }
        } catch is ClosedOutput {
            return .success
        } catch {
            console.note(ErrorLine.text(for: error))
            return CommandStatus(error)
        }
    }

    /// Sends a request and prints what is asked for.
    func perform(_ asked: Plan) async throws -> CommandStatus {
        let plan = try completed(asked)
        let inner = plan.isOffline ? OfflineTransport() : makeTransport(plan)
        let recorder = ExchangeRecorder(inner)
        let draft = try await RequestBuilder(plan, console: console).build(over: recorder)
        if plan.isCurl {
            let command = try await draft.curl(showingSecrets: plan.output.showsSecrets)
            try console.write(Array("\(command)\n".utf8))
            return .success
        }
        var printer = ExchangePrinter(plan.output, console: console)
        do {
            let started = ContinuousClock.now
            let stream = try await draft.open()
            if let request = recorder.lastRequest { try printer.print(request) }
            if plan.isOffline { return .success }
            try printer.print(stream.head)
            return try await deliver(stream, to: &printer, started: started)
        } catch let error as CumulusError where !printer.hasPrinted {
            if let request = recorder.lastRequest { try printer.print(request) }
            throw error
        }
    }

    /// Prints the body, or writes it to the file, and judges the status.
    func deliver(
        _ stream: ResponseStream,
        to printer: inout ExchangePrinter,
        started: ContinuousClock.Instant
    ) async throws -> CommandStatus {
        let status = CommandStatus(statusCode: stream.status.code)
        do {
            try await printer.printBody(of: stream)
            try printer.printMeta(
                elapsed: ContinuousClock.now - started,
                facts: stream.end?.facts ?? ExchangeFacts(),
                redirects: stream.history.count
            )
        } catch is ClosedOutput {
            // Whoever read the output has seen enough.
            stream.cancel()
            return status
        }
        if status != .success, !printer.tellsStatus {
            let phrase = stream.status.reasonPhrase
            let shown = "\(stream.status.code)\(phrase.isEmpty ? "" : " ")\(phrase)"
            printer.warn(ErrorLine.text(status: shown, url: stream.request.redactedURL, problem: printer.problem))
        }
        return status
    }

    /// A plan with its password, its notices told.
    func completed(_ asked: Plan) throws -> Plan {
        var plan = asked
        if !plan.output.isSilent {
            for notice in plan.notices { console.note("cumulus: warning: \(notice)") }
        }
        plan.identity = try completed(plan.identity)
        return plan
    }

    /// The identity with its password, which is asked for where it is missing.
    private func completed(_ identity: Plan.Identity?) throws -> Plan.Identity? {
        guard case .basic(let user, nil) = identity else { return identity }
        guard let password = try console.askPassword("cumulus: password for \(user): ") else {
            throw UsageMistake(
                "--auth names no password, and there is no terminal to ask on",
                hint: "write USER:PASSWORD, or USER: for an empty one"
            )
        }
        return .basic(user: user, password: Secret(password))
    }

    private static func transport(_ plan: Plan) -> any Transport {
        var configuration = NIOTransport.Configuration()
        switch plan.verification {
        case .system: return NIOTransport.shared
        case .none: configuration.tls.verification = .none
        case .authority(let file): configuration.tls.trustRoots = .files([file])
        }
        return NIOTransport(configuration: configuration)
    }
}
