// SPDX-License-Identifier: Apache-2.0

import CumulusPrimitives

extension Resource {
    /// Returns a child whose path is built from a printf-style format: `site.child(format: "users/%05d/%@", 42, name)`.
    ///
    /// `%@` and `%s` accept any value, `%d`, `%i`, `%u`, `%x`, `%X` and `%o` accept an integer, and `%f`, `%e` and `%g`
    /// accept a number, with the flags, widths and precisions of printf; `%2$@` takes the second value; `%%` is `%`.
    /// Each value is escaped as one piece of data, and the format's other text is a literal path, as in
    /// ``ResourcePath``. With too many or too few values, or a value that doesn't fit its conversion, the child's
    /// requests throw ``CumulusError/Code/invalidPath``. New code is easier to read with interpolation:
    /// `site["users/\(number)"]`.
    public func child(format: String, _ values: any CustomStringConvertible...) -> Resource {
        var format = PathFormat(format)
        return child(format.path(of: values))
    }

    /// Returns the place that a path with `..` leads to: `site["posts/7"].relative(to: "../8")` is `site["posts/8"]`.
    ///
    /// `..` is the place above, and `.` is this place. Otherwise, `/` separates segments and everything else is data,
    /// as in ``subscript(path:)``. The settings are inherited from the highest resource that the path reaches: this
    /// resource, or an ancestor if the path contains `..`. The path never leads above the root; use ``follow(_:)`` for
    /// that. Don't take the path from an untrusted source: it can lead to any place in the tree.
    public func relative(to path: String) -> Resource {
        guard case .success(let address) = place.address else { return self }
        var climbs = 0
        var names: [Substring] = []
        for part in path.parts(at: "/") where !part.isEmpty && part != "." {
            if part != ".." {
                names.append(part)
            } else if names.popLast() == nil {
                climbs += 1
            }
        }
        var segments = address.path.parts(at: "/").filter { !$0.isEmpty }
        let floor = (try? root.place.address.get().path.parts(at: "/").count { !$0.isEmpty }) ?? 0
        guard climbs <= segments.count - floor else {
            return child(.failure(PathRefusal("the path \(PeerText.quoted(path)) goes above the root")))
        }
        segments.removeLast(climbs)
        var ancestor = self
        while ancestor.depth > segments.count, let parent = ancestor.parent { ancestor = parent }
        let between = segments.dropFirst(ancestor.depth).map(String.init)
        if names.isEmpty, between.isEmpty { return ancestor }
        var parser = ChildPathParser()
        parser.appendPath(names.map(String.init).joined(separator: "/"))
        return ancestor.child(
            parser.finish().map { child in
                var child = child
                child.path = (between + (child.path.isEmpty ? [] : [child.path])).joined(separator: "/")
                return child
            }
        )
    }

    /// The root of this place's tree: its first ancestor, or itself.
    private var root: Resource {
        var root = self
        while let parent = root.parent { root = parent }
        return root
    }

    /// How many segments the path has.
    private var depth: Int { (try? place.address.get().path.parts(at: "/").count { !$0.isEmpty }) ?? 0 }
}
