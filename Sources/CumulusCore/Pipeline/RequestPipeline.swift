// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives
import HTTPTypes

/// The path of every request, step by step, with the settings that each step needs.
///
/// A class, like its larger parts: all requests of a snapshot share one.
final class RequestPipeline: Sendable {
    /// The transport of the requests; the other parts reach it only through ``Transmission``.
    let transport: any Transport
    let preflight: Preflight
    let tracking: Tracking
    let encoding: Encoding
    let attemptLoop: AttemptLoop
    let responseProcessing: ResponseProcessing
    let validation: Validation
    let decoding: Decoding
    let postProcessing: PostProcessing
    /// `nil` if there are no observers, so that they cost no more than this check.
    let observers: CallObservers?

    init(_ context: TreeContext, settings: SettingValues, limiters: SettingsSnapshot.Limiters) {
        transport = settings.transport(behindSettings: settings.value(TransportKey.self) ?? context.transport)
        preflight = Preflight(checks: settings.value(PreflightsKey.self))
        tracking = Tracking(context, transport, settings: settings)
        encoding = Encoding(settings, transport: transport)
        let acceptedCodings = encoding.acceptedCodings
        attemptLoop = AttemptLoop(
            context,
            transport,
            settings: settings,
            limiters: limiters,
            acceptedCodings: acceptedCodings
        )
        responseProcessing = ResponseProcessing(processors: settings.value(ResponseProcessorsKey.self))
        validation = Validation(validators: settings.value(ValidatorsKey.self))
        decoding = Decoding(coders: settings.coders)
        postProcessing = PostProcessing(processors: settings.value(PostProcessorsKey.self))
        observers = CallObservers(settings)
    }

    var context: TreeContext { tracking.context }

    /// Runs a call: preflights, the tree's list of running requests, then the parts that its sink needs.
    func run<Sink: CallSink>(
        _ draft: RequestDraft,
        into sink: Sink,
        isNestingKnown: Bool = false
    ) async throws -> Sink.Output {
        // Only calls with hooks count their nesting.
        let hasPreflights = !preflight.checks.elements.isEmpty
        if !isNestingKnown, tracking.hasHooks || hasPreflights {
            return try await CallNesting.run(draft.bare) { try await run(draft, into: sink, isNestingKnown: true) }
        }
        let start = start(draft, isObserved: sink.sends)
        var begun: CallContext?
        do {
            let approved = hasPreflights ? try await preflight.review(draft, start, on: attemptLoop.clock) : draft
            let registration = try tracking.begin(approved, start, sends: sink.sends)
            let call = CallContext(start, registration)
            begun = call
            let output =
                sink.needsTask || tracking.needsTask || approved.joins
                ? try await tracking.inOwnTask(call, of: approved, on: attemptLoop.clock) { [self] in
                    try await sink.receive(approved, call, in: self)
                }
                : try await sink.receive(approved, call, in: self)
            try sink.end(output, registration)
            return output
        } catch {
            if let begun, let registration = begun.registration {
                throw registration.fail(begun.record.completed(error, at: attemptLoop.clock.moment))
            }
            start.observation?.end(with: error)
            throw error
        }
    }

    private func start(_ draft: RequestDraft, isObserved: Bool) -> CallStart {
        let started = attemptLoop.clock.moment
        let observation = isObserved ? observation(of: draft, since: started) : nil
        observation?.tell(.started)
        return CallStart(started: started, deadline: attemptLoop.transmission.deadline, observation: observation)
    }

    private func observation(of draft: RequestDraft, since started: Moment) -> CallObservation? {
        let progress = draft.beginning?.progress
        // Most calls have no observers, and copy none.
        if observers == nil, progress == nil { return nil }
        return CallObservers.all(observers, and: progress).map {
            CallObservation($0, of: draft, since: started, on: attemptLoop.clock)
        }
    }

    /// The response of an identical exchange that is already running, or of a new one.
    func join(_ request: EncodedRequest, _ key: CallKey, _ call: CallContext) async throws -> Response {
        guard let key = tracking.joinKey(request, key) else { return try await attemptLoop.perform(request, call) }
        let response = try await context.joins.value(for: key) { [attemptLoop] in
            let shared = call.shared
            do {
                return try await RequestScope.outside { try await attemptLoop.perform(request, shared) }
            } catch {
                throw shared.record.completed(error, at: attemptLoop.clock.moment)
            }
        }
        call.observation?.joined(response)
        return response
    }
}

extension RequestPipeline {
    /// The key under which resources are observed that show the response to a request, before it is sent; `nil` if no
    /// resource is observed.
    func observedKey(of request: EncodedRequest) -> JoinKey? {
        context.observed.isEmpty || request.method != .get ? nil : tracking.joinKey(request, .joining(""))
    }

