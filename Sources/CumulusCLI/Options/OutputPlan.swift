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

    /// What is printed of earlier exchanges: redirects, challenges, retried attempts.
    enum Earlier: Sendable {
        case nothing
        case heads
        case all
    }

    /// How text is formatted.
    enum Pretty: String, CaseIterable, Sendable {
        case all
        case colors
        case format
        case none
    }

    var parts: Parts
    var earlier = Earlier.nothing
    /// Whether JSON and XML are formatted.
    var formats: Bool
    var colors: Bool
    /// The style of colors.
    var theme = ColorStyle.theme
    /// Whether standard output is a terminal, on which no text from a server may act as a command.
    var isTerminal: Bool
    /// Whether a request is written as on a connection, including line ends and framing.
    var isWire = false
    /// Whether a formatted body ends with a line end, since another one follows.
    var endsBodies = false
    /// The file for the response's body.
    var file: String?
    /// The file for the response's head.
    var headFile: String?
    /// Whether standard output stays empty.
    var isQuiet = false
    /// Whether warnings and notices are also omitted.
    var isSilent = false
    /// How many spaces each level is indented.
    var indent = 2
    /// Whether members of JSON objects are sorted by name.
    var isSorted = false
    /// The values of a JSON response to print; `nil` prints all of it.
    var filter: JSONFilter?
    /// The form of a JSON response's values; `nil` prints them as JSON, one after the other.
    var table: TableFormat?
    /// Whether the values of a filter are printed without line ends between them.
    var joins = false
    /// The maximum width of a table; `nil` for no limit.
    var tableWidth: Int?
    /// Whether non-ASCII characters may be drawn.
    var isUnicode = false
    /// The program that shows output longer than the screen.
    var pager: Pager?
    /// What is printed about the exchange at the end.
    var format: ResultFormat?
    /// Whether times and addresses are printed as JSON.
    var metaIsJSON = false
    /// The charset of the response's body, regardless of the response's own.
    var charset: String?
    /// The media type of the response's body, regardless of the response's own.
    var responseType: MediaType?
    /// Whether secrets in the request are printed.
    var showsSecrets = false
    /// A field or query item whose value is a secret, regardless of its name.
    var secretName: String?
}

extension OutputPlan {
    /// Whether a JSON response is printed in parts, or in another form.
    var isFiltered: Bool { filter != nil || table != nil }

    /// The plan for values in a file, which gets what a pipe would get.
    var forFile: OutputPlan {
        var plan = self
        // A terminal's default; these options ask for it anyway.
        if isTerminal { plan.formats = formats && (isSorted || indent != 2) }
        plan.isTerminal = false
        plan.colors = false
        plan.isUnicode = false
        plan.tableWidth = nil
        return plan
    }
}

extension OutputPlan.Parts {
    /// Parses letters such as `HBhbm`.
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
                    "unknown part \(quoted("\(letter)")) in --print",
                    hint: "H and B are the request's head and body, h and b the response's, and m the timing"
                )
            }
        }
    }
}
