// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusCatalogs
import CumulusServices
import CumulusTestServer
import Testing

/// Runs the tasks of a catalog, by name and with types, against a loopback service with an answer for each.
enum LoopbackCatalog {
    static func check<Client: CatalogedService>(
        _ tasks: [CatalogTask<Client>],
        of definition: ServiceDescription,
        headers: [String: String] = [:],
        _ client: (String) -> Client
    ) async throws {
        #expect(tasks.map(\.name).sorted() == definition.endpoints.map(\.name).sorted())
        for task in tasks {
            try await withLoopbackServer { routes in
                routes.on(task.method, task.path) { _ in task.answer.response }
            } _: { server in
                let client = client(server.url)
                let response = try await client.service.call(task.name, task.arguments, body: task.body).send()
                #expect(response.isSuccessful, "\(task.name): \(response.statusCode)")
                let shown = try await task.typed(client)
                #expect(shown == task.answer.shown, "\(task.name)")
                #expect(server.requests.count == 2, "\(task.name)")
                for request in server.requests {
                    #expect(request.method.rawValue == task.method, "\(task.name)")
                    #expect(request.path == task.path, "\(task.name)")
                    let sent = try sent(request)
                    #expect(sent == task.sent, "\(task.name)")
                    for (name, value) in headers {
                        let name = try #require(HTTPField.Name(name))
                        #expect(request.headers[name] == value, "\(task.name)")
                    }
                }
            }
        }
    }

    /// A request's content, in a fixed order; a multipart body as its parts' names and types.
    private static func sent(_ request: ServerRequest) throws -> String {
        let type = request.headers[.contentType].flatMap { MediaType(parsing: $0) }
        var items = request.queryItems.map { ($0.name, $0.value ?? "") }
        switch type?.essence {
        case "application/x-www-form-urlencoded":
            #expect(request.method != .get)
            let form = Query(parsing: request.text)
            for name in form.names { items += form.values(of: name).map { (name, $0.string ?? "") } }
        case "application/json":
            return try JSON(parsing: request.body).description
        case "multipart/form-data":
            for part in try ReceivedPart.parts(of: ByteChunk(request.body), type) {
                let text = part.fileName.map { "\($0) \(part.mediaType?.essence ?? "")" }
                items.append((part.name ?? "", text ?? part.text ?? ""))
            }
        case nil: #expect(request.body.isEmpty)
        case let essence?: items.append((essence, request.text))
        }
        return items.map { "\($0.0)=\($0.1)" }.sorted().joined(separator: "&")
    }
}
