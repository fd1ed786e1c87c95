// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTesting

/// A whole API as one value: the blog's, described, called by name and by types.
struct Services {
    let url: String

    private struct Blog: ServiceEndpoints {
        var service: ServiceDescription {
            var service = ServiceDescription("Blog")
            service.errors = .members("error")
            return service
        }
        let posts = Endpoint<[Post]>(.get, "posts")
        let post = Endpoint<Int, Post>(.get, "posts/{id}")
        let names = Endpoint<String, [String]>(.get, "users/{name}/posts")
    }

    func visit(_ guide: inout TourGuide) async {
        guide.chapter("Services")
        await templates(&guide)
        await described(&guide)
        await documented(&guide)
        await typed(&guide)
    }

    private func templates(_ guide: inout TourGuide) async {
        await guide.step(
            "A URI template has variables",
            "try URITemplate(parsing: \"users/{login}/repos{?type,page}\").expand([\"login\": \"Ada L.\", \"page\": 2])"
        ) {
            let text = try URITemplate(parsing: "users/{login}/repos{?type,page}").expand([
                "login": "Ada L.", "page": 2,
            ])
            try promise(text == "users/Ada%20L./repos?page=2", text)
            return text
        }
        await guide.step(
            "A value stays in its place",
            "site.child(template: \"users/{name}/posts\", [\"name\": \"../admin?x\"])"
        ) {
            let site = Resource(url)
            let names = try await site.child(template: "users/{name}/posts", ["name": "../admin?x"]).get(
                as: [String].self
            )
            try promise(names == ["../admin?x"], "\(names)")
            return "\(try await failure { try await site.child(template: "posts/{id}", ["id": ".."]).get() })"
        }
    }

    private func described(_ guide: inout TourGuide) async {
        await guide.step(
            "A description is read from a file, and called by name",
            "let blog = Service(try ServiceDescription(json: text))\ntry await blog.call(\"post\", [\"id\": 2], as: Post.self)"
        ) {
            let text = """
                {"BaseURL": "\(url)", "Resources": [{"Name": "post", "URITemplate": "/posts/{id}"}]}
                """
            let blog = Service(try ServiceDescription(json: text.utf8, named: "Blog"))
            let post = try await blog.call("post", ["id": 2], as: Post.self)
            try promise(post.id == 2, "\(post)")
            return post.title
        }
        await guide.step(
            "A problem in a description is reported with its place",
            "ServiceDescription(\"Blog\", at: url, endpoints: [...]).verify()"
        ) {
            let endpoints = [
                EndpointDescription("post", template: "posts/{id"), EndpointDescription("post", template: "posts/../x"),
            ]
            let problems = ServiceDescription("Blog", at: url, endpoints: endpoints).verify()
            try promise(problems.count == 3, "\(problems)")
            return problems.map(\.description).joined(separator: "\n")
        }
        await guide.step(
            "A call that doesn't fit throws before anything is sent",
            "try await blog.call(\"post\", [\"ID\": 2])"
        ) {
            let endpoints = [EndpointDescription("post", template: "posts/{id}")]
            let blog = Service(ServiceDescription("Blog", at: url, endpoints: endpoints))
            return "\(try await failure { try await blog.call("post", ["ID": 2]) })"
        }
    }

    private func documented(_ guide: inout TourGuide) async {
        let url = url
        await guide.step(
            "An OpenAPI document is read, and its operations are called by name",
            """
            let text = try await Resource(url)["openapi.json"].get(as: JSON.self)
            let document = try OpenAPIDocument(text, from: "\(url)/openapi.json")
            let blog = Service(document.service)
            try await blog.call("get_post", ["id": 2], as: Post.self)
            """
        ) {
            let text = try await Resource(url)["openapi.json"].get(as: JSON.self)
            let document = try OpenAPIDocument(text, from: "\(url)/openapi.json")
            let blog = Service(document.service)
            let post = try await blog.call("get_post", ["id": 2], as: Post.self)
            let gaps = document.gaps.map(\.description)
            try promise(post.id == 2 && gaps.count == 1, "\(post) \(gaps)")
            return "\(document.service)\n\(post.title)\nleft out: \(gaps[0])"
        }
        await guide.step(
            "A call's copy asks for the next page",
            """
            var call: EndpointCall? = blog.prepare("list_posts", ["limit": 2])
            while let current = call {
                let response = try await current.send()
                call = try current.nextPage(after: response)
            }
            """
        ) {
            let text = try await Resource(url)["openapi.json"].get(as: JSON.self)
            var description = try OpenAPIDocument(text, from: url).service
            description["list_posts"]?.paging = .offset()
            let blog = Service(description)
            var call: EndpointCall? = blog.prepare("list_posts", ["limit": 2])
            var counts: [Int] = []
            while let current = call {
                let response = try await current.send()
                counts.append(try response.json().array?.count ?? 0)
                call = try current.nextPage(after: response)
            }
            try promise(counts.count > 1 && counts.last == 0, "\(counts)")
            return "pages of \(counts)"
        }
    }

    private func typed(_ guide: inout TourGuide) async {
        let blog = ServiceClient(Blog(), on: Resource(url))
        await guide.step(
            "Endpoints are properties with types",
            "struct Blog: ServiceEndpoints {\n    let post = Endpoint<Int, Post>(.get, \"posts/{id}\")\n}\ntry await blog.post(2)"
        ) {
            let post = try await blog.post(2)
            let names = try await blog.names("ada")
            try promise(post.id == 2 && names == ["ada"], "\(post) \(names)")
            return post.title
        }
        await guide.step(
            "A test answers an endpoint with a fixture",
            "try blog.stub(\\.post, with: .json([\"id\": 7, \"title\": \"Not from the server\"]))"
        ) {
            let quiet = ServiceClient(Blog(), on: Resource(url))
            try quiet.stub(\.post, with: .json(["id": 7, "title": "Not from the server"] as JSON))
            let post = try await quiet.post(99)
            try promise(post.id == 7, "\(post)")
            return post.title
        }
    }
}
