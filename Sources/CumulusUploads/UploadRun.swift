// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes

/// A request of an upload, as its protocol defines it.
struct UploadRequest: Sendable {
    var method: HTTPRequest.Method
    var fields: [(name: Headers.Name, value: String)]
    var body: RequestBody = .none
    /// Query items of a request to the call's resource.
    var query = Query()
}

/// One run of an upload: it sends the requests with the settings of the call.
struct UploadRun: Sendable {
    let options: UploadOptions
    let progress: OwnProgress
    let clock: any RequestClock
    let started: ContinuousClock.Instant
    /// The URL of the call's resource; `nil` for a refused path, for which each request fails.
    let url: RequestURL?
    private let call: Call<Response>

    init(_ call: Call<Response>, _ options: UploadOptions, _ progress: OwnProgress) {
        self.call = call
        self.options = options
        self.progress = progress
        clock = call.resource.clock
        started = clock.now
        url = call.resource.urlString.flatMap { try? RequestURL($0) }
    }

    /// The policy for interruptions.
    var retry: RetryPolicy { call.resource.retry ?? .never }

    /// The time since the upload began.
    var elapsed: Duration { clock.now - started }

    /// The time until the deadline; `nil` without one.
    var timeLeft: Duration? { call.resource.deadline.map { $0 - elapsed } }

    /// The code of the call's URL, user and header fields.
    func code(keyedBy key: [UInt8]) async throws -> [UInt8] {
        try checkDeadline()
        // Abandoning has another method, which must not change the code.
        return try await call.resource.call(.head, query: call.query, headers: call.headers).uploadCode(keyedBy: key)
    }

    /// The code of the cookies that the call has now; `nil` without a jar.
    func cookieCode(keyedBy key: [UInt8]) -> String? { call.cookieCode(keyedBy: key) }

    /// Takes a retry from the policy's budget; false if none is left.
    func takeRetry(after failure: CumulusError) -> Bool {
        call.resource.takeRetry(of: retry.budget, after: failure)
    }

    /// Whether requests of an upload may be sent to a URL: at the call's origin, or at any other one if the settings
    /// allow it, but never from https to http.
    func allows(_ url: RequestURL) -> Bool {
        guard let origin = self.url?.origin else { return false }
        return (url.origin == origin || mayLeave) && (origin.scheme == .http || url.origin.scheme == .https)
    }

    /// Sends a request to the call's resource, one that creates an upload for example.
    func send(_ request: UploadRequest) async throws -> Response {
        let made = call.resource.call(
            request.method,
            .raw(request.body),
            query: call.query.merging(request.query),
            headers: headers(request)
        )
        return try await send(made, request.method, url?.origin)
    }

    /// Sends a request of an existing upload.
    func send(_ request: UploadRequest, to url: RequestURL) async throws -> Response {
        guard allows(url) else { throw otherOrigin(url) }
        let isElsewhere = url.origin != self.url?.origin
        let made = call.resource.follow(url).call(
            request.method,
            .raw(request.body),
            headers: headers(request, isElsewhere: isElsewhere)
        )
        return try await send(made, request.method, url.origin)
    }

    private func send(
        _ made: Call<Response>,
        _ method: HTTPRequest.Method,
        _ origin: Origin?
    ) async throws -> Response {
        try checkDeadline()
        let timeLeft = timeLeft
        let response = try await made.with { settings in
            if let timeLeft { settings.deadline = timeLeft }
            // A tree may accept other statuses for its values; they don't make an upload complete.
            settings.acceptableStatuses = .successful
            if UploadRun.readsState(method) { settings.cachePolicy = .noStore }
            guard !RetryPolicy.idempotentMethods.contains(method) else { return }
            // Such a request is repeated only once the server's offset is known, even if a policy or a key allows more.
            settings.idempotencyKey = nil
            settings.retry?.methods.remove(method)
            settings.retry?.decide = nil
            // The server's offset may have changed even if the request was refused.
            if method == .patch { settings.retry?.limit = 0 }
        }.send()
        // A redirect may change the method, and then no byte has arrived.
        guard response.request.method == method else {
            throw problem(.redirectRefused, "a redirect changed \(method) to \(response.request.method)", response)
        }
        guard response.request.origin == origin || mayLeave else {
            let reason = "the upload was redirected to another origin, \(response.request.url.redacted)"
            throw problem(.redirectRefused, reason, response)
        }
        return response
    }

    /// The URL of a created upload.
    ///
    /// - Throws: `CumulusError` if it is missing, not a URL, or at another origin.
    func location(in response: Response) throws -> RequestURL {
        guard let text = response.headers[.location] else {
            throw problem(.malformedResponse, "the server created an upload, but did not report its URL", response)
        }
        do {
            let url = try response.request.url.resolving(text)
            guard allows(url) else { throw otherOrigin(url, response) }
            return url
        } catch let malformation as RequestURL.Malformation {
            throw problem(.malformedResponse, "the upload's URL is not valid: \(malformation)", response)
        }
    }

    /// An error of the upload.
    func problem(
        _ code: CumulusError.Code,
        _ message: String,
        _ response: Response? = nil,
        cause: (any Error)? = nil
    ) -> CumulusError {
        CumulusError(
            code,
            stage: .delivery,
            message,
            request: response?.request,
            response: response,
            cause: cause
        )
    }

    /// Throws the deadline's error if it has passed.
    private func checkDeadline() throws {
        guard let limit = call.resource.deadline, let timeLeft, timeLeft <= .zero else { return }
        let failure = TransportFailure.timeout(.total, "the upload", limit: limit, elapsed: elapsed, fate: .unsent)
        throw CumulusError(failure, stage: .transmission)
    }

    private func otherOrigin(_ url: RequestURL, _ response: Response? = nil) -> CumulusError {
        let advice = "; `redirects.sendsBodiesToOtherOrigins` allows it"
        return problem(.redirectRefused, "the upload is at another origin, \(url.redacted)\(advice)", response)
    }

    private var mayLeave: Bool { call.resource.redirects.sendsBodiesToOtherOrigins }

    /// Whether a request only reads the state at the server, which a cache can't know.
    private static func readsState(_ method: HTTPRequest.Method) -> Bool { [.get, .head, .options].contains(method) }

    private func headers(_ request: UploadRequest, isElsewhere: Bool = false) -> Headers {
        var headers = isElsewhere ? Headers() : call.headers
        // With a key, the request would be repeated regardless of the server's offset.
        headers["Idempotency-Key"] = nil
        for (name, value) in request.fields { headers[name] = value }
        if UploadRun.readsState(request.method) { headers[.cacheControl] = "no-store" }
        return headers
    }
}
