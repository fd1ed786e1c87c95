// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

/// A document as the editor shows it.
struct EditText: Sendable {
    /// The text in the editor.
    let shown: String
    /// The same as JSON; `nil` for a document of another kind.
    private let json: JSON?
    private let type: MediaType?

    var isJSON: Bool { json != nil }

    /// Formats a document for the editor.
    init(_ response: Response, method: UpdateMethod) throws {
        let type = response.mediaType
        self.type = type
        if type?.isJSON ?? true, let json = try? JSON(body: response.bytes, of: type) {
            self.json = json
            shown = EditText.laidOut(json)
            return
        }
        let bytes = response.bytes.bytes
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw EditProblem(reason: "the document is not valid UTF-8")
        }
        guard method == .put else {
            throw EditProblem(reason: "only JSON can be patched; --by put sends the whole document")
        }
        json = nil
        shown = text
    }

    private init(shown: String, json: JSON?, type: MediaType?) {
        self.shown = shown
        self.json = json
        self.type = type
    }

    private static func laidOut(_ json: JSON) -> String {
        String(decoding: json.encoded(.prettyPrinted), as: UTF8.self) + "\n"
    }

    /// The text that the editor has saved.
    ///
    /// - Throws: ``EditProblem`` for text that should be JSON but isn't.
    func edited(_ text: String) throws -> EditText {
        guard json != nil else { return EditText(shown: text, json: nil, type: type) }
        do {
            return EditText(shown: text, json: try JSON(parsing: text), type: type)
        } catch {
            throw EditProblem(reason: "the edited text is not valid JSON: \(error)")
        }
    }

    /// Whether the content is the same, regardless of its layout.
    func isSame(as other: EditText) -> Bool { json.map { $0 == other.json } ?? (shown == other.shown) }

    /// The request's content.
    func payload(for document: GuardedDocument, by method: UpdateMethod) throws -> Payload {
        if let json { return try document.payload(from: document.json, to: json, by: method) }
        return .bytes(Array(shown.utf8), type: type)
    }

    /// Whether a newer document already has the change from an older one to this.
    func isIn(_ newer: EditText, since old: EditText) -> Bool {
        if isSame(as: newer) { return true }
        guard let json, let before = old.json, let now = newer.json, now != before,
            let mine = try? before.mergePatch(to: json)
        else { return false }
        return now.applying(mergePatch: mine) == now
    }

    /// The same change applied to a newer document.
    ///
    /// - Throws: ``EditProblem`` if both changes affect the same member or list, or the same text.
    func moved(from old: EditText, onto newer: EditText) throws -> EditText {
        guard let json, let before = old.json, let now = newer.json,
            let mine = try? before.mergePatch(to: json), let theirs = try? before.mergePatch(to: now),
            case let moved = now.applying(mergePatch: mine), moved == json.applying(mergePatch: theirs)
        else {
            throw EditProblem(
                reason: "both changes affect the same text; fetch the document again, and repeat your change in the "
                    + "new version"
            )
        }
        return EditText(shown: EditText.laidOut(moved), json: moved, type: newer.type)
    }
}
