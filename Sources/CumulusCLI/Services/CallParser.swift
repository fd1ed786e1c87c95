// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import CumulusServices
import HTTPTypes

/// Interprets the words and options of `cumulus call`: the request that `cumulus` would send with them.
struct CallParser {
    private static let usage = "write cumulus call SERVICE ENDPOINT [ITEM ...]"

    private let arguments: Arguments
    private let surroundings: Surroundings

    init(_ arguments: Arguments, in surroundings: Surroundings) {
        self.arguments = arguments
        self.surroundings = surroundings
    }

    /// The plan.
    ///
    /// - Throws: ``UsageMistake`` for the first mistake.
    func plan() throws(UsageMistake) -> Plan {
        guard let name = arguments.words.first else {
            throw UsageMistake("missing service", hint: CallParser.usage)
        }
        let service = try ServiceLookup(surroundings, for: arguments).service(name).service
        guard arguments.words.count > 1 else {
            throw UsageMistake("missing endpoint", hint: CallParser.endpoints(of: service))
        }
        let endpoint = try CallParser.endpoint(arguments.words[1], of: service)
        var items = CallItems(endpoint, body: bodyFormat(endpoint, service), readFile: surroundings.readFile)
        try items.take(Array(arguments.words.dropFirst(2)), arguments)
        try checkBody(items, endpoint)
        let (request, isThirdParty) = try request(endpoint, of: service, items)
        var plan = try plan(for: request, endpoint, of: service, items)
        if plan.paging == nil { plan.paging = endpoint.paging ?? service.paging }
        try judge(&plan, endpoint.authorization ?? service.authorization, isThirdParty: isThirdParty)
        return plan
    }

    /// The endpoint with a name.
    static func endpoint(_ name: String, of service: ServiceDescription) throws(UsageMistake) -> EndpointDescription {
        if let endpoint = service[name] { return endpoint }
        // Names are also found in another style: add_order for addOrder.
        let plain = CallParser.plain(name)
        let found = service.endpoints.filter { CallParser.plain($0.name) == plain }
        if found.count == 1 { return found[0] }
        let similar = SimilarName.of(name, among: service.endpoints.map(\.name))
        throw UsageMistake(
            "\(service.name) has no endpoint \(quoted(name))",
            hint: similar.map { "did you mean \($0)?" } ?? endpoints(of: service)
        )
    }

