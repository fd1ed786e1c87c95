// SPDX-License-Identifier: Apache-2.0

import CumulusAWS
import CumulusCore
import CumulusOAuth
import CumulusPrimitives
import HTTPTypes

/// The text on standard error for a failure: one line, without secrets.
enum ErrorLine {
    /// The longest message; a peer's part of it is shortened before.
    private static let limit = 1_000
    private static let beginning = "cumulus: "

    /// The line, or two lines for a usage mistake: reason and hint.
    static func text(for error: any Error) -> String {
        switch error {
        case let mistake as UsageMistake:
            let hint = mistake.hint.map { "\n  hint: \(clean($0))" } ?? ""
            let notice = mistake.notice.map { "cumulus: warning: \(clean($0))\n" } ?? ""
            return "\(notice)cumulus: usage: \(clean(mistake.reason))\(hint)"
        case is CancellationError: return "cumulus: interrupted"
        case let error as CumulusError:
            if let status = CommandStatus.failedStatus(of: error), error.code != .status {
                return text(status: phrase(status), url: shownURL(of: error), problem: note(for: error))
            }
            let coding = (error.cause as? ContentCodingProblem).map(codingHint) ?? ""
            let hint = ErrorHint.text(for: error).map { "\n  hint: \(clean($0))" } ?? ""
            // A file of this machine has nothing to do with the URL.
            let url = isOfFile(error) ? "" : shownURL(of: error)
            return line([word(for: error), url, reason(error) + coding]) + hint
        case let problem as OutputProblem: return line([problem.description])
        case let problem as EditProblem: return line([problem.description])
        case let problem as JSONFilter.TypeMismatch: return line([problem.description])
        case let problem as JSONFilter.Unreadable: return line([problem.description])
        case let problem as FormProblem: return line([problem.description])
        case let problem as SystemProblem: return line([problem.description])
        case let failure as TransportFailure: return line([failure.message])
        case let error as OAuth2Error:
            return line(["authorization", error.message]) + (ErrorHint.text(for: error).map { "\n  hint: \($0)" } ?? "")
        case let problem as FileProblem: return line(["disk", problem.description])
        case let failure as FileFailure: return line(["disk", failure.description])
        case let problem as CookieFileProblem: return line(["cookies", problem.description])
        // Other errors' descriptions are for programmers: types, places in sources, bytes, whole heads.
        default: return line(["an unknown error occurred"])
        }
    }

    /// The same with a place after the program's name, such as a line of a list.
    static func text(for error: any Error, of place: String?) -> String {
        let line = ErrorLine.text(for: error)
        guard let place, line.begins(with: beginning) else { return line }
        return "\(beginning)\(clean(place)): \(line.utf8.dropFirst(beginning.utf8.count).text)"
    }

