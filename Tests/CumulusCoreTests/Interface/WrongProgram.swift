// SPDX-License-Identifier: Apache-2.0

/// A line that a new user might write, and what the compiler must say of it.
struct WrongProgram: Sendable {
    let name: String
    let code: String
    /// A part of the message; it has to name what is wrong.
    let message: String

    init(_ name: String, _ code: String, says message: String) {
        self.name = name
        self.code = code
        self.message = message
    }

    /// The program as a file: its line within a function that has all that the lines speak of.
    var file: String {
        """
        import CumulusCore
        import Foundation
        import HTTPTypes
        func \(name)(site: Resource, posts: Resource, post: Post, plain: Plain, name: String) async throws {
        \(code)
        }
        """
    }

    private static let unavailable =
        "settings are written in `setRules { }` (this place and all below it, for everyone) or in `with { }`"

    /// What the programs share.
    static let declarations = """
        import CumulusCore
        struct Post: Codable, Sendable { var id: Int; var title: String }
        struct Plain { var id: Int }
        struct Passing: Sendable {
            func intercept(_ request: EncodedRequest, next: InterceptorChain) async throws -> TransportResponse {
                try await next(request)
            }
        }
        """

    static let all = [
        WrongProgram(
            "misspeltSetting",
            "site.timout = .seconds(20)",
            says: "'Resource' has no dynamic member 'timout'"
        ),
        WrongProgram("wrongValue", "site.timeout = 20", says: "cannot assign value of type 'Int' to type 'Duration'"),
        WrongProgram("misspeltRead", "let r = posts.response; _ = r", says: "has no dynamic member 'response'"),
        WrongProgram("misspeltVerb", "_ = try await posts.gett(as: Post.self)", says: "has no dynamic member 'gett'"),
        WrongProgram(
            "misspeltField",
            "site.setRules { $0.redirects.limt = 1 }",
            says: "'RedirectPolicy' has no member 'limt'"
        ),
        WrongProgram(
            "noImportForOAuth",
            """
            site.setRules {
                $0.authorizers = [.oauth2(.clientCredentials(id: "a", secret: "b"), tokens: "https://id.example/token")]
            }
            """,
            says: "type 'BoundAuthorizer' has no member 'oauth2'"
        ),
        WrongProgram(
            "noImportForAWS",
            "site.setRules { $0.authorizers = [.aws(.environment)] }",
            says: "type 'BoundAuthorizer' has no member 'aws'"
        ),
        WrongProgram(
            "misspeltInherit",
            #"site.setRules { $0.inherit(\.timout) }"#,
            says: "has no dynamic member 'timout'"
        ),
        WrongProgram(
            "misspeltExplain",
            #"print(site.explain(\.timout))"#,
            says: "has no dynamic member 'timout'"
        ),
        WrongProgram(
            "misspeltRule",
            "site.setRules { $0.timout = .seconds(3) }",
            says: "'Resource.Rules' has no dynamic member 'timout'"
        ),
        WrongProgram(
            "wrongRule",
            "site.setRules { $0.timeout = 3 }",
            says: "cannot assign value of type 'Int' to type 'Duration'"
        ),
        WrongProgram(
            "misspeltWith",
            "_ = try await site.with { $0.deadlin = .seconds(3) }.get()",
            says: "'Resource.Settings' has no member 'deadlin'"
        ),
        WrongProgram("onATemporary", #"site["audit"].retry = .never"#, says: unavailable),
        WrongProgram("onALet", "site.timeout = .seconds(20)", says: unavailable),
        WrongProgram("onAVar", "var mine = site; mine.timeout = .seconds(20)", says: unavailable),
        WrongProgram("nested", #"site["a"].headers["X"] = "b""#, says: unavailable),
        WrongProgram("chained", "site.retry?.limit = 1", says: unavailable),
        WrongProgram("appended", "site.interceptors.append(Passing().intercept)", says: unavailable),
        WrongProgram("credentials", #"site.credentials = Credentials(user: "a", password: "b")"#, says: unavailable),
        WrongProgram(
            "inOut",
            "func edit(_ query: inout Query) { query[\"a\"] = 1 }; edit(&site.query)",
            says: unavailable
        ),
        WrongProgram(
            "limitOfAValue",
            "_ = site.with { $0.maxConcurrentRequests = 3 }",
            says: "use `setRules { }`"
        ),
        WrongProgram("limitOnAResource", "site.maxConcurrentRequests = 3", says: "use `setRules { }`"),
        WrongProgram(
            "throwingRules",
            "site.setRules { $0.headers[\"X\"] = try String(contentsOfFile: \"a\", encoding: .utf8) }",
            says: "invalid conversion from throwing function"
        ),
        WrongProgram(
            "misspeltHeader",
            #"site.setRules { $0.headers[.acept] = "a" }"#,
            says: "'Headers.Name' has no member 'acept'"
        ),
        WrongProgram(
            "misspeltCode",
            "do { _ = try await posts.get() } catch let e as CumulusError where e.code == .timedOutt { _ = e }",
            says: "'CumulusError.Code' has no member 'timedOutt'"
        ),
        WrongProgram(
            "misspeltInHook",
            #"site.setRules { $0.preflights.append { draft in draft.headrs["a"] = "b" } }"#,
            says: "'RequestDraft' has no member 'headrs'"
        ),
        WrongProgram(
            "notDecodable",
            "_ = try await posts.get(as: Plain.self)",
            says: "requires that 'Plain' conform to 'Decodable'"
        ),
        WrongProgram(
            "notEncodable",
            "_ = try await posts.post(body: plain)",
            says: "requires that 'Plain' conform to 'Encodable'"
        ),
        WrongProgram(
            "noAwait",
            "let r = try posts.get(); _ = r",
            says: "'async' but is not marked with 'await'"
        ),
        WrongProgram("noTry", "let r = await posts.get(as: Post.self); _ = r", says: "not marked with 'try'"),
        WrongProgram("noSelf", "_ = try await posts.get(as: Post)", says: "after type name"),
        WrongProgram(
            "casted",
            "let r = try await posts.get() as Post; _ = r",
            says: "get(as: Post.self)"
        ),
        WrongProgram("pathInVariable", "let r = posts[name]; _ = r", says: "use [segment:] for one segment"),
        WrongProgram("wrongQuery", "_ = try await posts.get(query: 5)", says: "to expected argument type 'Query'"),
        WrongProgram(
            "wrongHeaderValue",
            "site.headers[.accept] = Post.self",
            says: "cannot assign value of type 'Post.Type'"
        ),
        WrongProgram(
            "wrongAuthorizer",
            #"site.authorizers.append("token")"#,
            says: "'String'"
        ),
        WrongProgram("readOnly", "site.parent = nil", says: "'parent' is a get-only property"),
        WrongProgram(
            "wrongTransport",
            #"let s = Resource("https://a.example", transport: "nio"); _ = s"#,
            says: "'String' does not conform to expected type 'Transport'"
        ),
        WrongProgram("wrongPlace", "let n: Int? = site.url; _ = n", says: "'URL?'"),
        WrongProgram(
            "wrongStatuses",
            #"site.acceptableStatuses = "x""#,
            says: "cannot assign value of type 'String' to type 'StatusSet'"
        ),
        WrongProgram(
            "wrongFile",
            "_ = try await site.put(.file(5))",
            says: "requires that 'Int' conform to 'Locator'"
        ),
        WrongProgram(
            "dictionaryAsQuery",
            "let d: [String: String] = [:]; _ = try await posts.get(query: d)",
            says: "cannot convert value of type '[String : String]' to expected argument type 'Query'"
        ),
        WrongProgram(
            "plainMember",
            #"_ = try await posts.post(["p": plain, "n": 1])"#,
            says: "cannot convert value of type 'Plain'"
        ),
        WrongProgram(
            "mixedWithinMixed",
            #"_ = try await posts.post(["u": ["a": "b", "n": 1]])"#,
            says: "cannot convert value of type '[String : Any]' to expected dictionary value type"
        ),
        WrongProgram(
            "valueWithoutLabel",
            "_ = try await posts.post(post, as: Post.self)",
            says: "pass the value with a label: `post(body: value)`"
        ),
        WrongProgram("callWithoutLabel", "_ = posts.call(.post, post)", says: "`call(method, body: value)`"),
        WrongProgram(
            "typedCallWithoutLabel",
            "_ = posts.call(.post, post, as: Post.self)",
            says: "`call(method, body: value)`"
        ),
        WrongProgram("putWithoutLabel", "_ = try await posts.put(post)", says: "`put(body: value)`"),
        WrongProgram(
            "closureOnAVerb",
            "posts.get { r in print(r) }",
            says: "this takes no closure: `try await get()`, or `call(.get).start { }`"
        ),
        WrongProgram("closureWithoutArgument", "_ = try await posts.delete { print(1) }", says: "takes no closure"),
        WrongProgram("closureBehindAQuery", #"posts.get(query: ["a": 1]) { r in print(r) }"#, says: "takes no closure"),
        WrongProgram("closureBehindAPayload", #"posts.post(["a": 1]) { r in print(r) }"#, says: "takes no closure"),
        WrongProgram("closureForAStatus", "posts.get { print($0.status) }", says: "takes no closure"),
        WrongProgram("closureForAWrite", "posts.post { r in print(r) }", says: "takes no closure"),
        WrongProgram(
            "pathInAVerb",
            #"_ = try await site.get("posts")"#,
            says: #"put the path in the resource: `site["posts"].get()`"#
        ),
        WrongProgram(
            "pathInATypedVerb",
            #"_ = try await site.get("posts", as: Post.self)"#,
            says: #"`site["posts"].get(as: Type.self)`"#
        ),
        WrongProgram("pathVariableInAVerb", "_ = try await site.delete(name)", says: #"`site["posts"].delete()`"#),
        WrongProgram("pathAndClosure", #"site.get("posts") { r in print(r) }"#, says: "put the path in the resource"),
        WrongProgram(
            "queryWithoutLabel",
            #"_ = try await site.get(["a": 1])"#,
            says: #"pass query items with a label: `get(query: ["page": 1])`"#
        ),
        WrongProgram("closureBehindABody", "posts.post(body: post) { r in print(r) }", says: "takes no closure"),
        WrongProgram(
            "closureBehindAnAwaitedBody",
            "_ = try await posts.put(body: post, as: Post.self) { r in print(r) }",
            says: "extra trailing closure passed in call"
        ),
        WrongProgram(
            "changedConstantCall",
            "let call = posts.call(.get); call.query[\"a\"] = 1",
            says: "'call' is a 'let' constant"
        ),
        WrongProgram(
            "streamOfAValue",
            "_ = try await posts.call(.get, as: Post.self).stream()",
            says: "requires the types 'Post' and 'Response' be equivalent"
        ),
        WrongProgram(
            "loopOverACall",
            "for try await piece in posts.call(.get) { print(piece) }",
            says: "requires 'Call<Response>' to conform to 'AsyncSequence'"
        ),
        WrongProgram(
            "waitInAsyncCode",
            "_ = try posts.call(.get).wait()",
            says: "use `try await send()`"
        ),
        WrongProgram("queryOfAVerb", #"_ = try await site.get(["a": 1])"#, says: "get(query:"),
        WrongProgram("request", "site.request(.get)", says: "call(.get)"),
        WrongProgram("send", "_ = try await site.send()", says: "try await get()"),
        WrongProgram("stream", "_ = try await site.stream()", says: "call(.get).stream()"),
        WrongProgram("upload", #"_ = try await site.upload("a.txt")"#, says: "put(.file(path))"),
        WrongProgram("appending", #"_ = site.appending(path: "posts")"#, says: #"site["posts"]"#),
        WrongProgram(
            "threeArguments",
            "site.get { data, response, error in print(data as Any, response as Any, error as Any) }",
            says: "this takes no closure"
        ),
        WrongProgram("jsonValue", "_ = try await posts.post(json: post)", says: "post(body: value)"),
        WrongProgram("formLabel", #"_ = try await posts.post(form: ["a": 1])"#, says: ".form("),
        WrongProgram("collectedPages", "_ = try await posts.pages(of: Post.self).collect()", says: "reduce(into: [])"),
        WrongProgram("noImportForCache", "site.setRules { $0.cache = nil }", says: "import CumulusCache"),
        WrongProgram(
            "noImportForTokens",
            #"site.setRules { $0.authorizers = [.bearer(for: "ada") { latest in "token" }] }"#,
            says: "import CumulusOAuth"
        ),
    ]
}
