// SPDX-License-Identifier: Apache-2.0

/// The header fields and query items that a resource gives to each request, as a value that outlives the program.
///
/// A section that is `nil` is left alone where the state is restored.
public struct PreservedState: Sendable, Hashable {
    /// The header fields of the resource's own layer, masks included.
    public var headers: Headers?
    /// The query items of the resource's own layer, masks included.
    public var query: Query?
    /// Whether secrets were preserved, too; if they weren't, those that a resource has stay when it is restored.
    public var includesSecrets: Bool

    /// Puts a state together.
    public init(headers: Headers? = nil, query: Query? = nil, includesSecrets: Bool = false) {
        self.headers = headers
        self.query = query
        self.includesSecrets = includesSecrets
    }
}

/// Why bytes are not a preserved state.
public struct PreservedStateProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong; no value is quoted, since it may be a secret.
    public let description: String

    init(_ description: String) { self.description = description }
}

extension PreservedState: CustomStringConvertible {
    /// The fields and names, secrets redacted.
    public var description: String {
        let sections = [
            headers.map { "headers: \(HeadersKey.describe($0))" }, query.map { "query: \(QueryKey.describe($0))" },
        ]
        return sections.compactMap(\.self).joined(separator: "; ")
    }
}

extension Resource {
    /// The header fields and query items that this resource itself gives to the requests of its subtree.
    ///
    /// What it inherits is not among them, nor what authorizers add.
    ///
    /// - Parameter includingSecrets: Whether to include fields and items whose names say that they are secret:
    ///   `Authorization`, `Cookie`, and names with `token`, `key`, `password` or the like in them.
    /// - Returns: The state; what it leaves out is not in it in any form.
    public func preservedState(includingSecrets: Bool = false) -> PreservedState {
        let headers = own(HeadersKey.self) ?? Headers()
        let query = own(QueryKey.self) ?? Query()
        return PreservedState(
            headers: includingSecrets ? headers.archivable { _ in true } : headers.archivable { !$0 },
            query: includingSecrets ? query.archivable { _ in true } : query.archivable { !$0 },
            includesSecrets: includingSecrets
        )
    }

    /// Puts a preserved state's sections in the place of this resource's own headers and query; both change at once.
    ///
    /// If the state was made without secrets, the resource's own secrets stay.
    public func restore(_ state: PreservedState) {
        configure { editor in
            let layer = editor.layer
            if let headers = state.headers {
                let kept = layer.own(HeadersKey.self)?.archivable { $0 && !state.includesSecrets } ?? Headers()
                editor.headers = kept.merging(headers)
            }
            if let query = state.query {
                let kept = layer.own(QueryKey.self)?.archivable { $0 && !state.includesSecrets } ?? Query()
                editor.query = kept.merging(query)
            }
        }
    }
}

extension Headers {
    /// The fields as a layer of their own, without those that don't fit; `fits` is told whether a name is a secret's.
    fileprivate func archivable(_ fits: (Bool) -> Bool) -> Headers {
        Headers(entries: entries.filter { fits(Redaction.isSecret($0.name.text)) })
    }
}

extension Query {
    /// The items as a layer of their own, without those that don't fit; `fits` is told whether a name is a secret's.
    fileprivate func archivable(_ fits: (Bool) -> Bool) -> Query {
        Query(items: items.filter { fits(Redaction.isSecret($0.name)) })
    }
}
