// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// A request as a value, typed by its output: you create it now, and send it later, any number of times.
///
/// ```swift
/// var call = site["posts"].call(.get, as: [Post].self, query: ["page": 1])
/// let first = try await call.send()
/// call.query["page"] = 2
/// let running = call.start { result in show(result) }    // on the main actor
/// ```
///
/// The resource's settings are looked up each time the call is sent, so credentials that were corrected in the meantime
/// are used. The parts that belong to the call alone (its query, its headers) can be changed; settings are overridden
/// by ``with(fileID:line:_:)``.
public struct Call<Output: Sendable>: Sendable {
    /// What is sent, apart from the resource's settings.
    var request: CallRequest
    /// What is made of the response.
    let output: CallOutput<Output>

    init(_ request: CallRequest, _ output: CallOutput<Output>) {
        self.request = request
        self.output = output
    }

    init(
        _ resource: Resource,
        _ method: HTTPRequest.Method,
        _ payload: Payload,
        _ query: Query,
        _ headers: Headers,
        _ output: CallOutput<Output>
    ) {
        request = CallRequest(resource: resource, method: method, payload: payload, query: query, headers: headers)
        self.output = output
    }

    /// Creates a call whose output is produced by your own code, from one request or several.
    ///
    /// It can be changed, started, restarted and cancelled like any other call. The settings of
    /// ``with(fileID:line:_:)`` apply to all of its requests.
    ///
    /// - Parameters:
    ///   - resource: The resource whose settings apply.
    ///   - make: Sends the requests. It receives a call on the resource (a GET, unless the method was changed) with the
    ///     query, header fields and payload that have been set on this call. It may be called several times at once.
    public init(
        on resource: Resource,
        _ make: @escaping @Sendable (Call<Response>) async throws -> Output
    ) {
        let output = CallOutput<Output>.Made(wanted: nil, isExclusive: false) { request, _ in
            try await make(Call<Response>(request, .memory(.whole)))
        }
        self.init(resource, .get, .none, [:], [:], .made(output))
    }

    /// The resource that the call is made on.
    public var resource: Resource { request.resource }
    /// The method; names are case-sensitive.
    public var method: HTTPRequest.Method {
        get { request.method }
        set { request.method = newValue }
    }
    /// The request's body.
    public var payload: Payload {
        get { request.payload }
        set { request.payload = newValue }
    }
    /// Query items, merged over the inherited ones.
    public var query: Query {
        get { request.query }
        _modify { yield &request.query }
    }
    /// Header fields, merged over the inherited ones.
    public var headers: Headers {
        get { request.headers }
        _modify { yield &request.headers }
    }
    /// The key by which the call joins or replaces other calls; `nil` for neither.
    public var key: CallKey? {
        get { request.key }
        set { request.key = newValue }
    }

    /// Creates a call that throws an error when it is sent, for a service that can't make the actual call.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - resource: The resource to which the call would have been sent.
    /// - Returns: The call.
    public static func failing(_ error: any Error, on resource: Resource) -> Call {
        Call(resource, .get, .none, [:], [:], .failure(error))
    }

    /// Creates a call that throws an error when it is sent, without a resource.
    public static func failing(_ error: any Error) -> Call { failing(error, on: .nowhere) }

    /// Returns a copy of the call with its own settings.
    ///
    /// - Parameters:
    ///   - fileID: The file that ``Resource/explain(_:)`` names.
    ///   - line: The line that ``Resource/explain(_:)`` names.
    ///   - edit: Changes the settings. It is called once.
    /// - Returns: The copy.
    public func with(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ edit: (inout Resource.Settings) -> Void
    ) -> Call {
        var call = self
        call.request.resource = resource.with(fileID: fileID, line: line, edit)
        return call
    }

    /// Returns a copy of the call that converts the output; the function runs off the caller's actor.
    ///
    /// If the function throws, the call fails with its error.
    public func map<New: Sendable>(
        _ change: @escaping @concurrent @Sendable (Output) async throws -> New
    ) -> Call<New> {
        if case .failure(let error) = output { return Call<New>(request, .failure(error)) }
        let made = CallOutput<New>.Made(wanted: output.wanted, isExclusive: output.isExclusive) {
            [output] request, start in
            try await change(Call(request, output).send(start))
        }
        return Call<New>(request, .made(made))
    }

    /// Sends the call.
    ///
    /// - Returns: Its output.
    /// - Throws: ``CumulusError``, or `CancellationError` when the task is cancelled.
    public func send() async throws -> Output { try await send(nil) }

    /// Sends the call for a ``RunningCall``.
    func send(_ start: CallBeginning?) async throws -> Output {
        switch output {
        case .memory(let form): try await request.run(wanted: form.wanted, into: MemorySink(form: form), start)
        case .made(let made): try await made.perform(request, start)
        case .failure(let error): throw error
        }
    }
}

extension Resource {
    /// The place of calls that can't be made.
    static let nowhere = Resource(nowhere: "the call has no URL", transport: NoTransport())
}
