// SPDX-License-Identifier: Apache-2.0

/// The path of every request, stage by stage, with the settings that each stage needs.
struct RequestPipeline: Sendable {
    let preflight: Preflight
    let encoding: Encoding
    let revalidation: Revalidation?
    let exchange: Exchange
    let validation: Validation
    let decoding: Decoding
    let postProcessing: PostProcessing
    /// `nil` where nothing is logged, which then costs no more than looking here.
    private let log: RequestLog?

    init(transport: any Transport, settings: SettingsSnapshot.Values) {
        preflight = Preflight(checks: settings.value(PreflightsKey.self))
        encoding = Encoding(settings)
        revalidation = Revalidation(settings)
        exchange = Exchange(transport: transport, settings: settings)
        validation = Validation(validators: settings.value(ValidatorsKey.self))
        decoding = Decoding(coders: settings.value(CodersKey.self))
        postProcessing = PostProcessing(processors: settings.value(PostProcessorsKey.self))
        log = RequestLog(settings)
    }

    var transport: any Transport { exchange.transmission.transport }

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
        let started = exchange.transmission.clock.now
        let approved = try await preflight.review(draft)
        var encoded = try encoding.encode(approved)
        if let revalidation { encoded = try revalidation.prepare(encoded) }
        // The attempt loop: intercept, authorize, send, judge the head; again for a redirect; then deliver the body.
        let received = try await exchange.perform(encoded, started: started, log: log)
        revalidation?.note(received.status, received.headers, to: encoded, redirected: !received.history.isEmpty)
        let accepted = try await validation.accept(form.judge(received))
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
        let started = exchange.transmission.clock.now
        let approved = try await preflight.review(draft)
        var encoded = try encoding.encode(approved)
        if let revalidation { encoded = try revalidation.prepare(encoded) }
        let stream = try await exchange.open(encoded, started: started, anyStatus: anyStatus, log: log)
        revalidation?.note(stream.status, stream.headers, to: encoded, redirected: !stream.history.isEmpty)
        return stream
    }
}
