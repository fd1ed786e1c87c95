// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import CumulusURLSession
import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The head of a task's last response.
struct TaskResponse: Sendable {
    let status: HTTPResponse.Status
    let headers: HTTPFields
    /// The origin that sent it, after redirects; `nil` if it is neither http nor https.
    let origin: Origin?

    init(status: HTTPResponse.Status, headers: HTTPFields, origin: Origin?) {
        (self.status, self.headers, self.origin) = (status, headers, origin)
    }

    init?(_ response: URLResponse?) {
        guard let response = response as? HTTPURLResponse else { return nil }
        status = HTTPResponse.Status(code: response.statusCode)
        headers = HTTPFields(response)
        origin = response.url.flatMap { ResponseCheck.origin(of: $0) }
    }
}

/// The rules for the response to a transfer.
struct ResponseCheck: Sendable {
    /// The longest body that is kept of an error, or of the response to an upload.
    static let longestBody = 1 << 20

    let record: TransferRecord

    /// The request, as far as the record describes it: without header fields, query and body.
    var request: EncodedRequest? {
        guard let url = try? RequestURL(record.url), let method = HTTPRequest.Method(record.method) else { return nil }
        return EncodedRequest(method: method, url: url)
    }

    /// The response with a body in memory; `nil` if its fields can't be used.
    func response(_ response: TaskResponse, body: [UInt8] = []) -> Response? {
        var fields = response.headers
        // The system has decoded the body.
        if !body.isEmpty { fields[.contentEncoding] = nil }
        let payload: Payload = body.isEmpty ? .none : .bytes(body)
        return try? Response(response.status, headers: Headers(fields), body: payload, to: request)
    }

    /// The reason to refuse a response; `nil` if the transfer was successful.
    ///
    /// - Parameters:
    ///   - response: The last response; `nil` without one.
    ///   - body: The body, as far as an error contains it.
    ///   - size: The size of the downloaded file; `nil` for an upload.
    /// - Returns: The error.
    func problem(with response: TaskResponse?, body: [UInt8], size: Int64?) -> CumulusError? {
        guard let response else { return problem(.malformedResponse, "no HTTP response was received") }
        let whole = self.response(response, body: body)
        if let message = redirectProblem(response.origin) { return problem(.redirectRefused, message, whole) }
        guard response.status.kind == .successful else {
            let code: CumulusError.Code = response.status == .notModified ? .notModified : .status
            return problem(code, "the server responded with \(response.status)", whole)
        }
        if let size, let length = Self.length(response), length != size {
            return problem(.truncatedBody, "the file has \(length) bytes, but \(size) were received", whole)
        }
        return nil
    }

    /// An error of the transfer.
    func problem(_ code: CumulusError.Code, _ message: String, _ response: Response? = nil) -> CumulusError {
        CumulusError(code, stage: .delivery, message, request: request, response: response)
    }

    /// The reason to report a redirect of a failed transfer in place of its error; `nil` if it was safe.
    ///
    /// - Parameter url: The URL of the task's last request, after redirects; `nil` if it is unknown.
    /// - Returns: The error.
    func redirectProblem(at url: URL?) -> CumulusError? {
        guard let url, let message = redirectProblem(Self.origin(of: url)) else { return nil }
        return problem(.redirectRefused, message)
    }

    /// The origin of a URL; `nil` if it is neither http nor https.
    static func origin(of url: URL) -> Origin? { try? RequestURL(url.absoluteString).origin }

    /// The error for the system's own.
    func problem(_ error: any Error, hasHead: Bool) -> any Error {
        let isCancelled =
            (error as NSError).domain == NSURLErrorDomain && (error as NSError).code == NSURLErrorCancelled
        if isCancelled {
            return problem(.incomplete, "the system cancelled the transfer, for example because the user quit the app")
        }
        return CumulusError(TransportFailure(session: error, hasHead: hasHead), stage: .delivery, request: request)
    }

    /// The reason why a redirect was not safe; `nil` for a safe one, and without a redirect.
    private func redirectProblem(_ origin: Origin?) -> String? {
        guard let origin else { return "the system followed a redirect to a URL that is not http" }
        let own = try? RequestURL(record.url).origin
        if origin == own { return nil }
        if record.hasCredentials {
            return "the system followed a redirect to \(origin), which may have received the request's credentials"
        }
        if record.kind == .upload {
            return "the system followed a redirect to \(origin), which may have received the file"
        }
        return origin.isConfidential ? nil : "the system followed a redirect to \(origin), which doesn't use https"
    }

    /// The length of the whole file, if the response contains it.
    private static func length(_ response: TaskResponse) -> Int64? {
        // Whatever the request was: the system repeats an interrupted download with a range.
        if response.status == .partialContent {
            return response.headers[.contentRange].flatMap { ContentRange(parsing: $0) }?.total
        }
        guard response.headers[.contentEncoding].map({ $0.lowercased() == "identity" }) ?? true else { return nil }
        return response.headers[.contentLength].flatMap { Int64($0) }
    }
}
