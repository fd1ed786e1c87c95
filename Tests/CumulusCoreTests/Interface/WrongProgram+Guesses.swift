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
            says: "a verb sends a request"
        ),
        WrongProgram("sendMethod", "_ = try await site.send(.get)", says: "call(method).send()"),
        WrongProgram("child", #"_ = site.child("posts")"#, says: "a child is a subscript"),
        WrongProgram("twoSubscripts", #"_ = site["posts", 4]"#, says: "one subscript for each part"),
        WrongProgram("slash", #"_ = site / "posts""#, says: "a child is a subscript"),
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
    ]
}
