// SPDX-License-Identifier: Apache-2.0

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

    /// The whole path, in order: each stage is a file of this folder.
    func run<Output: Sendable>(_ draft: RequestDraft, as form: ResponseForm<Output>) async throws -> Output {
        guard let log else { return try await run(draft, as: form, log: nil) }
        return try await log.follow(draft, on: exchange.transmission.clock) { call in
            try await run(draft, as: form, log: call)
        }
    }

    private func run<Output: Sendable>(
        _ draft: RequestDraft,
        as form: ResponseForm<Output>,
        log: RequestLog.Call?
    ) async throws -> Output {
        let started = exchange.transmission.clock.moment
        let approved = try await preflight.review(draft)
        let pass = try tracking.begin(approved, started)
        do {
            let output =
                tracking.needsTask
                ? try await tracking.inOwnTask(pass) { [self] in
                    try await proceed(approved, as: form, pass, started, log)
                }
                : try await proceed(approved, as: form, pass, started, log)
            try pass.complete()
            return output
        } catch {
            throw pass.fail(error)
        }
    }

    private func proceed<Output: Sendable>(
        _ draft: RequestDraft,
        as form: ResponseForm<Output>,
        _ pass: RequestPass,
        _ started: Moment,
        _ log: RequestLog.Call?
    ) async throws -> Output {
        let encoded = try revalidation?.prepare(encoding.encode(draft)) ?? encoding.encode(draft)
        // The attempt loop: limit, intercept, authorize, send, judge the head; again for a redirect; then the body.
        let received =
            tracking.joins
            ? try await tracking.share(draft) { [exchange] in
                try await exchange.perform(encoded, nil, started: started, log: log)
            }
            : try await exchange.perform(encoded, pass, started: started, log: log)
        revalidation?.note(received.status, received.headers, to: encoded, redirected: !received.history.isEmpty)
        let judged = try form.judge(received)
        let accepted = validation.validators.isEmpty ? judged : try await validation.accept(judged)
        pass.note(accepted)
        let decoded = try await form.read(accepted, decoding)
        return try await postProcessing.finish(decoded, of: accepted)
    }

    /// Sends a request and hands over its body as it comes; what happens to values runs on each element, later.
    func open(_ draft: RequestDraft, anyStatus: Bool) async throws -> ResponseStream {
        guard let log else { return try await open(draft, anyStatus: anyStatus, log: nil) }
        return try await log.follow(draft, on: exchange.transmission.clock) { call in
            try await open(draft, anyStatus: anyStatus, log: call)
        }
    }

    private func open(
        _ draft: RequestDraft,
        anyStatus: Bool,
        log: RequestLog.Call?
    ) async throws -> ResponseStream {
        let started = exchange.transmission.clock.moment
        let approved = try await preflight.review(draft)
        let pass = try tracking.begin(approved, started)
        do {
            let stream =
                tracking.needsTask
                ? try await tracking.inOwnTask(pass) { [self] in
                    try await reach(approved, pass, started, anyStatus, log)
                }
                : try await reach(approved, pass, started, anyStatus, log)
            try stream.attach(pass)
            return stream
        } catch {
            throw pass.fail(error)
        }
    }

    private func reach(
        _ draft: RequestDraft,
        _ pass: RequestPass,
        _ started: Moment,
        _ anyStatus: Bool,
        _ log: RequestLog.Call?
    ) async throws -> ResponseStream {
        let encoded = try revalidation?.prepare(encoding.encode(draft)) ?? encoding.encode(draft)
        let stream = try await exchange.open(encoded, pass, started: started, anyStatus: anyStatus, log: log)
        revalidation?.note(stream.status, stream.headers, to: encoded, redirected: !stream.history.isEmpty)
        return stream
    }
}
