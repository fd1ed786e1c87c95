// SPDX-License-Identifier: Apache-2.0

extension WrongProgram {
    /// Lines with names of other libraries, whose messages name the remedy.
    static let guesses = [
        WrongProgram("getPositional", "_ = try await posts.get(Post.self)", says: "get(as: Post.self)"),
        WrongProgram("getAnyJSON", "_ = try await posts.get(as: [String: Any].self)", says: "get(as: JSON.self)"),
        WrongProgram("getWithClosure", "posts.get(as: Post.self) { p in print(p) }", says: "a verb takes no closure"),
        WrongProgram("getParameters", #"_ = try await posts.get(parameters: ["a": 1])"#, says: "get(query:"),
        WrongProgram("getTimeout", "_ = try await posts.get(timeout: .seconds(3))", says: "a time limit is a setting"),
        WrongProgram(
            "mixedBody",
            #"_ = try await posts.post(body: ["a": "b", "c": 1])"#,
            says: "a literal without a label"
        ),
        WrongProgram(
            "multipartLabel",
            "_ = try await posts.post(multipart: MultipartForm())",
            says: ".multipart(form)"
        ),
        WrongProgram("uploadFile", #"_ = try await posts.upload(file: "a.txt")"#, says: "put(.file(path))"),
        WrongProgram(
            "requestPath",
            #"_ = try await site.request("posts", method: .get)"#,
            says: "use a verb to send a request"
        ),
        WrongProgram("sendMethod", "_ = try await site.send(.get)", says: "call(method).send()"),
        WrongProgram("child", #"_ = site.child("posts")"#, says: "use a subscript for a child"),
        WrongProgram("twoSubscripts", #"_ = site["posts", 4]"#, says: "one subscript for each part"),
        WrongProgram("slash", #"_ = site / "posts""#, says: "use a subscript for a child"),
        WrongProgram("timeoutOfACall", "var call = posts.call(.get); call.timeout = .seconds(5)", says: "call.with {"),
        WrongProgram("memoryCache", "site.setRules { $0.cache = .memory() }", says: "import CumulusCache"),
        WrongProgram("bearerToken", #"site.setRules { $0.bearerToken = "t" }"#, says: "authorizers = [.bearer(token)]"),
        WrongProgram("userAgent", #"site.setRules { $0.userAgent = "x" }"#, says: "headers[.userAgent]"),
        WrongProgram("retries", "site.setRules { $0.retries = 3 }", says: "retry?.limit"),
        WrongProgram("neverRedirects", "site.setRules { $0.redirects = .never }", says: ".none"),
        WrongProgram(
            "perSecond",
            "site.setRules { $0.rateLimit = .perSecond(10) }",
            says: ".requests(10, per: .seconds(1))"
        ),
        WrongProgram(
            "settingsAsRules",
            "func hub(_ s: inout Resource.Settings) {}; site.setRules(hub)",
            says: "change(&$0.settings)"
        ),
        WrongProgram("isSuccess", "let r = try await posts.get(); print(r.isSuccess)", says: "isSuccessful"),
        WrongProgram("body", "let r = try await posts.get(); print(r.body)", says: "`bytes`, `data` or `text`"),
        WrongProgram(
            "errorStatus",
            "do { _ = try await posts.get() } catch let e as CumulusError { print(e.status) }",
            says: "statusCode"
        ),
        // After a child, the compiler tries the subscripts of settings, too.
        WrongProgram(
            "closureAfterChild",
            #"site["posts"].call(.get).start { r in print(r.statusCode) }"#,
            says: "statusCode"
        ),
        WrongProgram("methodAfterChild", #"_ = site["posts"].call(.fetch)"#, says: "'fetch'"),
        WrongProgram(
            "mistypedPattern",
            "enum Mine { case one(Int) }; let mine = Mine.one(1); if case .three(let x) = mine { print(x) }",
            says: "'three'"
        ),
        WrongProgram(
            "stringTokens",
            #"site.setRules { $0.authorizers = [.bearer(for: "ada") { _ in "t" }] }"#,
            says: "import CumulusOAuth"
        ),
        WrongProgram("product", #"site.setRules { $0.userAgent = "x" }"#, says: "ClientIdentity(name:"),
        WrongProgram(
            "settingsForResource",
            "func hub(_ s: inout Resource.Settings) {}; _ = Resource(\"http://a\", hub)",
            says: "change(&$0.settings)"
        ),
        WrongProgram("method", #"_ = site.call("PURGE")"#, says: "HTTPRequest.Method"),
        WrongProgram(
            "putProgress",
            #"_ = try await site.put(.text("a"), onProgress: { p in print(p) })"#,
            says: "observe progress"
        ),
        WrongProgram("cancelScope", "site.cancelAll(in: RequestScope())", says: "scope.cancel()"),
        WrongProgram(
            "reconnection",
            "_ = site.events(reconnect: .never)",
            says: "call(.get).events(reconnect: .never)"
        ),
        WrongProgram("refusals", "site.setRules { $0.retry?.refusals = .range(500...599) }", says: "`statuses`"),
        WrongProgram("backoff", "site.setRules { $0.retry?.backoff = .exponential }", says: "RetryBackoff(base:"),
        WrongProgram("directive", "func next() -> RetryDirective { .stop }", says: "RetryChoice"),
        WrongProgram(
            "perIdentity",
            "site.setRules { $0.rateLimit = .quota.perIdentity }",
            says: "counts each user separately"
        ),
        WrongProgram("proxyLiteral", #"site.setRules { $0.proxy = "http://localhost:8080" }"#, says: "try .url("),
        WrongProgram("pagingLink", "let rule: PagingRule = .link; print(rule)", says: ".links"),
        WrongProgram("pagingCursor", #"_ = PagingRule.cursor("next")"#, says: ".cursor(at:"),
        WrongProgram("coderDates", "print(JSONCoder().dates as Any)", says: "decoding.dates"),
        WrongProgram("clientName", #"_ = ClientIdentity("App")"#, says: "ClientIdentity(name:"),
        WrongProgram(
            "notFound",
            "do { _ = try await posts.get() } catch CumulusError.notFound {}",
            says: "statusCode == 404"
        ),
        WrongProgram(
            "offline",
            "do { _ = try await posts.get() } catch CumulusError.Code.offline {}",
            says: ".unreachable"
        ),
        WrongProgram(
            "decodeEvent",
            "for try await e in site.events() { _ = try e.decode(as: Post.self) }",
            says: "events(as: Delta.self)"
        ),
        WrongProgram(
            "authorizationField",
            #"var h = Headers(); h.authorization = "a"; print(h)"#,
            says: "headers[.authorization]"
        ),
        WrongProgram("secretValue", #"print(Secret("a").value)"#, says: "revealed"),
        WrongProgram("keyInScope", #"_ = CallKey.replacing("x", in: RequestScope())"#, says: "scope.membership"),
    ]
}
