// SPDX-License-Identifier: Apache-2.0

import CumulusCodings
import CumulusCore
import CumulusPrimitives

/// Interprets the words and options of a command line.
struct PlanParser {
    /// The words of a command line by their roles.
    typealias Words = (method: String?, url: String, items: ArraySlice<String>)

    let arguments: Arguments
    let surroundings: Surroundings
    let base: String?
    /// Whether the base is the configuration's.
    let baseIsConfigured: Bool
    /// Whether unsent standard input is looked for; otherwise the caller does it, or has done it.
    var checksInput = true
    /// The configuration that completes the command line; `nil` once it has been applied.
    private let configuration: Result<Configuration, UsageMistake>?

    init(_ arguments: Arguments, in surroundings: Surroundings) {
        var configuration = Result<Configuration, UsageMistake>.success(Configuration())
        if !arguments.noConfig {
            configuration = Result { () throws(UsageMistake) in try ConfigurationLookup(surroundings).configuration() }
        }
        self.init(arguments, in: surroundings, filledBy: configuration)
    }

    init(
        _ arguments: Arguments,
        in surroundings: Surroundings,
        filledBy configuration: Result<Configuration, UsageMistake>?
    ) {
        self.arguments = arguments
        self.surroundings = surroundings
        self.configuration = configuration
        let inherited = surroundings.environment["CUMULUS_BASE"].flatMap { $0.isEmpty ? nil : $0 }
        // Its mistakes are reported when the plan is made.
        let configured = try? configuration?.get().base(profile: arguments.profile)
        // An empty one means none, regardless of the environment.
        base = (arguments.base ?? inherited ?? configured).flatMap { $0.isEmpty ? nil : $0 }
        baseIsConfigured = base != nil && arguments.base == nil && inherited == nil
    }

    /// The plans, one for each URL; all have the same items.
    ///
    /// - Throws: ``UsageMistake`` for the first mistake.
    func plans() throws(UsageMistake) -> [Plan] {
        try withNotice { () throws(UsageMistake) in try allPlans() }
    }

    private func allPlans() throws(UsageMistake) -> [Plan] {
        try refuseURLAsUser()
        let words = try WordParser(arguments, hasBase: base != nil).parsed()
        if words.urls.count > 1, let file = arguments.output, file != "-" {
            throw UsageMistake(
                "--output is for one file, but there are \(words.urls.count) URLs, "
                    + UsageMistake.list(words.urls.prefix(3).map(quotedURL), joinedBy: "and"),
                hint: "a file name with a space needs quotes; cumulus download saves each URL under its own name"
            )
        }
        if words.urls.count > 1, arguments.until != nil || arguments.watch != nil {
            throw UsageMistake("\(arguments.until == nil ? "--watch" : "--until") takes one URL")
        }
        var plans: [Plan] = []
        for url in words.urls {
            var parser = self
            // Silent input is waited for once.
            parser.checksInput = checksInput && !plans.contains(where: \.leavesInputOpen)
            plans.append(try parser.plan((words.method, url, words.items[...])))
        }
        return plans
    }

    /// Refuses `-a :3000/path ada:secret`, where the URL became the credentials.
    private func refuseURLAsUser() throws(UsageMistake) {
        guard let text = arguments.auth else { return }
        // A secret may look like that too; then the URL is a word.
        let isMissing = arguments.words.first.map { $0.has(anyOf: ":") && !URLShorthand.isAnotherURL($0) } ?? true
        guard isMissing, URLShorthand.hasScheme(text) || text.begins(with: ":") && URLShorthand.isAnotherURL(text)
        else {
            return
        }
        throw UsageMistake(
            "the value of --auth is a URL",
            hint: "write -a USER:PASSWORD URL, or -A bearer -a TOKEN URL"
        )
    }

    /// The plan of a command with words of its own, whose items can't be data: `use` says why, `hint` what was probably
    /// meant.
    func plan(_ words: Words, use: String, hint: String) throws(UsageMistake) -> Plan {
        for word in words.items {
            if URLShorthand.isAnotherURL(word) {
                throw UsageMistake("there is a second URL, \(quotedURL(word)), but this command takes only one")
            }
        }
        for item in try ItemSplit(words.items, arguments).items() {
            if item.kind.isData {
                let name = quoted(item.name + item.kind.rawValue)
                let shown = arguments.mayContinueSecret ? "an item" : "the item \(name)"
                throw UsageMistake("\(shown) is data, but \(use)", hint: hint)
            }
        }
        return try plan(words)
    }

