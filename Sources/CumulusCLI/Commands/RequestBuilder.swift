// SPDX-License-Identifier: Apache-2.0

import CumulusCache
import CumulusCore
import CumulusOAuth
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Turns a plan into a request of the library.
struct RequestBuilder {
    /// A request that is ready to be sent.
    struct Draft {
        let resource: Resource
        let method: HTTPRequest.Method
        let payload: Payload
        let query: Query
        let headers: Headers

        var call: Call<Response> { resource.call(method, payload, query: query, headers: headers) }

        /// The request as a command for curl; nothing is sent.
        func curl(_ plan: Plan) async throws -> (text: String, isComplete: Bool) {
            let isOpen = plan.output.showsSecrets
            let limit = isOpen ? Int.max : 65_536
            return try await call.curl(includingSecrets: isOpen, bodyLimit: limit, adding: CurlAdditions(plan))
        }

        /// Sends the request, and returns any response; the observer gets the progress of the request's body.
        func open(progress: (@Sendable (TransferProgress) -> Void)? = nil) async throws -> ResponseStream {
            guard let progress else { return try await call.stream(anyStatus: true) }
            return try await call.with { settings in
                settings.observers.append(.progress { if $0.direction == .sending { progress($0) } })
            }.stream(anyStatus: true)
        }
    }

    /// The use of the response's body.
    enum Use {
        /// It is written as it arrives.
        case output
        /// It becomes a file, which can be resumed; one of several if it belongs to a list.
        case download(isListed: Bool)
    }

    private let plan: Plan
    private let console: Console
    private let renewals: RenewalWatch
    private let use: Use

    init(_ plan: Plan, console: Console, renewals: RenewalWatch, for use: Use = .output) {
        self.plan = plan
        self.console = console
        self.renewals = renewals
        self.use = use
    }

    /// Builds the request; reads standard input if it is the body.
    ///
    /// The settings of `base` are shared with everything that is built beneath it.
    func build(over transport: any Transport, beneath base: Resource? = nil) async throws -> Draft {
        let payload = compressed(try await payload())
        let name = plan.method(hasBody: payload != nil)
        guard let method = HTTPRequest.Method(rawValue: name) else {
            throw UsageMistake("\(quoted(name)) is not a method")
        }
        var headers = plan.headers
        if payload == nil, plan.inheritsContentType { headers.inherit(.contentType) }
        // As in HTTPie, unless the command line sets it.
        if !says(.accept) { headers[.accept] = plan.acceptsJSON ? "application/json, */*;q=0.5" : "*/*" }
        return Draft(
            resource: try await resource(over: transport, beneath: base),
            method: method,
            payload: payload ?? .none,
            query: query(),
            headers: headers
        )
    }

    private func compressed(_ payload: Payload?) -> Payload? {
        guard let compression = plan.compression else { return payload }
        return payload?.compressed(by: .gzip, keepingSmaller: compression == .ifSmaller)
    }

    /// The jar, which warns of cookies that a response loses to its limits.
    ///
    /// Without a file the cookies end with the call, but a redirect that sets one is followed with it. What belongs to
    /// such cookies could not be stored for another call.
    private var cookies: CookieJar? {
        let jar = plan.cookies ?? (plan.cacheFolder == nil ? CookieJar() : nil)
        jar?.reportLosses { [console] count, request in
            let cookies = count == 1 ? "1 cookie was" : "\(count) cookies were"
            console.note(
                "cumulus: warning: \(cookies) dropped after the response from \(request.redactedURL): "
                    + "the limits are 4,096 bytes per cookie, 180 cookies per response or site, and 3,000 in all"
            )
        }
        return jar
    }

    /// The cache; none for a request that is only shown, and must not be answered.
    private var cache: ResponseCache? {
        guard let folder = plan.cacheFolder, !plan.isOffline, !plan.isCurl else { return nil }
        return .disk(folder, logger: NoteLog.logger(console, isSilent: plan.output.isSilent))
    }

