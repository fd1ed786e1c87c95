// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

extension CommandRun {
    /// Runs work with the plans' cookies, and saves the resulting ones, however the work ends.
    func withCookies(
        _ asked: [Plan],
        _ work: ([Plan]) async throws -> CommandStatus
    ) async throws -> CommandStatus {
        // Most runs have no cookie file.
        guard asked.contains(where: { $0.cookieFile != nil }) else { return try await work(asked) }
        var plans = asked
        var jars: [String: CookieJar] = [:]
        for index in plans.indices {
            guard let place = plans[index].cookieFile else { continue }
            // A cookie alone would be for each port of its host.
            let origin = plans[index].session == nil ? nil : plans[index].target.origin
            let jar = if let jar = jars[place.path] { jar } else { try await CommandRun.jar(place.path, for: origin) }
            jars[place.path] = jar
            plans[index].cookies = jar
            if plans[index].session != nil, !place.isReadOnly { CommandRun.moveCookies(of: &plans[index], to: jar) }
        }
        let outcome: Result<CommandStatus, any Error>
        do { outcome = .success(try await work(plans)) } catch { outcome = .failure(error) }
        try await keep(plans, jars, after: outcome)
        return try outcome.get()
    }

    /// Saves cookies and sessions after work.
    ///
    /// - Throws: The reason why they are not saved, if the work succeeded.
    private func keep(
        _ plans: [Plan],
        _ jars: [String: CookieJar],
        after outcome: Result<CommandStatus, any Error>
    ) async throws {
        var (status, hasFailed) = (CommandStatus.success, false)
        switch outcome {
        case .success(let reached): status = reached
        case .failure(let error): (status, hasFailed) = (CommandStatus(error), true)
        }
        // A request that was refused as a mistake would be refused in each later run, too.
        let remembersItems = status != .usage
        do {
            try await InterruptSignal.finishing {
                try await keep(plans, jars, remembersItems: remembersItems, within: CommandRun.longestLock)
            }
        } catch let error as CancellationError {
            // In its own task: interrupted work has also set cookies.
            await Task {
                try? await InterruptSignal.finishing {
                    try await keep(plans, jars, remembersItems: remembersItems, within: CommandRun.lastLock)
                }
            }.value
            if !hasFailed { throw error }
        } catch {
            if !hasFailed { throw error }
        }
    }

    /// How long another process may hold the lock of a file, and how long after an interruption.
    static let longestLock = Duration.seconds(10)
    private static let lastLock = Duration.seconds(1)

    private static func jar(_ path: String, for origin: Origin?) async throws -> CookieJar {
        do {
            // As in curl, session cookies are kept for the next run.
            return try await CookieJar(file: path, for: origin, keepsSessionCookies: true)
        } catch {
            throw UsageMistake("the cookie file \(quoted(path)) can't be used: \(error)")
        }
    }

    /// Moves an item's cookies into the jar, which is for the origin only.
    private static func moveCookies(of plan: inout Plan, to jar: CookieJar) {
        guard let values = plan.headers.values(of: .cookie) else { return }
        let origin = plan.target.origin
        var cookies: [Cookie] = []
        for pair in values.flatMap({ $0.parts(at: ";", omitsEmpty: true) }) {
            guard let (name, value) = pair.cut(at: "="),
                let cookie = try? Cookie(
                    String(name.trimmed),
                    Secret(String(value.trimmed)),
                    domain: origin.host,
                    isSecure: origin.scheme == .https
                )
            else { return }
            cookies.append(cookie)
        }
        for cookie in cookies { jar.set(cookie) }
        plan.headers.inherit(.cookie)
    }

    private func keep(
        _ plans: [Plan],
        _ jars: [String: CookieJar],
        remembersItems: Bool,
        within limit: Duration
    ) async throws {
        let written = plans.filter { $0.cookieFile?.isReadOnly == false && !$0.isOffline && !$0.isCurl }
        for path in Set(written.compactMap(\.cookieFile?.path)) { try await jars[path]?.save(within: limit) }
        for plan in written where remembersItems {
            guard let session = plan.session else { continue }
            let remembered = session.remembered(of: plan)
            guard session.isNew || remembered != session.saved else { continue }
            let file = PrivateFile(session.path)
            try await file.exclusively(within: limit) {
                let bytes = try file.read()
                let present = bytes.map { SavedSession(decoding: $0) } ?? SavedSession(of: session.saved.origin)
                // A file that has changed into something else in the meantime is left alone.
                guard let present, present.origin == session.saved.origin else { return }
                try file.write(present.changed(from: session.saved, to: remembered).encoded())
            }
        }
    }
}