    /// Passes a response to the resources that are observed, if it is one to a GET that they show.
    ///
    /// If the user has changed since `earlier`, the key before the request was sent, it is unknown which one the response
    /// is for.
    func feed(
        _ response: Response,
        to request: EncodedRequest,
        _ draft: RequestDraft,
        _ call: CallContext,
        since earlier: JoinKey?
    ) {
        guard request.method == .get, response.status != .partialContent,
            response.status == .notModified || response.isSuccessful
        else { return }
        var keys: [JoinKey] = []
        if let earlier, let key = observedKey(of: request), key.continues(earlier) {
            keys = key == earlier ? [key] : [key, earlier]
        }
        context.observed.receive(response, draft.id, since: call.started, keys: keys)
    }
}

extension CallRequest {
    /// Creates a draft from the call and its resource's settings, with the parts that the pipeline made in advance.
    ///
    /// Not an initializer of the draft, which would copy the call.
    func draft(
        _ settings: SettingsSnapshot,
        _ pipeline: RequestPipeline,
        wanted: (any Any.Type)? = nil,
        wantsValue: Bool = false,
        id: CallID? = nil,
        beginning: CallBeginning? = nil
    ) throws -> RequestDraft {
        let address = try resource.addressOrRefusal()
        try resource.node.checkRules()
        let template = pipeline.encoding.template
        let path = address.path(template.trailingSlash)
        return RequestDraft(
            .init(
                id: beginning?.id ?? id ?? .next(),
                resource: resource,
                settings: settings,
                method: method,
                origin: address.origin,
                path: path,
                query: query.isEmpty ? template.query : template.query.merging(query),
                headers: headers.isEmpty ? template.headers : template.headers.merging(headers),
                payload: payload,
                key: key,
                beginning: beginning,
                wanted: wanted,
                wantsValue: wantsValue,
                namesContentType: !headers.isEmpty && !headers.isUnsaid(.contentType),
                preparedTarget: query.isEmpty ? template.queryString.map { "\(path)?\($0)" } ?? path : nil,
                preparedFields: headers.isEmpty ? template.fields : nil
            )
        )
    }

    /// Passes the call through the pipeline, with the settings that the resource has now.
    func run<Sink: CallSink>(
        wanted: (any Any.Type)? = nil,
        into sink: Sink,
        _ start: CallBeginning?
    ) async throws -> Sink.Output {
        let settings = resource.snapshot
        let pipeline = settings.pipeline
        let draft = try draft(settings, pipeline, wanted: wanted, wantsValue: sink.wantsValue, beginning: start)
        return try await pipeline.run(draft, into: sink)
    }

    /// Waits before the next request of a stream, as a running call that can be cancelled.
    ///
    /// - Throws: ``CumulusError`` if the deadline passes or the tree is shut down; `CancellationError` if the call was
    ///   cancelled.
    func wait(_ delay: Duration, since started: Moment, deadline: Duration?) async throws {
        let settings = resource.snapshot
        let pipeline = settings.pipeline
        let (clock, tracking) = (pipeline.attemptLoop.clock, pipeline.tracking)
        let draft = try draft(settings, pipeline)
        let registration = try tracking.beginWaiting(draft, since: started)
        let call = CallContext(CallStart(started: started, deadline: deadline, observation: nil), registration)
        do {
            try await call.pause(for: delay, on: clock, before: draft.bare)
        } catch {
            let failure = registration.fail(error)
            let isRefused = failure is CancellationError && !Task.isCancelled && tracking.context.callList.isClosed
            throw isRefused ? tracking.context.callList.refusal(of: draft) : failure
        }
        try registration.complete()
    }
}

extension CallBeginning {
    /// Puts a call on the list of its tree.
    static func started(
        _ id: CallID,
        _ call: CallRequest,
        wanted: (any Any.Type)?,
        progress: @escaping @Sendable (TransferProgress) -> Void
    ) -> CallBeginning {
        let settings = call.resource.snapshot
        let pipeline = settings.pipeline
        // A call that can't be made throws its error when it is sent.
        guard let draft = try? call.draft(settings, pipeline, wanted: wanted, id: id) else {
            return CallBeginning(id, nil, refusal: nil, progress: progress)
        }
        do {
            let listing = try pipeline.tracking.enter(draft, since: pipeline.attemptLoop.clock.moment, sends: true)
            return CallBeginning(id, listing, refusal: nil, progress: progress)
        } catch {
            return CallBeginning(id, nil, refusal: error, progress: progress)
        }
    }
}