    private func resource(over transport: any Transport, beneath base: Resource?) async throws -> Resource {
        let login = try await login()
        let root: Resource
        switch plan.target {
        case .absolute(let url), .child(let url, _):
            root = base.map { Resource(url.description, over: $0) } ?? Resource(url, transport: transport)
        }
        root.setRules {
            if base == nil { ($0.rateLimit, $0.clock) = (plan.rateLimit, console.clock) }
            if let bandwidth = plan.bandwidth { $0.bandwidth = bandwidth }
        }
        let site = root.with { settings in
            settings.redirects = RedirectPolicy(limit: plan.maximumRedirects)
            settings.trailingSlash = .kept
            settings.cookies = cookies
            settings.cache = cache
            settings.httpVersion = plan.httpVersion
            settings.proxy = plan.proxy
            settings.allowedAddresses = plan.allowedAddresses
            if let codings = plan.codings { settings.contentCodings = codings }
            settings.deadline = plan.deadline
            if let retry = plan.retry { settings.retry = retry }
            settings.idempotencyKey = plan.addsIdempotencyKey ? .auto : nil
            let retries = plan.retry != nil && plan.retry?.limit != 0
            if plan.explains || retries && !plan.output.isSilent {
                let notes = AttemptNotes(console: console, isDetailed: plan.explains, retries: retries, use: use)
                settings.observers.append(notes.observe)
            }
            if let timeout = plan.timeout {
                let limit = timeout == .zero ? nil : timeout
                settings.timeout = limit
                settings.connectTimeout = limit
                settings.poolTimeout = limit
            }
            if let rate = plan.minimumRate { settings.minimumRate = rate }
            switch plan.identity {
            case .basic(let user, let password?) where plan.asksAgain:
                settings.authorizers = TypedPassword(user: user, password: password, console: console).basic
            case .digest(let user, let password?) where plan.asksAgain:
                settings.authorizers = TypedPassword(user: user, password: password, console: console).digest
            case .basic(let user, let password):
                settings.authorizers = [.basic(user: user, password: password ?? "")]
            case .digest(let user, let password):
                settings.authorizers = [.digest(user: user, password: password ?? "")]
            case .bearer(let token): settings.authorizers = [.bearer(token)]
            case .login: if let login { settings.authorizers = [login] }
            case .headerKey(let name, let key): settings.authorizers = [.apiKey(key, header: Headers.Name(name))]
            case .queryKey(let name, let key): settings.authorizers = [.apiKey(key, query: name)]
            case .aws(let identity): settings.authorizers = [identity.authorizer]
            case nil: break
            }
        }
        guard case .child(_, let path) = plan.target else { return site }
        // Checked like a path in source code: it can't leave the base.
        return site[ResourcePath(stringLiteral: path)]
    }

    /// The proof of a login; if nothing is sent, the token as it is stored.
    private func login() async throws -> BoundAuthorizer? {
        guard case .login(let login, let folder) = plan.identity else { return nil }
        let store = folder.store(for: login.origin)
        if plan.isOffline || plan.isCurl { return try await store.token().map { .bearer($0.access) } }
        let authorizer = login.authorizer(store: WatchedTokenStore(store, renewals)) {
            [console, isSilent = plan.output.isSilent] event in
            guard case .notStored(let error) = event, !isSilent else { return }
            console.note("cumulus: warning: \(RequestBuilder.loss(of: login, error))")
        }
        return .custom(authorizer)
    }

    /// The notice of a token that could not be stored.
    private static func loss(of login: SavedLogin, _ error: any Error) -> String {
        // Other errors' descriptions are for programmers.
        let reason = (error as? FileProblem)?.description ?? "an unknown error occurred"
        return "the new token for \(login.origin) was not saved: \(reason); if the server rejects the next request, "
            + "sign in again: cumulus login \(login.origin)"
    }

    private func query() -> Query {
        var query = Query(parsing: plan.urlQuery ?? "")
        for item in plan.queryItems { query.add(item.value, for: item.name) }
        return query
    }

    private func payload() async throws -> Payload? {
        let isNamed = says(.contentType)
        switch plan.body {
        case .none: return nil
        case .json(let value): return .bytes(value.encoded(), type: isNamed ? nil : .json)
        case .form(let items):
            let query = Query(items.map { ($0.name, $0.value) })
            return .bytes(Array((query.encoded() ?? "").utf8), type: isNamed ? nil : BodyType.form)
        case .multipart(let parts, let boundary):
            var form = MultipartForm()
            form.boundary = boundary
            for part in parts { form.append(RequestBuilder.part(part.content), name: part.name) }
            return .multipart(form)
        case .raw(let text):
            let bytes = Array(text.utf8)
            return .bytes(bytes, type: isNamed ? nil : plan.isForm ? BodyType.form : BodyType.guess(bytes))
        case .held(let bytes):
            return .bytes(bytes, type: isNamed ? nil : plan.isForm ? BodyType.form : BodyType.guess(bytes))
        case .file(let path): return .file(URL(filePath: path, directoryHint: .notDirectory))
        case .uploadedInput:
            let input = InputBody(console, heldLimit: InputBody.uploadLimit)
            // An upload is bytes unless it has a type.
            let payload = try await input.payload(isForm: false, isNamed: true)
            return payload ?? .bytes([])
        case .input: return try await InputBody(console).payload(isForm: plan.isForm, isNamed: isNamed)
        }
    }

    private static func part(_ content: FormPart.Content) -> MultipartPart {
        switch content {
        case .text(let text): .text(text)
        case .typed(let text, let type): .text(text, type: type)
        case .file(let file): .file(file.path, fileName: file.fileName, type: file.type)
        // Without a name, servers would take it for text.
        case .input(let bytes, let file): .bytes(bytes, fileName: file.fileName ?? file.path, type: file.type)
        }
    }

    /// Whether the command line sets or masks a header.
    private func says(_ name: Headers.Name) -> Bool { plan.headerNames.contains(name) }
}
