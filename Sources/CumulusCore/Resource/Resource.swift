// SPDX-License-Identifier: Apache-2.0

/// A place on a server, and the settings of its requests.
///
/// It is a value that is cheap to create and to copy.
///
/// ```swift
/// let site = Resource("https://api.example.com", transport: transport) {
///     $0.timeout = .seconds(20)
/// }
/// let posts = site["posts"]
/// let all = try await posts.get(as: [Post].self, query: ["limit": 10])
/// ```
///
/// A place has rules: ``setRules(fileID:line:_:)`` sets them, and they apply to every request at or below it, no matter
/// which part of the program makes it. A copy may override them: ``with(fileID:line:_:)`` returns a copy with its own
/// settings, which only the children created from it inherit. The nearest setting wins: the call, then `with`, then the
/// place, then its parents. Settings are looked up when a request starts.
///
/// If a URL or path can't be used, the resource is still created, and its requests throw; nothing traps.
@dynamicMemberLookup
public struct Resource: Sendable {
    let node: ResourceNode

    init(_ node: ResourceNode) { self.node = node }

    /// Creates the root of a tree.
    ///
    /// - Parameters:
    ///   - url: An absolute http or https URL, as a string or as `URL`. Its query, user and password become the first
    ///     of the root's rules, as ``Resource/Settings/query`` and ``Resource/Settings/credentials``.
    ///   - transport: The transport for the requests of the whole tree.
    ///   - fileID: The file that ``explain(_:)`` names.
    ///   - line: The line that ``explain(_:)`` names.
    ///   - rules: Sets the root's rules, as ``setRules(fileID:line:_:)`` does.
    public init(
        _ url: some Locator,
        transport: any Transport,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ rules: (inout Rules) -> Void = { _ in }
    ) {
        let parsed = Result { () throws(RequestURL.Malformation) in try RequestURL.parse(url.locatorText) }
        self.init(root: parsed, transport: transport)
        setRules(fileID: fileID, line: line, rules)
    }

    /// Creates a root from a parsed URL.
    package init(_ url: RequestURL, transport: any Transport) {
        self.init(root: .success((url, nil)), transport: transport)
    }

    /// Creates the root of a tree without a URL.
    ///
    /// Its rules apply to the places created over it.
    ///
    /// - Parameters:
    ///   - reason: The reason why the tree has no URL, used as the message of the error that the root's own requests
    ///     throw.
    ///   - transport: The transport for the requests of the whole tree.
    public init(nowhere reason: String, transport: any Transport) {
        self.init(root: .failure(RequestURL.Malformation(reason)), transport: transport)
    }

    /// Creates a place without a URL, with another resource's settings; its requests throw an error with the reason.
    public init(nowhere reason: String, over base: Resource) {
        self.init(base.node.refusing(.url(RequestURL.Malformation(reason))))
    }

    /// Creates a separate place in another resource's tree, which inherits its settings, including its credentials if
    /// they are bound to this place's origin or to no origin.
    public init(_ url: String, over base: Resource) {
        let parsed: (url: RequestURL, userInfo: Credentials?)
        do {
            parsed = try RequestURL.parse(url)
        } catch {
            self.init(base.node.refusing(.url(error)))
            return
        }
        let place = Place(parsed.url)
        var settings = Settings(over: base.snapshot.values, in: LayerContext(place))
        settings.write(parsed)
        self.init(base.node.separate(place).overriding(with: settings.layer))
    }

    private init(
        root url: Result<(url: RequestURL, userInfo: Credentials?), RequestURL.Malformation>,
        transport: any Transport
    ) {
        let place: Place
        switch url {
        case .success(let parsed): place = Place(parsed.url)
        case .failure(let problem): place = Place(problem: .url(problem))
        }
        let tree = ResourceTree(root: RulePath(place), transport: transport)
        self.init(ResourceNode(place, in: tree))
        guard case .success(let parsed) = url, parsed.url.query != nil || parsed.userInfo != nil else { return }
        change(source: nil) { $0.write(parsed) }
    }

    /// The resource one level up; `nil` for a root and for a followed link.
    public var parent: Resource? { node.parent.map(Resource.init) }

    var tree: ResourceTree { node.tree }
    var place: Place { node.place }

    /// The current effective settings, resolved.
    var snapshot: SettingsSnapshot { node.snapshot }
}

extension Resource.Settings {
    /// Writes what a URL says: its query, its user and its password.
    fileprivate mutating func write(_ url: (url: RequestURL, userInfo: Credentials?)) {
        if let query = url.url.query { self.query = Query(ofURL: query) }
        if let credentials = url.userInfo { self.credentials = credentials }
    }
}
