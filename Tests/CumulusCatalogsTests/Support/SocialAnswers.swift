// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusCatalogs
import SeedNetworks

extension CannedAnswer {
    private static let userText = #"{"id":17,"screen_name":"ada","name":"Ada","protected":false,"followers_count":3}"#
    private static let statusText = """
        {"id":9007199254740993,"text":"Clouds","created_at":"Wed Aug 27 13:08:45 +0000 2008","favorited":true,\
        "in_reply_to_status_id":null,"user":\(userText)}
        """

    static let user = CannedAnswer(json: userText, "17 ada protected: false")
    static let users = CannedAnswer(json: "[\(userText)]", "[17 ada protected: false]")
    static let status = CannedAnswer(json: statusText, "9007199254740993 Clouds by ada, liked")
    static let statuses = CannedAnswer(json: "[\(statusText)]", "[9007199254740993 Clouds by ada, liked]")
    private static let messageText = #"{"id":5,"text":"Psst","sender":\#(userText),"recipient":\#(userText)}"#
    static let message = CannedAnswer(json: messageText, "5 Psst ada")
    static let messages = CannedAnswer(json: "[\(messageText)]", "[5 Psst ada]")
}

extension Twitter.User {
    var shown: String { "\(id) \(screenName ?? "?") protected: \(isProtected ?? true)" }
}

extension Twitter.Status {
    var shown: String { "\(id) \(text) by \(user?.screenName ?? "?"), \(isFavorited == true ? "liked" : "")" }
}

extension Twitter.DirectMessage {
    var shown: String { "\(id) \(text) \(sender?.screenName ?? "?")" }
}

extension [Twitter.User] {
    var shown: String { "[\(map(\.shown).joined(separator: "; "))]" }
}

extension [Twitter.Status] {
    var shown: String { "[\(map(\.shown).joined(separator: "; "))]" }
}

extension [Twitter.DirectMessage] {
    var shown: String { "[\(map(\.shown).joined(separator: "; "))]" }
}
