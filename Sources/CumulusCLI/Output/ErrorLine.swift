// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

/// The text on standard error for a failure: one line, without secrets.
enum ErrorLine {
    /// The longest message; a peer's part of it is shortened before.
    private static let limit = 1_000

    /// The line, or two lines for a usage mistake: reason and hint.
    static func text(for error: any Error) -> String {
        switch error {
        case let mistake as UsageMistake:
            let hint = mistake.hint.map { "\n  hint: \(clean($0))" } ?? ""
            return "cumulus: usage: \(clean(mistake.reason))\(hint)"
        case is CancellationError: return "cumulus: interrupted"
        case let error as CumulusError:
            if let status = CommandStatus.failedStatus(of: error), error.code != .status {
                return text(status: phrase(status), url: error.request?.redactedURL ?? "", problem: note(for: error))
            }
            let coding = error.code == .contentCoding ? codingHint(error.message) : ""
            let hint = hint(for: error).map { "\n  hint: \(clean($0))" } ?? ""
            return line([word(for: error.code), error.request?.redactedURL ?? "", reason(error) + coding]) + hint
        case let problem as OutputProblem: return line([problem.description])
        case let problem as EditProblem: return line([problem.description])
        case let problem as JSONFilter.TypeMismatch: return line([problem.description])
        case let problem as JSONFilter.Unreadable: return line([problem.description])
        case let problem as FormProblem: return line([problem.description])
        case let problem as SystemProblem: return line([problem.description])
        case let failure as TransportFailure: return line([failure.message])
        case let error as OAuth2Error:
            return line(["authorization", plain(error.message)]) + (shareHint(error).map { "\n  hint: \($0)" } ?? "")
        case let problem as FileProblem: return line(["disk", problem.description])
        case let problem as CookieFileProblem: return line(["cookies", problem.description])
        // Other errors' descriptions are for programmers: types, places in sources, bytes, whole heads.
        default: return line(["an unknown error occurred"])
        }
    }

    /// A hint that may help, if there is one.
    private static func hint(for error: CumulusError) -> String? {
        if let hint = (error.cause as? OAuth2Error).flatMap(shareHint) { return hint }
        switch error.code {
        case .fileExists:
            return "--overwrite replaces it, -o names another file; -c goes on if it is the beginning of the server's"
        case .tls where error.message.has("wrong version number") || error.message.has("http request"):
            guard let origin = error.request?.origin else { return nil }
            let host = origin.host.has(":") ? "[\(origin.host)]" : origin.host
            return "this server does not seem to speak TLS; did you mean http://\(host):\(origin.port)?"
        default: return nil
        }
    }

    /// The reason of a failure, without its place.
    static func note(for error: CumulusError) -> String { "\(word(for: error.code)): \(reason(error))" }

    /// The text for an unsuccessful status, with the server's explanation.
    static func text(status: String, url: String, problem: String? = nil) -> String {
        line(["status", url, status, problem ?? ""])
    }

    /// A status with the server's reason phrase, which is a peer's text.
    static func phrase(_ status: HTTPResponse.Status) -> String {
        let phrase = PeerText.printable(status.reasonPhrase)
        return "\(status.code)\(phrase.isEmpty ? "" : " ")\(phrase)"
    }

    private static func line(_ parts: [String]) -> String {
        "cumulus: " + parts.filter { !$0.isEmpty }.map(clean).joined(separator: ": ")
    }

    private static func clean(_ text: String) -> String { PeerText.printable(text, limit: limit) }

    private static func word(for code: CumulusError.Code) -> String {
        switch code {
        case .lookup: "dns"
        case .addressRefused: "address"
        case .tooManyRedirects, .redirectRefused: "redirect"
        case .invalidURL, .invalidPath, .invalidHeader, .invalidRequest, .encoding: "usage"
        case .truncatedBody: "truncated"
        case .connectionClosed: "closed"
        case .malformedResponse, .headerTooLarge: "response"
        case .requestBody: "body"
        case .remoteChanged: "changed"
        case .fileExists: "exists"
        case .fileInUse: "in use"
        default: code.description
        }
    }

    /// The hint for an unrequested or broken coding, since the server may respond better to another request.
    private static func codingHint(_ message: String) -> String {
        if message.has("not asked for") { return "; try Accept-Encoding:gzip, or --compressed for br and zstd" }
        return message.has("inflates to") ? "" : "; try Accept-Encoding:identity"
    }

    /// How the command allows a token endpoint at another origin.
    private static func shareHint(_ error: OAuth2Error) -> String? {
        guard error.code == .undeclaredOrigin, error.message.ends(with: swiftHint) else { return nil }
        return "cumulus login URL --issuer URL --share ORIGIN declares it"
    }

    /// A message without the library's hint, which is code.
    private static func plain(_ message: String) -> String {
        message.ends(with: swiftHint) ? String(message.dropLast(swiftHint.count)) : message
    }

    /// The option for what the library's hint says in code, about a page at another origin.
    private static func withOption(_ message: String) -> String {
        guard message.ends(with: pagingHint) else { return message }
        return message.dropLast(pagingHint.count) + "; origins=ORIGIN in --paging allows it"
    }

    private static let pagingHint = "; `leading(to:)` of the rule allows it"

    private static let swiftHint = ": .issuer(...).sharing(with: [...])"

    /// The message without the address, which is already at the beginning of the line.
    private static func reason(_ error: CumulusError) -> String {
        let problem = error.problem.flatMap(ProblemCollector.text(of:)).map { ": \($0)" } ?? ""
        let end = problem + (error.attempts.last?.retry?.obstacle.map { " (\($0))" } ?? "")
        if error.cause is OAuth2Error { return plain(error.message) + end }
        if error.code == .paging { return withOption(error.message) + end }
        guard let origin = error.request?.origin else { return error.message + end }
        for beginning in ["can't connect to \(origin): ", "can't establish TLS with \(origin): "]
        where error.message.begins(with: beginning) {
            return String(error.message.dropFirst(beginning.count)) + end
        }
        return error.message + end
    }
}
