// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// What is printed, and how.
struct OutputPlan: Equatable, Sendable {
    /// The parts of an exchange.
    struct Parts: OptionSet, Sendable, Hashable {
        let rawValue: Int

        static let requestHead = Parts(rawValue: 1)
        static let requestBody = Parts(rawValue: 2)
        static let responseHead = Parts(rawValue: 4)
        static let responseBody = Parts(rawValue: 8)
        static let meta = Parts(rawValue: 16)
        static let all: Parts = [.requestHead, .requestBody, .responseHead, .responseBody]
    }

    /// What is printed of the exchanges before the last: redirects, challenges, what was retried.
    enum Earlier: Sendable {
        case nothing
        case heads
        case all
    }

    var parts: Parts
    var earlier = Earlier.nothing
    /// Whether JSON and XML are laid out.
    var formats: Bool
    var colors: Bool
    /// How the colours look.
    var theme = ColorStyle.theme
    /// Whether standard output is a terminal, on which nothing that a server sends may act as a command.
    var isTerminal: Bool
    /// Whether a request is written as it would go on a connection, line ends and framing too.
    var isWire = false
    /// The file that takes the response's body.
    var file: String?
    /// Whether standard output stays empty.
    var isQuiet = false
    /// Whether warnings and notices stay out too.
    var isSilent = false
    /// How many blanks each level is set in.
    var indent = 2
    /// Whether members of JSON objects are in the order of their names.
    var isSorted = false
    /// Which values of a JSON answer are printed; `nil` prints it whole.
    var filter: JSONFilter?
    /// The form that the values of a JSON answer are printed in; `nil` prints them as JSON, one after the other.
    var table: TableFormat?
    /// How wide a table may be; `nil` is as wide as it takes.
    var tableWidth: Int?
    /// Whether more than ASCII may be drawn.
    var isUnicode = false
    /// The program that shows what is longer than the screen.
    var pager: Pager?
    /// How images are shown on the terminal; `nil` shows none.
    var images: ImageProtocol?
    /// What is printed of the exchange behind all else.
    var format: ResultFormat?
    /// Whether times and addresses are printed as JSON.
    var metaIsJSON = false
    /// The charset of the response's body, whatever the response says.
    var charset: String?
    /// What the response's body is, whatever the response says.
    var responseType: MediaType?
    /// Whether secrets in the request are printed.
    var showsSecrets = false
    /// A field or query item whose value is a secret, whatever it is called.
    var secretName: String?
}

extension OutputPlan.Parts {
    /// Reads `HBhbm`.
    init(parsing letters: String) throws(UsageMistake) {
        self = []
        for letter in letters.unicodeScalars {
            switch letter {
            case "H": insert(.requestHead)
            case "B": insert(.requestBody)
            case "h": insert(.responseHead)
            case "b": insert(.responseBody)
            case "m": insert(.meta)
            default:
                throw UsageMistake(
                    "--print doesn't know \(quoted("\(letter)"))",
                    hint: "H and B are the request's head and body, h and b the response's, m its times"
                )
            }
        }
    }
}