    /// Adds to a mistake what is known about the configuration, which may have been meant to prevent it.
    private func withNotice<Result>(_ parse: () throws(UsageMistake) -> Result) throws(UsageMistake) -> Result {
        // Before words are judged by a base: a profile that doesn't exist has none.
        let configuration = try configuration?.get()
        do {
            if let profile = arguments.profile { _ = try configuration?.block(for: nil, profile: profile) }
            return try parse()
        } catch {
            var mistake = error
            mistake.notice = mistake.notice ?? configuration?.notice
            throw mistake
        }
    }

    private func plan(_ words: Words) throws(UsageMistake) -> Plan {
        try withNotice { () throws(UsageMistake) in try noticedPlan(words) }
    }

    private func noticedPlan(_ words: Words) throws(UsageMistake) -> Plan {
        var plan: Plan
        if let configuration = try configuration?.get() {
            plan = try self.plan(words, filledBy: configuration)
        } else {
            plan = try filledPlan(words)
        }
        try refuseUnprintedForm(plan)
        if checksInput {
            let items = try ItemSplit(words.items, arguments).items()
            try UnsentInput(arguments, items, in: surroundings).check(&plan)
        }
        return plan
    }

    /// Refuses the command line's `--as` where no body is printed; a configuration's has no effect there.
    private func refuseUnprintedForm(_ plan: Plan) throws(UsageMistake) {
        guard arguments.as != nil, plan.output.file == nil, !plan.output.parts.contains(.responseBody),
            !plan.isOffline, !plan.isCurl
        else { return }
        throw UsageMistake("--as needs the body, which is not printed", hint: "-p hb prints headers and body")
    }

    func filledPlan(_ words: Words) throws(UsageMistake) -> Plan {
        var items = try ItemSplit(words.items, arguments).items()
        let isForm = arguments.form || arguments.multipart
        let file = try BodyFileItem(takenFrom: &items, isForm: isForm, readFile: surroundings.readFile)
        try refuseSharedInput(file, items)
        let form: ItemCollection.DataForm = arguments.multipart ? .parts : isForm ? .form : .json
        let collection = try ItemCollection(items, as: form, readFile: surroundings.readFile)
        let doubtful = items.compactMap(\.doubt)
        let place = try place(words.url)
        let redirects = arguments.maxRedirects ?? (arguments.noFollow ? 0 : 20)
        let output = try OutputParser(arguments, in: surroundings).plan(of: words.method)
        var plan = Plan(target: place.target, maximumRedirects: redirects, output: output)
        plan.arguments = arguments
        plan.method = words.method?.uppercased()
        if !arguments.anyMethod { plan.meantMethod = words.method.flatMap { MethodName.meant(by: $0) } }
        (plan.urlQuery, plan.urlUser) = (place.query, place.user)
        plan.queryItems = collection.query
        plan.headers = collection.headers
        plan.headerNames = collection.headerNames
        plan.body = try body(collection, file, method: plan.method)
        plan.ignoresInput = arguments.ignoreStdin
        // Also if it turns out to be empty.
        if file?.isInput == true, plan.method == nil { plan.method = "POST" }
        if let type = file?.type, plan.headerNames.insert(.contentType).inserted {
            plan.headers[.contentType] = "\(type)"
        }
        plan.compression = arguments.compress > 1 ? .always : arguments.compress == 1 ? .ifSmaller : nil
        plan.notices += doubtful
        if arguments.compressed { plan.codings = codings(notices: &plan.notices) }
        plan.isForm = isForm
        plan.acceptsJSON = arguments.json || (!isForm && collection.hasData)
        try remember(&plan)
        let user = try user(place.user, of: words.url, besides: collection.headerNames)
        plan.identity = try identity(inURL: user, &plan)
        plan.output.secretName = plan.identity?.secretName
        plan.timeout = seconds(arguments.timeout)
        plan.deadline = seconds(arguments.maxTime).flatMap { $0 == .zero ? nil : $0 }
        // The server's response is shown as received, unless the command line says otherwise; a download differs.
        plan.retry = try RetryParser(arguments).policy() ?? RetryPolicy(limit: 0)
        plan.choosesRetry = arguments.retry != nil
        plan.addsIdempotencyKey = arguments.idempotencyKey
        plan.explains = arguments.explain
        plan.verification = try VerificationParser(arguments, in: surroundings).verification(of: place.target.origin)
        plan.route = try RouteParser(arguments, in: surroundings).route(to: plan.target.origin)
        plan.httpVersion = httpVersion
        plan.proxy = try ProxyParser(arguments, in: surroundings).policy(notices: &plan.notices)
        plan.allowedAddresses = try SafetyParser(arguments).addresses()
        if arguments.base == nil, let notice = base.flatMap({ WordParser.notice(of: words.url, below: $0) }) {
            plan.notices.append(notice)
        }
        plan.pages = try PagesParser(arguments, plan).pages()
        if plan.pages != nil { plan.acceptsJSON = true }
        plan.paging = try PagesParser(arguments, plan).rule()
        plan.repetition = try Repetition.of(arguments)
        chooseDelivery(of: &plan)
        addNotices(to: &plan, data: collection.firstData)
        return plan
    }

