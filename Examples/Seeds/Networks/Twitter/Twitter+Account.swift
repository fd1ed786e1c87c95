// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusCatalogs
import CumulusServices

extension Twitter {
    /// A user; a literal is a screen name: `"ada"`.
    public enum Account: Sendable, Hashable {
        /// By screen name.
        case screenName(String)
        /// By number.
        case id(Int64)
        /// By either, determined by the service. Direct messages don't accept it.
        case either(String)

        /// The parameters for the account.
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
    /// Creates an account from a screen name.
    public init(stringLiteral name: String) { self = .screenName(name) }
}

extension Twitter {
    /// The device that gets notifications.
    public enum DeliveryDevice: String, Sendable, Hashable, CaseIterable {
        /// A telephone.
        case textMessage = "sms"
        /// An instant messenger.
        case instantMessenger = "im"
        /// No device.
        case none
    }
}
