// SPDX-License-Identifier: Apache-2.0

extension GitHub {
    /// A user or an organization.
    public struct User: Codable, Sendable, Hashable {
        /// The account's name.
        public var login: String
        /// The account's number.
        public var id: Int64
        /// `User`, `Organization` or `Bot`.
        public var type: String?
        /// The user's display name.
        public var name: String?
        /// The user's company.
        public var company: String?
        /// The user's website.
        public var blog: String?
        /// The location, in the user's words.
        public var location: String?
        /// The profile text.
        public var bio: String?
        /// The URL of the profile's web page.
        public var url: String?
        /// The number of public repositories.
        public var publicRepositories: Int64?
        /// The number of followers.
        public var followers: Int64?

        private enum CodingKeys: String, CodingKey {
            case login, id, type, name, company, blog, location, bio, followers
            case url = "html_url"
            case publicRepositories = "public_repos"
        }
    }
}
