// SPDX-License-Identifier: Apache-2.0

extension WrongProgram {
    /// Lines with names of other libraries, whose messages name the remedy.
    static let guesses = [
        WrongProgram("getPositional", "_ = try await posts.get(Post.self)", says: "get(as: Post.self)"),
        WrongProgram("getAnyJSON", "_ = try await posts.get(as: [String: Any].self)", says: "get(as: JSON.self)"),
        WrongProgram("getWithClosure", "posts.get(as: Post.self) { p in print(p) }", says: "this takes no closure"),
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

    /// More of them: bodies, coders, policies and errors.
    static let moreGuesses = [
        WrongProgram("getCachePolicy", "_ = try await posts.get(cachePolicy: .reload)", says: "is a setting"),
        WrongProgram(
            "downloadResume",
            #"_ = try await site.download(to: "/tmp/a", resume: true) { print($0.completed) }"#,
            says: "DownloadOptions(resume: true)"
        ),
        WrongProgram("path", "print(site.path)", says: "url?.path"),
        WrongProgram("webSocket", "_ = site.webSocket()", says: "not supported"),
        WrongProgram("fromCache", "print(try await posts.get().isFromCache)", says: "import CumulusCache"),
        WrongProgram(
            "valuesSuccess",
            "print(await RequestGroup().values(of: [posts.call(.get)]).isSuccess)",
            says: "isSuccessful"
        ),
        WrongProgram(
            "statusPattern",
            "do { _ = try await posts.get() } catch CumulusError.status(404) {}",
            says: "statusCode == 404"
        ),
        WrongProgram(
            "timeoutPattern",
            "do { _ = try await posts.get() } catch CumulusError.timeout {}",
            says: "CumulusError.Code.timeout"
        ),
        WrongProgram(
            "cancelledCode",
            "do { _ = try await posts.get() } catch let e as CumulusError where e.code == .cancelled { print(e) }",
            says: "catch is CancellationError"
        ),
        WrongProgram("jsonError", "site.setRules { $0.errorDecoders = [.json(Post.self)] }", says: ".decoding("),
        WrongProgram("maxRetries", "site.setRules { $0.maxRetries = 3 }", says: "retry?.limit"),
        WrongProgram("maxConnections", "site.setRules { $0.maxConnections = 3 }", says: "maxConcurrentRequests"),
        WrongProgram("compression", "site.setRules { $0.compression = .gzip }", says: ".compressed()"),
        WrongProgram("attempts", "site.setRules { $0.retry = .attempts(3) }", says: "RetryPolicy(limit: 2)"),
        WrongProgram(
            "backoffBase",
            "site.setRules { $0.retry?.backoff = .exponential(base: .seconds(1)) }",
            says: "RetryBackoff(base:"
        ),
        WrongProgram("perMinute", "site.setRules { $0.rateLimit = .perMinute(60) }", says: "per: .seconds(60)"),
        WrongProgram(
            "proxyHost",
            #"site.setRules { $0.proxy = .http(host: "localhost", port: 8080) }"#,
            says: "try .url("
        ),
        WrongProgram(
            "foundationPolicy",
            "site.setRules { $0.cachePolicy = .reloadIgnoringLocalCacheData }",
            says: "write `.reload`"
        ),
        WrongProgram(
            "keyHeader",
            #"site.setRules { $0.authorizers = [.header("X", "k")] }"#,
            says: ".apiKey(key, header:"
        ),
        WrongProgram(
            "multipartData",
            #"var form = MultipartForm(); form.append(Data(), name: "a", filename: "b.png"); print(form)"#,
            says: ".bytes(data, fileName:"
        ),
        WrongProgram(
            "multipartWithName",
            #"var form = MultipartForm(); form.append(Data(), withName: "a", mimeType: "image/png"); print(form)"#,
            says: ".bytes(data, fileName:"
        ),
        WrongProgram(
            "multipartFile",
            #"var form = MultipartForm(); form.append(file: "a.png", name: "a"); print(form)"#,
            says: ".file(path)"
        ),
        WrongProgram(
            "streamBytes",
            "for try await byte in try await posts.call(.get).stream().bytes { print(byte) }",
            says: "loop over the stream itself"
        ),
        WrongProgram(
            "typedLines",
            "for try await post in try await posts.call(.get).stream().lines(as: Post.self) { print(post) }",
            says: "jsonLines(as:"
        ),
        WrongProgram("foundationCoder", "_ = JSONCoder(JSONDecoder())", says: "set strategies"),
        WrongProgram(
            "foundationKeys",
            "site.setRules { $0.coders.json.keyDecodingStrategy = .convertFromSnakeCase }",
            says: "decoding.keys"
        ),
        WrongProgram(
            "foundationDates",
            "var coder = JSONCoder(); coder.dateDecodingStrategy = .iso8601; print(coder)",
            says: "decoding.dates"
        ),
        WrongProgram(
            "checksum",
            #"_ = try await site.download(to: "/tmp/a", options: DownloadOptions(checksum: .sha256("ab")))"#,
            says: "try Checksum(.sha256"
        ),
        WrongProgram("entityTag", "print(try await posts.get().headers[.etag] as Any)", says: ".eTag"),
    ]
}
