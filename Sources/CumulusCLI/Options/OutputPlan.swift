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

    var parts: Parts
    /// Whether JSON and XML are laid out.
    var formats: Bool
    var colors: Bool
    /// Whether standard output is a terminal, where nothing that a server sends may act as a command to it.
    var isTerminal: Bool
    /// The file that takes the response's body.
    var file: String?
    /// Whether standard output stays empty.
    var isQuiet = false
    /// Whether warnings and notices stay out too.
    var isSilent = false
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
                    "--print knows no \(quoted("\(letter)"))",
                    hint: "H and B are the request's head and body, h and b the response's, m its times"
                )
            }
        }
    }
}
