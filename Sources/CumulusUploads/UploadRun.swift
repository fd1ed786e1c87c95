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
    private let call: Call<Response>

    init(_ call: Call<Response>, _ options: UploadOptions, _ progress: OwnProgress) {
        self.call = call
        self.options = options
        self.progress = progress
        clock = call.resource.clock
        started = clock.now
    }

    /// The policy for interruptions.
    var retry: RetryPolicy { call.resource.retry ?? .never }

    /// The text that identifies the resource in records.
    var place: String { call.resource.urlString ?? "" }

    /// Sends a request to the call's resource, one that creates an upload for example.
    func send(_ request: UploadRequest) async throws -> Response {
        let made = call.resource.call(
            request.method,
            .raw(request.body),
            query: call.query.merging(request.query),
            headers: headers(request)
        )
        return try await send(made, request.method, origin())
    }

    /// Sends a request of an existing upload.
    func send(_ request: UploadRequest, to url: RequestURL) async throws -> Response {
        let isElsewhere = try url.origin != origin()
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
        _ origin: Origin
    ) async throws -> Response {
        let limit = call.resource.deadline.map { max(.zero, $0 - (clock.now - started)) }
        let response = try await made.with { settings in
            if let limit { settings.deadline = limit }
            guard !RetryPolicy.idempotentMethods.contains(method) else { return }
            // Such a request is repeated only once the server's offset is known, even if a policy allows more.
            settings.retry?.methods.remove(method)
            settings.retry?.decide = nil
        }.send()
        // A redirect may change the method, and then no byte has arrived.
        guard response.request.method == method else {
            throw problem(.redirectRefused, "a redirect changed \(method) to \(response.request.method)", response)
        }
        guard response.request.origin == origin || mayLeave(origin) else {
            let reason = "an upload is not redirected to another origin, \(response.request.url.redacted)"
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
            let origin = try origin()
            guard url.origin == origin || mayLeave(origin), origin.scheme == .http || url.origin.scheme == .https else {
                let advice = "; `redirects.sendsBodiesToOtherOrigins` allows it"
                throw problem(.redirectRefused, "the upload is at another origin, \(url.redacted)\(advice)", response)
            }
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

    private func origin() throws -> Origin { try RequestURL(call.resource.urlString ?? "").origin }

    private func mayLeave(_ origin: Origin) -> Bool { call.resource.redirects.sendsBodiesToOtherOrigins }

    private func headers(_ request: UploadRequest, isElsewhere: Bool = false) -> Headers {
        var headers = isElsewhere ? Headers() : call.headers
        for (name, value) in request.fields { headers[name] = value }
        return headers
    }
}