    /// The reason of a failure, without its place.
    static func note(for error: CumulusError) -> String { "\(word(for: error)): \(reason(error))" }

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
        beginning + parts.filter { !$0.isEmpty }.map(clean).joined(separator: ": ")
    }

    private static func clean(_ text: String) -> String { PeerText.printable(text, limit: limit) }

    private static func word(for error: CumulusError) -> String {
        switch error.code {
        case .lookup: "dns"
        case .addressRefused: "address"
        case .tooManyRedirects, .redirectRefused: "redirect"
        case .invalidURL, .invalidPath, .invalidHeader, .invalidRequest, .encoding:
            CommandStatus(error) == .usage ? "usage" : "refused"
        case .truncatedBody: "truncated"
        case .connectionClosed: "closed"
        case .malformedResponse, .headerTooLarge: "response"
        case .requestBody: "body"
        case .remoteChanged: "changed"
        case .fileExists: "exists"
        case .fileInUse: "in use"
        case .contentCoding: "coding"
        default: error.code.description
        }
    }

    /// A problem with a content coding, by its kind.
    private static func codingReason(_ problem: ContentCodingProblem) -> String {
        problem.unrequestedCoding.map { name in
            "the server encoded the response with \(quoted(name)), which the request does not accept"
        } ?? problem.description
    }

    /// The hint for an unrequested or broken coding, since the server may respond better to another request.
    static func codingHint(_ problem: ContentCodingProblem) -> String {
        guard let name = problem.unrequestedCoding else {
            return problem.isDisproportionate ? "" : "; try Accept-Encoding:identity"
        }
        // Only a name that a header can carry is repeated.
        guard !["br", "zstd"].contains(name), HTTPField.Name(name) != nil else {
            return "; try Accept-Encoding:gzip, or --compressed for br and zstd"
        }
        return "; Accept-Encoding:\(name) shows the body as it was sent"
    }

    /// A paging problem, with the option that corresponds to the library's remedy.
    private static func pagingReason(_ problem: PagingProblem) -> String {
        switch problem.kind {
        case .otherOrigin: return "\(problem.reason); origins=ORIGIN in --paging allows this origin"
        case .ambiguousItems: return "\(problem.reason); items=PATH in --paging chooses one"
        case .unknownForm:
            guard let rule = problem.suggestion?.json.object else {
                return "\(problem.reason); --paging can describe how to find the next page"
            }
            let words = rule.map { $0.key == "rule" ? $0.value.string ?? "" : "\($0.key)=\($0.value.string ?? "")" }
            return "\(problem.reason); try --paging '\(words.joined(separator: " "))'"
        default: return problem.reason
        }
    }

    /// Query items that tell one page of a list from another.
    private static let pageNames: Set<String> = [
        "page", "pagenumber", "page_number", "page[number]", "page%5bnumber%5d", "per_page", "perpage", "pagesize",
        "page_size", "page[size]", "page%5bsize%5d", "offset", "page[offset]", "page%5boffset%5d", "limit", "start",
        "startat", "startindex", "skip", "$skip", "%24skip", "$top", "%24top", "size", "cursor", "after", "before",
    ]

    /// The URL of an error's request, of whose query only the numbers of pages and items are shown.
    private static func shownURL(of error: CumulusError) -> String {
        guard let request = error.request else { return "" }
        let hidden = request.redactedURL
        guard let (address, rest) = hidden.split(at: "?"), let query = request.url.query else { return hidden }
        let (pairs, hiddenPairs): ([String], [String]) = (query.parts(at: "&"), rest.parts(at: "&"))
        guard pairs.count == hiddenPairs.count else { return hidden }
        return "\(address)?" + zip(pairs, hiddenPairs).map { isPageNumber($0) ? $0 : $1 }.joined(separator: "&")
    }

    /// Whether a file that should be sent is the reason.
    private static func isOfFile(_ error: CumulusError) -> Bool {
        error.cause is UploadProblem || (error.cause as? MultipartProblem)?.kind == .file
    }

    private static func isPageNumber(_ pair: String) -> Bool {
        guard let (name, value) = pair.split(at: "="), 1...19 ~= value.utf8.count else { return false }
        return pageNames.contains(name.lowercased()) && value.utf8.allSatisfy { $0 &- 0x30 < 10 }
    }

    /// The message without the address, which is already at the beginning of the line.
    private static func reason(_ error: CumulusError) -> String {
        let problem = ProblemCollector.text(of: error).map { ": \($0)" } ?? ""
        return own(error) + problem + (error.attempts.last?.retry?.obstacle.map { " (\($0))" } ?? "")
    }

    private static func own(_ error: CumulusError) -> String {
        switch error.cause {
        case let problem as OAuth2Error: return problem.message
        case let problem as PagingProblem: return pagingReason(problem)
        case let problem as ContentCodingProblem: return codingReason(problem)
        // The file's name says more than the number of its part.
        case let problem as MultipartProblem where problem.kind == .file: return problem.reason
        case let problem as AWSScopeProblem: return "\(problem.host) doesn't identify the AWS \(problem.part.rawValue)"
        default: break
        }
        return error.request.map { shortened(error.message, $0.origin) } ?? error.message
    }

    /// A message without the address of the connection that failed, which the line begins with.
    private static func shortened(_ text: String, _ origin: Origin) -> String {
        let lookup = "can't find the host \(origin.host): "
        if text.begins(with: lookup) { return "can't find the host: \(text.utf8.dropFirst(lookup.utf8.count).text)" }
        let beginnings = ["can't connect to \(origin): ", "can't establish TLS with \(origin): "]
        guard let beginning = beginnings.first(where: { text.begins(with: $0) }) else { return text }
        return text.utf8.dropFirst(beginning.utf8.count).text
    }
}
