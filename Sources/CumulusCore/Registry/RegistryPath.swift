// SPDX-License-Identifier: Apache-2.0

/// The paths of registries, `/v2/NAME/manifests/latest`.
enum RegistryPath {
    private static let marks = ["/manifests/", "/blobs/", "/tags/", "/referrers/"]

    /// The repository in a target; empty if it concerns the registry as a whole.
    static func repository(in target: String) -> String {
        let path = target.before("?")
        guard path.begins(with: "/v2/") else { return "" }
        let rest = Substring(path.utf8.dropFirst(4))
        let ends = marks.compactMap { rest.place(of: $0)?.lowerBound }
        return ends.min().map { String(rest[..<$0]) } ?? ""
    }
}
