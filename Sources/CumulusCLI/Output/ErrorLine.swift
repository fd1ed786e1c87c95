// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// What goes to standard error when something fails: one line, without secrets.
enum ErrorLine {
    /// The line, or for a usage mistake two: reason and hint.
    static func text(for error: any Error) -> String {
        switch error {
        case let mistake as UsageMistake:
            let hint = mistake.hint.map { "\n  hint: \(clean($0))" } ?? ""
            return "cumulus: usage: \(clean(mistake.reason))\(hint)"
        case is CancellationError: return "cumulus: interrupted"
        case let error as CumulusError:
            let parts = [word(for: error.code), error.request?.redactedURL, reason(error)]
            return "cumulus: " + parts.compactMap(\.self).map(clean).joined(separator: ": ")
        default: return "cumulus: \(clean("\(error)"))"
        }
    }

    /// A status that means failure, and what the server said of it in words.
    static func text(status: String, url: String, problem: String? = nil) -> String {
        "cumulus: status: " + [url, status, problem].compactMap(\.self).map(clean).joined(separator: ": ")
    }

    private static func clean(_ text: String) -> String { TerminalText.harmless(text, keepsLines: false) }

    private static func word(for code: CumulusError.Code) -> String {
        switch code {
        case .lookup: "dns"
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

    /// The message without the address that stands before it on the line already.
    private static func reason(_ error: CumulusError) -> String {
        guard let origin = error.request?.origin else { return error.message }
        for beginning in ["can't connect to \(origin): ", "can't establish TLS with \(origin): "]
        where error.message.hasPrefix(beginning) {
            return String(error.message.dropFirst(beginning.count))
        }
        return error.message
    }
}
