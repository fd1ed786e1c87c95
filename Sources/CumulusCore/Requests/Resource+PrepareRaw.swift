// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

extension Resource {
    /// Prepares a request made elsewhere, to send later, any number of times; see ``send(_:body:)``.
    public func prepare(_ request: HTTPRequest, body: RequestBody = .none) -> PreparedRequest<Response> {
        PreparedRequest(self) { start in
            try await self.started(start).send(request, body: body)
        }
    }
}