    /// A name in lower case, without dashes and underscores.
    private static func plain(_ name: String) -> [UInt8] {
        name.lowercased().utf8.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }
    }

    private static func endpoints(of service: ServiceDescription) -> String {
        let names = service.endpoints.prefix(20).map(\.name).joined(separator: ", ")
        let rest = service.endpoints.count - 20
        return "endpoints: \(names)\(rest > 0 ? ", and \(rest) more: cumulus services show" : "")"
    }

    // MARK: The request

    private func checkBody(_ items: CallItems, _ endpoint: EndpointDescription) throws(UsageMistake) {
        if items.hasWholeBody || arguments.raw != nil { return }
        let missing = endpoint.parameters.filter { parameter in
            parameter.place == .body && parameter.isRequired && !items.bodyNames.contains(parameter.name)
                && parameter.defaultValue == nil
        }
        if missing.isEmpty { return }
        throw CallParser.missing(missing.map(\.name), endpoint)
    }

    private static func missing(_ names: [String], _ endpoint: EndpointDescription) -> UsageMistake {
        let given = names.map { quoted($0) }.joined(separator: ", ")
        let takes = CallItems.list(endpoint.parameterNames, of: endpoint)
        return UsageMistake("the endpoint \(quoted(endpoint.name)) needs \(given)", hint: "parameters: \(takes)")
    }

    /// The request without its body, and whether its server was not named by the user and is elsewhere.
    private func request(
        _ endpoint: EndpointDescription,
        of service: ServiceDescription,
        _ items: CallItems
    ) throws(UsageMistake) -> (request: EndpointRequest, isThirdParty: Bool) {
        var definition = service
        var bare = endpoint
        bare.parameters.removeAll { $0.place == .body }
        // The identity is determined with the options.
        (definition.authorization, bare.authorization) = (nil, nil)
        let (base, isThirdParty) = try server(of: service, endpoint)
        if let base { (bare.server, definition.servers) = (nil, [ServiceServer(base)]) }
        definition.endpoints = [bare]
        let called = Service(definition, transport: OfflineTransport())
        called.setRules { $0.trailingSlash = .kept }
        do {
            return (try called.request(bare.name, items.arguments), isThirdParty)
        } catch let error as CumulusError {
            guard let problem = error.cause as? EndpointProblem else { throw UsageMistake(error.message) }
            if case .missingParameters(let names) = problem { throw CallParser.missing(names, endpoint) }
            throw UsageMistake(
                "\(service.name), \(endpoint.name): \(problem)",
                hint: "cumulus services show \(arguments.words[0]) \(endpoint.name) lists its parameters"
            )
        } catch {
            throw UsageMistake("the request can't be made: \(error)")
        }
    }

    /// The base URL; `nil` if the endpoints' templates are whole URLs.
    private func server(
        of service: ServiceDescription,
        _ endpoint: EndpointDescription
    ) throws(UsageMistake) -> (url: String?, isThirdParty: Bool) {
        if let word = arguments.base ?? arguments.server {
            if arguments.server != nil, let named = service.servers.first(where: { $0.name == word || $0.url == word })
            {
                return (named.url, false)
            }
            if arguments.server != nil, !URLShorthand.isWhole(word) {
                let names = service.servers.map { $0.name.isEmpty ? $0.url : $0.name }.joined(separator: ", ")
                throw UsageMistake("\(service.name) has no server \(quoted(word))", hint: "servers: \(names)")
            }
            return (try URLShorthand(parsing: word).url.description, false)
        }
        let server =
            endpoint.server.flatMap { name in service.servers.first { $0.name == name } }
            ?? service.servers.first
        guard let server else {
            let isWhole = URLShorthand.hasScheme(endpoint.template.text)
            if isWhole { return (nil, false) }
            throw UsageMistake("\(service.name) has no base URL", hint: "for example --base https://api.example.com/v1")
        }
        return (server.url, server.isThirdParty)
    }

    // MARK: The plan

    private func plan(
        for request: EndpointRequest,
        _ endpoint: EndpointDescription,
        of service: ServiceDescription,
        _ items: CallItems
    ) throws(UsageMistake) -> Plan {
        guard var url = request.resource.urlString else {
            throw UsageMistake("with these values, the path of \(quoted(endpoint.name)) is not below the service's URL")
        }
        if let query = request.query.encoded() { url += (url.has(anyOf: "?") ? "&" : "?") + query }
        var options = authorized(endpoint.authorization ?? service.authorization)
        options.base = ""
        // The description names it.
        options.anyMethod = true
        // With arguments elsewhere, the body may be missing on purpose: only input of this command's own is one.
        let mayReadInput = items.hasArguments && !MethodName.leavesInputAlone(endpoint.method.rawValue)
        let input = mayReadInput && !arguments.ignoreStdin ? surroundings.input().ownContent() : .bytes
        if input != .bytes { options.ignoreStdin = true }
        if items.hasData, !items.hasWholeBody {
            try choose(endpoint.bodyFormat ?? service.bodyFormat, &options, items)
        }
        var words = [endpoint.method.rawValue, url]
        words += try headers(request, of: service, items, endpoint)
        words += items.others.map(\.argument)
        options.words = words
        var parser = PlanParser(options, in: surroundings)
        parser.checksInput = false
        let plans = try parser.plans()
        guard var plan = plans.first else { throw UsageMistake("missing request", hint: CallParser.usage) }
        try UnsentInput(arguments, items.others, in: surroundings).check(&plan)
        if input == .unknown { plan.leavesInputOpen = true }
        let namesType = items.others.contains { !$0.kind.isData && Headers.Name($0.name) == .contentType }
        if !namesType, request.headers[.contentType] == nil { plan.inheritsContentType = true }
        return plan
    }

    /// The fields that the description requires and the command line doesn't set.
    private func headers(
        _ request: EndpointRequest,
        of service: ServiceDescription,
        _ items: CallItems,
        _ endpoint: EndpointDescription
    ) throws(UsageMistake) -> [String] {
        let need = endpoint.authorization ?? service.authorization
        var said = Set(items.others.filter { !$0.kind.isData }.map { $0.name.lowercased() })
        let options = authorized(need)
        if let field = IdentityParser.field(auth: options.auth, type: options.authType) {
            said.insert(field.text.lowercased())
        }
        let fields: HTTPFields
        do throws(Headers.Malformation) {
            fields = try service.headers.merging(endpoint.headers).merging(request.headers).fields()
        } catch {
            throw UsageMistake("a header can't be sent: \(error.description)")
        }
        return fields.compactMap { field in
            let name = field.name.rawName
            if said.contains(name.lowercased()) { return nil }
            if arguments.json, name.lowercased() == "accept" { return nil }
            return RequestItem(kind: .header, name: name, value: field.value).argument
        }
    }

    /// The format of a body that items make.
    private func bodyFormat(_ endpoint: EndpointDescription, _ service: ServiceDescription) -> EndpointBodyFormat {
        if arguments.multipart { return .multipart }
        if arguments.form { return .form }
        return arguments.json ? .json : endpoint.bodyFormat ?? service.bodyFormat
    }

    private func choose(
        _ format: EndpointBodyFormat,
        _ options: inout Arguments,
        _ items: CallItems
    ) throws(UsageMistake) {
        if options.form || options.multipart || options.json || options.raw != nil { return }
        switch format {
        case .json: break
        case .form: options.form = true
        case .multipart: options.multipart = true
        case .media(let type):
            throw UsageMistake("items can't build a body of type \(type.essence)", hint: "@FILE sends a file")
        }
    }

    /// The arguments with the service's kind of authorization, if the command line has none.
    private func authorized(_ need: AuthorizationNeed?) -> Arguments {
        var options = arguments
        guard options.authType == nil, let word = options.auth, let need else { return options }
        let isPair = word.has(anyOf: ":") && !SecretWord.isElsewhere(word)
        for scheme in need.schemes {
            switch scheme {
            case .basic where isPair: return options
            case .digest where isPair: options.authType = "digest"
            case .bearer where !isPair, .oauth2 where !isPair: options.authType = "bearer"
            case .keyInHeader(let name) where !isPair: (options.authType, options.auth) = ("apikey", "\(name):\(word)")
            case .keyInQuery(let name) where !isPair: (options.authType, options.auth) = ("apikey", "\(name)==\(word)")
            default: continue
            }
            return options
        }
        return options
    }

    /// Warns about missing credentials; refuses to send any to a server that the user did not choose.
    private func judge(_ plan: inout Plan, _ need: AuthorizationNeed?, isThirdParty: Bool) throws(UsageMistake) {
        if isThirdParty, plan.identity != nil {
            let origin = plan.target.origin
            if arguments.auth != nil { throw CallParser.foreign(origin) }
            plan.identity = nil
            plan.notices.append(
                "no credentials are sent to \(origin), which is not the description's origin; --server NAME sends them"
            )
        }
        let hasProof = CallParser.hasProof(plan, need)
        if isThirdParty, hasProof || CallParser.hasSecret(plan) { throw CallParser.foreign(plan.target.origin) }
        guard let need, need.isRequired, !need.schemes.isEmpty, plan.identity == nil, !hasProof else { return }
        plan.notices.append("the endpoint requires credentials (\(need)); use -a")
    }

    /// Whether items contain credentials.
    private static func hasProof(_ plan: Plan, _ need: AuthorizationNeed?) -> Bool {
        if plan.headerNames.contains(.authorization) { return true }
        return (need?.schemes ?? []).contains { scheme in
            switch scheme {
            case .keyInHeader(let name): plan.headerNames.contains(Headers.Name(name))
            case .keyInQuery(let name): plan.queryItems.contains { $0.name == name }
            default: false
            }
        }
    }

    /// Whether any item has the name of a secret; a description may hide which ones are.
    private static func hasSecret(_ plan: Plan) -> Bool {
        plan.headerNames.contains { SecretRedaction.isSecret($0.text) }
            || plan.queryItems.contains { SecretRedaction.isSecret($0.name) }
    }

    private static func foreign(_ origin: Origin) -> UsageMistake {
        UsageMistake(
            "the server \(origin) is not at the description's origin, and --server does not select it",
            hint: "--server \(origin) sends it the credentials"
        )
    }
}
