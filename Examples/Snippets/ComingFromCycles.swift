// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusFormats
import CumulusServices
import CumulusURLSession
import Dispatch
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func callsCores(request: EncodedRequest) -> URLRequest? {
    URLRequest(request)
}

func callsMakeARequest(url: String) async throws {
    _ = try await REST[url].get()
    func withoutWaiting() {
        REST[url].call(.get).start { result in print(result) }
    }
    withoutWaiting()
    _ = try await REST[url].post()
    _ = try await REST[url].put()
    _ = try await REST[url].delete()
    _ = try await REST[url].head()
    _ = try await REST[url].patch()
    _ = try await REST[url].get().text ?? ""
}

func callsInTwoSteps(url: String) async throws {
    let cycle = Resource(url).call(.get)
    let running = cycle.start { result in print(result) }
    running.cancel(.silent)
    running.cancel()
    cycle.start { result in if case .failure(is CancellationError) = result { print("cancelled") } }
    running.restart()
}

func callsParametersBodiesAndResponses(url: String, site: Resource, data: Data, file: URL) async throws {
    _ = try await REST[url].get(query: ["key": "a", "key": "b"])
    let merged = try RequestURL(url).merging(["key": "value"])
    print(merged)
    let response = try await site.get()
    print(response.status.code)
    _ = response.data
    _ = response.text
    _ = response.headers["ETag"]
    _ = try response.text(as: "gb2312")
    _ = try await site.get(as: Post.self)
    _ = try await site.get(as: JSON.self)
    _ = try await site.post(body: Post(title: "Clouds"))
    _ = try await site.post(.form(["title": "Clouds"]))
    _ = try await site.post(.bytes(data))
    _ = try await site.post(.text("Clouds"))
    site.setRules { $0.responseProcessors.append { response in response.replacingBody(with: response.data) } }
    _ = try await site.get(headers: ["X-Run": "1"])
    _ = try await site.post(.bytes(data))
    _ = try await site.post(.file(file))
    _ = try await site.download(to: .file("/tmp/data"))
    site.call(.put, .file(file)).start(onProgress: { event in print(event.completed) }) { result in print(result) }
}

func callsSessions(site: Resource, saved: Data, queue: DispatchQueue) async throws {
    REST.setRules { $0.timeout = .seconds(10) }
    let session = Resource("https://api.example.com") { $0.authorizers = [.basic(user: "ada", password: "...")] }
    session.call(.get).start(on: queue) { result in print(result) }
    session.setRules {
        $0.timeout = .seconds(20)
        $0.retry = RetryPolicy(limit: 3)
        $0.retry?.backoff = RetryBackoff(base: .seconds(3), cap: .seconds(3))
        $0.retry?.decide = { question in question.status == .accepted ? .again(after: .seconds(1)) : .proposed }
    }
    let article = session["article"].with { $0.retry = .solicited }
    print(article)
    session.setRules {
        $0.acceptableStatuses = .successful.union([.notFound])
        $0.authorizers.append(.basic(user: "ada", password: "...", whenAsked: true))
        $0.authorizers.append(.digest(user: "ada", password: "..."))
        $0.headers["X-Install"] = "4711"
    }
    let archive = session.preservedState().archived()
    print(archive)
    session.restore(try PreservedState(archived: saved))
    session.restore(try PreservedState(propertyList: saved))
    session.cancelAll()
    await session.shutdown(.immediate)
    await session.shutdown(.graceful)
    for await count in RequestActivity.counts { print(count > 0) }
}

func callsServicesAndMapping(profile: String, json: JSON, map: FieldMap) async throws {
    let service = Service(try ServiceDescription(contentsOfFile: profile), transport: DefaultTransport.shared)
    print(service.definition.verify())
    _ = try await service.call("user", ["login": "ada"]).send()
    let call = service.call("user", ["login": "ada"])
    var search = call
    search.key = .replacing("user")
    search.key = .joining("user")
    let test = service.at("http://127.0.0.1:8081")
    print(search, test)
    _ = try URITemplate(parsing: "users/{login}").expand(["login": "ada"])
    _ = try map.decode(Post.self, from: json)
}
