// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

extension Resource {
    /// Prepares an upload that can be started later, any number of times if its payload can be sent again.
    ///
    /// - Parameters:
    ///   - payload: The content: `.file(url)`, `.bytes(data)`, `.stream(chunks, length: n)`, `.multipart(form)`, ...
    ///   - method: The method. Default: PUT for a file, POST for anything else.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    /// - Returns: A request for the response, whatever its status; its progress is that of the upload.
    public func prepareUpload(
        _ payload: Payload,
        method: HTTPRequest.Method? = nil,
        query: Query = [:],
        headers: Headers = [:]
    ) -> PreparedRequest<Response> {
        prepared { resource in
            try await resource.upload(payload, method: method, query: query, headers: headers)
        }
    }

    /// Prepares an upload whose response is decoded, to be started later.
    ///
    /// - Parameters:
    ///   - payload: The content.
    ///   - type: The type to decode from the body of a successful response.
    ///   - method: The method. Default: PUT for a file, POST for anything else.
    ///   - query: Query items, merged over the inherited ones.
    ///   - headers: Header fields, merged over the inherited ones.
    /// - Returns: A request for the decoded, post-processed value; its progress is that of the upload.
    public func prepareUpload<Value: Decodable & Sendable>(
        _ payload: Payload,
        as type: Value.Type,
        method: HTTPRequest.Method? = nil,
        query: Query = [:],
        headers: Headers = [:]
    ) -> PreparedRequest<Value> {
        prepared { resource in
            try await resource.upload(payload, as: type, method: method, query: query, headers: headers)
        }
    }

    /// Prepares an upload that requires success, to be started later.
    public func prepareUpload(
        _ payload: Payload,
        as type: Void.Type,
        method: HTTPRequest.Method? = nil,
        query: Query = [:],
        headers: Headers = [:]
    ) -> PreparedRequest<Void> {
        prepared { resource in
            try await resource.upload(payload, as: type, method: method, query: query, headers: headers)
        }
    }

    /// Prepares an upload with a method given by name, to be started later; sending it throws if it is not a token.
    public func prepareUpload(
        _ payload: Payload,
        method: String,
        query: Query = [:],
        headers: Headers = [:]
    ) -> PreparedRequest<Response> {
        prepared { resource in
            try await resource.upload(payload, method: method, query: query, headers: headers)
        }
    }

    /// Prepares an upload with a method given by name, whose response is decoded, to be started later.
    public func prepareUpload<Value: Decodable & Sendable>(
        _ payload: Payload,
        as type: Value.Type,
        method: String,
        query: Query = [:],
        headers: Headers = [:]
    ) -> PreparedRequest<Value> {
        prepared { resource in
            try await resource.upload(payload, as: type, method: method, query: query, headers: headers)
        }
    }

    /// Prepares an upload with a method given by name that requires success, to be started later.
    public func prepareUpload(
        _ payload: Payload,
        as type: Void.Type,
        method: String,
        query: Query = [:],
        headers: Headers = [:]
    ) -> PreparedRequest<Void> {
        prepared { resource in
            try await resource.upload(payload, as: type, method: method, query: query, headers: headers)
        }
    }

    private func prepared<Output: Sendable>(
        _ perform: @escaping @Sendable (Resource) async throws -> Output
    ) -> PreparedRequest<Output> {
        PreparedRequest(self) { start in
            let observers = start.observers.map { observer -> ProgressObserver in
                { event in if event.direction == .sending { observer(event) } }
            }
            return try await perform(self.started(RequestStart(observers: observers, id: start.id)))
        }
    }
}
