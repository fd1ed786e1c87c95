// SPDX-License-Identifier: Apache-2.0

/// The path of every request, stage by stage, with the settings that each stage needs.
struct RequestPipeline: Sendable {
    let preflight: Preflight
    let encoding: Encoding
    let exchange: Exchange
    let validation: Validation
    let decoding: Decoding
    let postProcessing: PostProcessing

    init(transport: any Transport, settings: SettingsSnapshot.Values) {
        preflight = Preflight(checks: settings.value(PreflightsKey.self))
        encoding = Encoding(settings)
        exchange = Exchange(transport: transport, settings: settings)
        validation = Validation(validators: settings.value(ValidatorsKey.self))
        decoding = Decoding(coders: settings.value(CodersKey.self))
        postProcessing = PostProcessing(processors: settings.value(PostProcessorsKey.self))
    }

    var transport: any Transport { exchange.transmission.transport }

    /// The whole path, in order: each stage is a file of this folder.
    func run<Output: Sendable>(_ draft: RequestDraft, as form: ResponseForm<Output>) async throws -> Output {
        let started = exchange.transmission.clock.now
        let approved = try await preflight.review(draft)
        let encoded = try encoding.encode(approved)
        // The attempt loop: intercept, authorize, send, judge the head; again for a redirect; then deliver the body.
        let received = try await exchange.perform(encoded, started: started)
        let accepted = try await validation.accept(form.judge(received))
        let decoded = try await form.read(accepted, decoding)
        return try await postProcessing.finish(decoded, of: accepted)
    }

    /// Sends a request and hands over its body as it comes; what happens to values runs on each element, later.
    func open(_ draft: RequestDraft, anyStatus: Bool) async throws -> ResponseStream {
        let started = exchange.transmission.clock.now
        let approved = try await preflight.review(draft)
        let encoded = try encoding.encode(approved)
        return try await exchange.open(encoded, started: started, anyStatus: anyStatus)
    }
}