    /// Determines whether it is sent at all, and how.
    private func chooseDelivery(of plan: inout Plan) {
        plan.isChunked = arguments.chunked
        plan.isOffline = arguments.offline
        plan.isCurl = arguments.curl
        guard plan.isCurl else { return }
        plan.notices += CurlOptions.missing(arguments)
        plan.curlOptions = CurlOptions(arguments, of: plan, readFile: surroundings.readFile).words
    }

    /// Refuses standard input as the body and as a value, since it can be read only once.
    private func refuseSharedInput(_ file: BodyFileItem?, _ items: [RequestItem]) throws(UsageMistake) {
        guard file?.isInput == true, let other = items.first(where: \.readsInput) else { return }
        throw UsageMistake("standard input can't be both the body and the value of \(quoted(other.name))")
    }

    private func addNotices(to plan: inout Plan, data: RequestItem?) {
        if let method = plan.method, method == "GET" || method == "HEAD", let data {
            let name = data.name
            plan.notices.append(
                "\(method) with a body: \(quoted(name + data.kind.rawValue)) is data, \(name)== is a query item"
            )
        }
        if plan.verification == .none {
            plan.notices.append(
                "--verify=no: the server's certificate is NOT checked; anyone on the network path can read and change everything"
            )
        }
    }

    /// Adds the session's data, and the file of cookies.
    private func remember(_ plan: inout Plan) throws(UsageMistake) {
        let sessions = SessionLookup(arguments, in: surroundings)
        plan.session = try sessions.session(for: plan.target.origin)
        plan.cookieFile = try sessions.cookies(of: plan.session)
        if let folder = arguments.cache, folder != "off" {
            if folder.isEmpty { throw UsageMistake("--cache is empty") }
            plan.cacheFolder = surroundings.readFile.expanded(folder)
        }
        if let file = arguments.har {
            if file.isEmpty { throw UsageMistake("--har is empty", hint: "write --har FILE") }
            plan.recordingFile = surroundings.readFile.expanded(file)
        }
        plan.session?.lay(under: &plan.headers, &plan.headerNames)
    }

    /// Whether an argument is a path below a base that the command line doesn't name.
    func inheritsBase(_ argument: String) -> Bool {
        base != nil && arguments.base == nil && !URLShorthand.isWhole(argument)
    }

    /// The user of the URL; an item replaces one that the environment's base has.
    ///
    /// - Throws: ``UsageMistake`` if items and the command line's credentials set the same header field.
    private func user(
        _ user: Credentials?,
        of argument: String,
        besides items: Set<Headers.Name>
    ) throws(UsageMistake) -> Credentials? {
        if let field = IdentityParser.field(auth: arguments.auth, type: arguments.authType), items.contains(field) {
            throw UsageMistake(
                "the item \(quoted("\(field.text):")) and \(arguments.auth == nil ? "--auth-type" : "--auth") "
                    + "can't be combined: both set that header",
                hint: "omit one of them"
            )
        }
        guard user != nil, items.contains(.authorization) else { return user }
        if inheritsBase(argument) { return nil }
        throw UsageMistake(
            "the item 'Authorization:' and the user in the URL can't be combined: both set that header",
            hint: "omit one of them"
        )
    }

