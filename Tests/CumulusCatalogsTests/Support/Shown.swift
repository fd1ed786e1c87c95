// SPDX-License-Identifier: Apache-2.0

import CumulusCatalogs

/// The result of a typed call, in a few words.
protocol Shown {
    var shown: String { get }
}

extension Array: Shown where Element: Shown {
    var shown: String { map(\.shown).joined(separator: "; ") }
}

extension Mastodon.Account: Shown {
    var shown: String { "\(id) \(username)" }
}

extension Mastodon.Status: Shown {
    var shown: String { "\(id) \(account?.username ?? "?") \(isFavourited ?? false)" }
}

extension Mastodon.Relationship: Shown {
    var shown: String { "\(id) \(isFollowing ?? false) \(isFollowedBy ?? true)" }
}

extension Mastodon.Media: Shown {
    var shown: String { "\(id) \(type ?? "?") \(url ?? previewURL ?? "?")" }
}

extension Mastodon.List: Shown {
    var shown: String { "\(id) \(title)" }
}

extension Mastodon.Notification: Shown {
    var shown: String { "\(id) \(type) \(account?.shown ?? "?")" }
}

extension Mastodon.SearchResults: Shown {
    var shown: String { "\(accounts.shown) \(hashtags.map(\.name).joined())" }
}

extension GitHub.User: Shown {
    var shown: String { "\(login) \(id) \(publicRepositories ?? 0)" }
}

extension GitHub.Repository: Shown {
    var shown: String { "\(fullName ?? "?") \(owner?.login ?? "?")" }
}

extension GitHub.Issue: Shown {
    var shown: String { "\(number) \(state) \((labels ?? []).map(\.name).joined())" }
}

extension GitHub.Comment: Shown {
    var shown: String { "\(body ?? "?") \(user?.login ?? "?")" }
}

extension GitHub.PullRequest: Shown {
    var shown: String { "\(number) \(head?.ref ?? "?") \(base?.ref ?? "?") \(isDraft ?? false)" }
}

extension GitHub.Release: Shown {
    var shown: String { "\(id) \(tag) \((assets ?? []).map(\.name).joined())" }
}

extension GitHub.Asset: Shown {
    var shown: String { "\(id) \(name) \(size ?? 0)" }
}

extension GitHub.SearchResults: Shown where Item: Shown {
    var shown: String { "\(totalCount) \(items.shown)" }
}
