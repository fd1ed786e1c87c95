// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

/// The place of a resource: an origin and a path, or why it has none.
struct Place: Sendable {
    enum Problem: Error, Sendable {
        case url(RequestURL.Malformation)
        case path(PathRefusal)
    }

    struct Address: Sendable {
        let origin: Origin
        /// The encoded path; begins with a slash, and ends with one only if it is the base URL's own.
        let path: String
        /// Whether the path was written with a slash at the end.
        let endsWithSlash: Bool
    }

    let address: Result<Address, Problem>

    init(_ url: RequestURL) {
        let endsWithSlash = url.path.utf8.count > 1 && url.path.ends(with: "/")
        address = .success(Address(origin: url.origin, path: url.path, endsWithSlash: endsWithSlash))
    }

    private init(address: Result<Address, Problem>) { self.address = address }

    init(problem: Problem) { address = .failure(problem) }

    var origin: Origin? { try? address.get().origin }

    /// Origin and path, for explanations.
    var text: String {
        guard let address = try? address.get() else { return "a place without a URL" }
        return RequestURL(origin: address.origin, path: address.path, query: nil).description
    }

    /// The place of a child: segments are appended, never resolved, so it can't be outside this one.
    func appending(_ child: Result<ChildPath, PathRefusal>) -> Place {
        switch (address, child) {
        case (.failure, _): return self
        case (_, .failure(let refusal)): return Place(problem: .path(refusal))
        case (.success(let base), .success(let child)):
            guard !child.path.isEmpty else { return self }
            let path = base.path.ends(with: "/") ? base.path + child.path : "\(base.path)/\(child.path)"
            return Place(
                address: .success(Address(origin: base.origin, path: path, endsWithSlash: child.endsWithSlash))
            )
        }
    }
}

extension Place.Address {
    /// The path as it is sent.
    func path(_ style: TrailingSlash) -> String {
        switch style {
        case .removed: path
        case .kept: endsWithSlash && !path.ends(with: "/") ? path + "/" : path
        case .added: path.ends(with: "/") ? path : path + "/"
        }
    }
}

extension LayerContext {
    init(_ place: Place) {
        let address = try? place.address.get()
        self.init(origin: address?.origin, path: address?.path)
    }
}
