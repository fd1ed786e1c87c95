// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes

/// The exit codes and their causes: this table is the only place that knows them.
enum CommandStatus: Int32, CaseIterable, Sendable {
    case success = 0
    case failure = 1
    case timeout = 2
    case redirection = 3
    case clientError = 4
    case serverError = 5
    case tooManyRedirects = 6
    case lookup = 7
    case connect = 8
    case tls = 9
    case checksum = 11
    case remoteChanged = 12
    case disk = 13
    case exists = 14
    case partial = 15
    case morePages = 16
    case unmet = 17
    case usage = 64
    case interrupted = 130

    /// The code's meaning, for `--explain-exit` and the help.
    var meaning: String {
        switch self {
        case .success: "the request succeeded"
        case .failure: "another error; see standard error"
        case .timeout: "a time limit was exceeded (--timeout, --max-time)"
        case .redirection: "the final response was a redirect or 304 (3xx)"
        case .clientError: "the server refused the request (4xx)"
        case .serverError: "the server failed (5xx)"
        case .tooManyRedirects: "there were too many redirects, or a redirect loop (--max-redirects)"
        case .lookup: "the host name could not be resolved (DNS)"
        case .connect: "no connection could be made, or a proxy or --public-only refused it"
        case .tls: "TLS failed, or the server's certificate is not trusted (--verify)"
        case .checksum: "the file doesn't match its checksum (the server's, or --checksum); nothing was saved"
        case .remoteChanged: "the file changed on the server, so the download could not be continued"
        case .disk: "the disk is full, or a file can't be written"
        case .exists: "a file with this name exists (--overwrite, -c, -o)"
        case .partial: "only part of the body or file arrived; cumulus download -c resumes it"
        case .unmet: "the --until condition was not true after --tries"
        case .morePages: "the list may have more pages than were read (--paging)"
        case .usage: "the command line is wrong; nothing was sent"
        case .interrupted: "the command was interrupted (Ctrl-C, SIGTERM, SIGHUP)"
        }
    }

    /// The exit status for a response's status.
    init(statusCode: Int) {
        self =
            switch statusCode {
            case 200..<300: .success
            case 300..<400: .redirection
            case 400..<500: .clientError
            // A number outside of the classes counts as 5xx (RFC 9110, section 15).
            case 500..., ..<100: .serverError
            // An interim response (1xx) that ends the exchange.
            default: .failure
            }
    }

    /// The exit status for an error; never success.
    init(_ error: any Error) {
        switch error {
        case is CancellationError: self = .interrupted
        case is UsageMistake: self = .usage
        case is OutputProblem, is FileProblem, is FileFailure, is CookieFileProblem: self = .disk
        case let error as CumulusError where error.code == .paging:
            let kind = (error.cause as? PagingProblem)?.kind
            self = kind == .noItems || kind == .ambiguousItems ? .failure : .morePages
        case let error as CumulusError:
            let status = CommandStatus.failedStatus(of: error).map { CommandStatus(statusCode: $0.code) }
            let known = CommandStatus.known[error.code] ?? .failure
            switch status {
            // The server accepted the request for the remaining bytes of a file, and did not send them.
            case .success: self = .partial
            case let status?: self = status
            // Something was sent, so the command line is not the only cause.
            case nil: self = known == .usage && error.response != nil ? .failure : known
            }
        default: self = .failure
        }
    }

    /// The status that an error is about: the server's refusal counts, not that its explanation was interrupted.
    static func failedStatus(of error: CumulusError) -> HTTPResponse.Status? {
        guard let status = error.response?.status else { return nil }
        if error.code == .status { return status }
        return breaks.contains(error.code) && CommandStatus(statusCode: status.code).isRefusal ? status : nil
    }

    /// Whether the server refused the request, or failed at it.
    var isRefusal: Bool { self == .clientError || self == .serverError }

    /// Whether a download with this status can be resumed: a time limit or a broken connection ended it.
    var isResumable: Bool { self == .timeout || self == .partial }

    /// Whether an error means that a body is incomplete.
    static func isIncomplete(_ error: CumulusError) -> Bool { breaks.contains(error.code) }

    private static let breaks: Set<CumulusError.Code> = [
        .truncatedBody, .connectionClosed, .malformedResponse, .contentCoding, .bodyTooLarge, .transport, .incomplete,
    ]

    private static let known: [CumulusError.Code: CommandStatus] = [
        .timeout: .timeout,
        .notModified: .redirection,
        .tooManyRedirects: .tooManyRedirects,
        .lookup: .lookup,
        .connect: .connect,
        .proxy: .connect,
        .addressRefused: .connect,
        .tls: .tls,
        .checksum: .checksum,
        .remoteChanged: .remoteChanged,
        .disk: .disk,
        .fileInUse: .disk,
        .fileExists: .exists,
        .incomplete: .partial,
        .truncatedBody: .partial,
        .conflict: .clientError,
        // An invalid request was written that way on the command line.
        .invalidURL: .usage,
        .invalidPath: .usage,
        .invalidHeader: .usage,
        .invalidRequest: .usage,
        // An unreadable file, or an invalid boundary.
        .encoding: .usage,
    ]
}
