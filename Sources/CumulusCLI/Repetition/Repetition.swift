// SPDX-License-Identifier: Apache-2.0

/// How a request is repeated: `--until` with `--every` and `--tries`, or `--watch`.
enum Repetition: Equatable, Sendable {
    /// Until a response meets a condition.
    case until(ResponseCondition, every: Duration, tries: Int?)
    /// Until Ctrl-C.
    case watch(every: Duration)

    private static let usualPause = Duration.seconds(2)

    /// The repetition of a command line; `nil` sends the request once.
    ///
    /// - Throws: ``UsageMistake`` for options without an effect, or a condition that can't be read.
    static func of(_ arguments: Arguments) throws(UsageMistake) -> Repetition? {
        // There, `--until` is the data of an event.
        if arguments.command == .events { return nil }
        if let text = arguments.until {
            let pause = arguments.every.map { Duration.seconds($0) } ?? usualPause
            return .until(try ResponseCondition(parsing: text), every: pause, tries: arguments.tries)
        }
        if arguments.every != nil { throw UsageMistake("--every has no effect without --until", hint: "--watch 2s") }
        if arguments.tries != nil { throw UsageMistake("--tries has no effect without --until", hint: "--retry N") }
        return arguments.watch.map { .watch(every: .seconds($0)) }
    }
}
