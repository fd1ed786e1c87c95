// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

extension Resource {
    /// Makes a request to be sent later, any number of times.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - payload: What the request carries; a stream that can be read once can be sent once.
    ///   - query: Items laid over the inherited ones.
    ///   - headers: Fields laid over the inherited ones.
    /// - Returns: A request for the response, whatever its status.
    public func prepare(
        _ method: HTTPRequest.Method,
        _ payload: Payload = .none,
        query: Query = [:],
        headers: Headers = [:]
    ) -> PreparedRequest<Response> {
        PreparedRequest(self) { start in
            try await self.started(start).request(method, payload, query: query, headers: headers)
        }
    }

    /// Makes a request to be sent later, any number of times.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - payload: What the request carries; a stream that can be read once can be sent once.
    ///   - type: What to make of the body of a successful response.
    ///   - query: Items laid over the inherited ones.
    ///   - headers: Fields laid over the inherited ones.
    /// - Returns: A request for the decoded, post-processed value.
    public func prepare<Value: Decodable & Sendable>(
        _ method: HTTPRequest.Method,
        _ payload: Payload = .none,
        as type: Value.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) -> PreparedRequest<Value> {
        PreparedRequest(self) { start in
            try await self.started(start).request(method, payload, as: type, query: query, headers: headers)
        }
    }

    /// Makes a request to be sent later, any number of times, of which nothing is asked but success.
    public func prepare(
        _ method: HTTPRequest.Method,
        _ payload: Payload = .none,
        as type: Void.Type,
        query: Query = [:],
        headers: Headers = [:]
    ) -> PreparedRequest<Void> {
        PreparedRequest(self) { start in
            try await self.started(start).request(method, payload, as: type, query: query, headers: headers)
        }
    }

    /// Makes a request of one made elsewhere, to be sent later, any number of times; see ``send(_:body:)``.
    public func prepare(_ request: HTTPRequest, body: RequestBody = .none) -> PreparedRequest<Response> {
        PreparedRequest(self) { start in
            try await self.started(start).send(request, body: body)
        }
    }

    /// The resource with more observers of progress.
    func telling(_ observers: [ProgressObserver]) -> Resource {
        guard !observers.isEmpty else { return self }
        return with { settings in for observer in observers { settings.progressObservers.append(observer) } }
    }
}
