// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// The header fields and query items that a resource adds to each request, as a value that outlives the program.
///
/// If ``headers`` or ``query`` is `nil`, restoring the state leaves the resource's own unchanged.
public struct PreservedState: Sendable, Hashable {
    /// The header fields of the resource's own layer, masks included.
    public var headers: Headers?
    /// The query items of the resource's own layer, masks included.
    public var query: Query?
    /// Whether secrets were also preserved; if false, the resource's own secrets are kept when the state is restored.
    public var includesSecrets: Bool

    /// Creates a state.
    public init(headers: Headers? = nil, query: Query? = nil, includesSecrets: Bool = false) {
        self.headers = headers
        self.query = query
        self.includesSecrets = includesSecrets
    }
}

/// The reason why bytes are not a preserved state.
public struct PreservedStateProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problem; no value is quoted, since it may be a secret.
    public let description: String

    /// Creates a problem.
    ///
    /// Don't quote any value in the description.
    public init(_ description: String) { self.description = description }
}

extension PreservedState: CustomStringConvertible {
    /// The fields and the query names, with secrets redacted.
    public var description: String {
        let sections = [
            headers.map { "headers: \(HeadersKey.describe($0))" }, query.map { "query: \(QueryKey.describe($0))" },
        ]
        return sections.compactMap(\.self).joined(separator: "; ")
    }
}

extension Resource {
    /// Returns the header fields and query items that the rules of this place add to the requests of its subtree.
    ///
    /// Inherited fields and items are not included, and neither are those added by authorizers.
    ///
    /// - Parameter includingSecrets: Whether to include fields and items whose names indicate a secret:
    ///   `Authorization`, `Cookie`, and names that contain `token`, `key`, `password` or similar words.
    /// - Returns: The state; it contains no part of the excluded values.
    public func preservedState(includingSecrets: Bool = false) -> PreservedState {
        let own = tree.rules.layer(at: node.rulePath)
        let headers = own.own(HeadersKey.self) ?? Headers()
        let query = own.own(QueryKey.self) ?? Query()
        return PreservedState(
            headers: includingSecrets ? headers.archivable { _ in true } : headers.archivable { !$0 },
            query: includingSecrets ? query.archivable { _ in true } : query.archivable { !$0 },
            includesSecrets: includingSecrets
        )
    }

    /// Replaces the headers and query of this place's rules with those of a preserved state; both change together.
    ///
    /// If the state was made without secrets, the resource's own secrets are kept.
    public func restore(_ state: PreservedState) {
        change(source: nil) { editor in
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
    /// The fields as a separate layer, except those that don't fit; `fits` is passed whether a name indicates a secret.
    fileprivate func archivable(_ fits: (Bool) -> Bool) -> Headers {
        Headers(entries: entries.filter { fits(Redaction.isSecret($0.name.text)) })
    }
}

extension Query {
    /// The items as a separate layer, except those that don't fit; `fits` is passed whether a name indicates a secret.
    fileprivate func archivable(_ fits: (Bool) -> Bool) -> Query {
        Query(items: items.filter { fits(Redaction.isSecret($0.name)) })
    }
}
