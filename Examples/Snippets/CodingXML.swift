// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusXML

struct Note: Codable, Sendable {
    var to: String
    var text: String
}

func notes(site: Resource) async throws {
    // snippet.register
    site.setRules { $0.coders.registerXML(XMLBodyCoder(rootName: "note")) }
    let note = try await site["notes/1"].get(as: Note.self)
    _ = try await site["notes"].post(.value(note, as: .xml))
    // snippet.end
}
