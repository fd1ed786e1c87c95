// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The path of every request, stage by stage, with the settings that each stage needs.
///
/// A class, as are its larger stages: all requests of a snapshot share one.
final class RequestPipeline: Sendable {
    let preflight: Preflight
    let tracking: Tracking
    let encoding: Encoding
    let revalidation: Revalidation?
    let exchange: Exchange
    let validation: Validation
    let decoding: Decoding
    let postProcessing: PostProcessing
    /// `nil` where nothing is logged, which then costs no more than looking here.
    let log: RequestLog?

    init(_ context: TreeContext, settings: SettingsSnapshot.Values, gate: LimitGate?) {
        preflight = Preflight(checks: settings.value(PreflightsKey.self))
        tracking = Tracking(context, settings: settings)
        encoding = Encoding(settings, transport: context.transport)
        revalidation = Revalidation(settings)
        exchange = Exchange(context.transport, settings: settings, gate: gate)
        validation = Validation(validators: settings.value(ValidatorsKey.self))
        decoding = Decoding(coders: settings.value(CodersKey.self))
        postProcessing = PostProcessing(processors: settings.value(PostProcessorsKey.self))
        log = RequestLog(settings)
    }

    var context: TreeContext { tracking.context }

    /// The path of each call: preflights, the tree's list of running requests, then the stages that its sink needs.
    func run<Sink: CallSink>(_ draft: RequestDraft, into sink: Sink) async throws -> Sink.Output {
        guard let log else { return try await run(draft, into: sink, log: nil) }
        return try await log.follow(draft, on: exchange.clock) { try await run(draft, into: sink, log: $0) }
    }

    private func run<Sink: CallSink>(
        _ draft: RequestDraft,
        into sink: Sink,
        log: RequestLog.Call?
    ) async throws -> Sink.Output {
        let begun = Call(started: exchange.clock.moment, deadline: exchange.transmission.deadline, log: log)
        let approved = try await preflight.review(draft, begun, on: exchange.clock)
        let pass = try tracking.begin(approved, begun.started)
        let call = begun.tracked(by: pass)
        do {
            let output =
                sink.needsTask || tracking.needsTask
                ? try await tracking.inOwnTask(call, of: approved, on: exchange.clock) { [self] in
                    try await sink.receive(approved, call, in: self)
                }
                : try await sink.receive(approved, call, in: self)
            try sink.end(output, pass)
            return output
        } catch {
            throw pass.fail(error)
        }
    }

    /// The request as its first attempt would send it: what `curl()` shows.
    func rehearse(_ draft: RequestDraft) async throws -> EncodedRequest {
        let encoded = try encode(await preflight.review(draft))
        return try await Stage.run(.authorization, .authorization, request: encoded, wrapping: true) {
            try await exchange.authorization.authorize(encoded, mayAuthorize: true)
        }
    }

    /// The draft as a request with its conditions.
    func encode(_ draft: RequestDraft) throws -> EncodedRequest {
        let encoded = try encoding.encode(draft)
        return try revalidation?.prepare(encoded) ?? encoded
    }

    /// The response: of an exchange of its own, or of one that is the same and runs already.
    func exchange(_ request: EncodedRequest, _ call: Call) async throws -> Response {
        guard let key = tracking.joinKey(request) else { return try await exchange.perform(request, call) }
        return try await context.joins.response(for: key) { [exchange] in
            try await exchange.perform(request, call.shared)
        }
    }

    /// Remembers the revision that was answered.
    func note(
        _ status: HTTPResponse.Status,
        _ headers: @autoclosure () -> HTTPFields,
        to request: EncodedRequest,
        redirected: Bool
    ) { revalidation?.note(status, headers(), to: request, redirected: redirected) }
}
