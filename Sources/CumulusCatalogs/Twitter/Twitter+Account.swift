// SPDX-License-Identifier: Apache-2.0

import Cumulus

extension Twitter {
    /// Who is meant; a literal is a screen name: `"ada"`.
    public enum Account: Sendable, Hashable {
        /// By the name that shows.
        case screenName(String)
        /// By number.
        case id(Int64)
        /// By either; the service finds out. Direct messages don't take it.
        case either(String)

        /// The account as a task's parameter.
        var arguments: EndpointArguments {
            switch self {
            case .screenName(let name): ["screenName": name]
            case .id(let id): ["userID": id]
            case .either(let text): ["screenNameOrUserID": text]
            }
        }
    }
}

extension Twitter.Account: ExpressibleByStringLiteral {
    /// Takes a screen name.
    public init(stringLiteral name: String) { self = .screenName(name) }
}
