// SPDX-License-Identifier: Apache-2.0

/// The repetition of a request: `--until` with `--every` and `--tries`, or `--watch`.
enum Repetition: Equatable, Sendable {
    /// Until a response meets a condition.
    case until(ResponseCondition, every: Duration, tries: Int?)
    /// Until Ctrl-C.
    case watch(every: Duration)

    private static let usualPause = Duration.seconds(2)
    /// Without a pause, a server that refuses connections would get as many requests as this process can send.
    private static let shortestPause = Duration.milliseconds(10)

    /// The repetition that a command line sets; `nil` if the request is sent once.
    ///
    /// - Throws: ``UsageMistake`` for options without an effect, or a condition that can't be read.
    static func of(_ arguments: Arguments) throws(UsageMistake) -> Repetition? {
        // In `cumulus events`, `--until` is the data of the last event.
        if arguments.command == .events { return nil }
        if let text = arguments.until {
            let every = arguments.every.map(pause) ?? usualPause
            return .until(try ResponseCondition(parsing: text), every: every, tries: arguments.tries)
        }
        if arguments.every != nil {
            throw UsageMistake("--every needs --until", hint: "add --until, or write --watch PAUSE")
        }
        if arguments.tries != nil {
            throw UsageMistake(
                "--tries needs --until",
                hint: "--watch runs until Ctrl-C; --retry N repeats failed requests"
            )
        }
        return arguments.watch.map { .watch(every: pause($0)) }
    }

    private static func pause(_ seconds: Double) -> Duration { max(.seconds(seconds), shortestPause) }
}