    private func identity(inURL user: Credentials?, _ plan: inout Plan) throws(UsageMistake) -> Plan.Identity? {
        let logins = LoginLookup(arguments, in: surroundings)
        if let login = try logins.demanded(for: plan.target.origin) {
            plan.identityStore = "the login"
            return login
        }
        let parser = IdentityParser(arguments, in: surroundings)
        if let identity = try parser.identity(inURL: user) {
            plan.session?.takesIdentity = true
            return identity
        }
        guard !plan.headerNames.contains(.authorization) else { return nil }
        plan.identityStore = "the session"
        if let identity = plan.session?.saved.identity { return identity }
        plan.identityStore = "the login"
        if let login = logins.saved(for: plan.target.origin, notices: &plan.notices) { return login }
        let entry = try parser.identity(inNetrcFor: plan.target.origin, notices: &plan.notices)
        plan.identityStore = entry == nil ? nil : "the netrc entry"
        plan.identityIsForAnyHost = entry?.isForAnyHost == true
        return entry?.identity
    }

    func place(
        _ argument: String
    ) throws(UsageMistake) -> (target: Plan.Target, query: String?, user: Credentials?) {
        let isWhole = URLShorthand.isWhole(argument)
        guard let base, !(isWhole && arguments.base == nil) else {
            let url = try URLShorthand(parsing: argument)
            return (.absolute(url.url), url.query, url.user)
        }
        if isWhole {
            throw UsageMistake(
                "with --base, the URL must be a path below the base",
                hint: "omit --base to use a complete URL"
            )
        }
        if argument.has(anyOf: "#") {
            throw UsageMistake("the path \(quotedURL(argument)) contains a #", hint: "write %23 for a # in a path")
        }
        let root: URLShorthand
        do throws(UsageMistake) {
            root = try URLShorthand(parsing: base)
        } catch {
            let source = arguments.base != nil ? "--base" : baseIsConfigured ? "the configuration's base" : nil
            throw UsageMistake("\(source ?? "CUMULUS_BASE"): \(error.reason)", hint: error.hint)
        }
        let (path, own) = argument.split(at: "?").map { ($0.before, Optional($0.behind)) } ?? (argument, nil)
        let query = [root.query, own].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "&")
        return (.child(base: root.url, path: path), query.isEmpty ? nil : query, root.user)
    }

    private func body(
        _ items: ItemCollection,
        _ file: BodyFileItem?,
        method: String?
    ) throws(UsageMistake) -> Plan.Body {
        if let file {
            if arguments.raw != nil { throw UsageMistake("--raw and a file can't both be the body") }
            return file.isInput ? .input : .file(path: file.path)
        }
        if let raw = arguments.raw {
            if let data = items.firstData {
                throw UsageMistake(
                    "--raw and the data item \(quoted(data.name)) can't both be the body",
                    hint: "write \(data.name)==text for a query item"
                )
            }
            return .raw(raw)
        }
        if arguments.multipart || items.hasFiles {
            guard items.hasData else {
                throw UsageMistake(
                    "--multipart needs data items",
                    hint: "write name=text or name@FILE"
                )
            }
            return .multipart(items.parts, boundary: arguments.boundary)
        }
        if arguments.boundary != nil {
            throw UsageMistake(
                "--boundary needs a multipart body",
                hint: "write --multipart, or -f with name@FILE"
            )
        }
        if items.hasData {
            if arguments.form { return .form(items.form) }
            return items.json.map(Plan.Body.json) ?? .none
        }
        // A URL alone may be within a loop that reads its list there.
        guard let method, !MethodName.leavesInputAlone(method) else { return .none }
        let hasInput = !surroundings.inputIsTerminal && !surroundings.inputIsClosed
        return hasInput && !arguments.ignoreStdin ? .input : .none
    }

    private func seconds(_ seconds: Double?) -> Duration? {
        guard let seconds else { return nil }
        // However short: zero would mean no limit.
        return seconds == 0 ? .zero : max(.seconds(seconds), .nanoseconds(1))
    }

    private var httpVersion: HTTPVersion {
        switch arguments.httpVersion {
        case "1.1": .http1
        case "2": .http2
        default: .automatic
        }
    }

    /// All content codings; with `--verbose`, a notice names each whose library is missing.
    private func codings(notices: inout [String]) -> [ContentCoding] {
        let all = [ContentCoding.zstd, .brotli, .gzip, .deflate]
        if arguments.verbose > 0 {
            for coding in all {
                if let missing = coding.missingLibrary {
                    notices.append("--compressed can't use \(coding.name): \(PeerText.printable(missing))")
                }
            }
        }
        return all
    }
}
