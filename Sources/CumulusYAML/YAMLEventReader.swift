// SPDX-License-Identifier: Apache-2.0

import CYaml

/// Reads a text's events with libyaml, one at a time.
///
/// It uses Yams's C target alone: the Swift part of Yams brings all of Foundation, uses stack for each level, and
/// compares keys as a whole.
struct YAMLEventReader: ~Copyable {
    /// The line of the last event, from 1.
    private(set) var line = 1
    private var hasDocument = false
    /// libyaml keeps the addresses of both, so they can't be stored in the value itself.
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let text: UnsafeMutableBufferPointer<UInt8>

    init(_ text: String) {
        parser = .allocate(capacity: 1)
        self.text = .allocate(capacity: text.utf8.count)
        _ = self.text.initialize(from: text.utf8)
        // If memory runs out here, the first event is missing.
        guard yaml_parser_initialize(parser) == 1 else { return }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, self.text.baseAddress, self.text.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        text.deallocate()
    }

    /// The next event; after `streamEnd` there is none to ask for.
    mutating func next() throws(YAMLProblem) -> YAMLEvent {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1, event.type != YAML_NO_EVENT else { throw problem() }
        defer { yaml_event_delete(&event) }
        line = min(event.start_mark.line, Int.max - 1) + 1
        switch event.type {
        case YAML_STREAM_END_EVENT: return .streamEnd
        case YAML_DOCUMENT_START_EVENT:
            defer { hasDocument = true }
            return hasDocument ? .nextDocument : .boundary
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            let value = ScalarNode(
                text: String(decoding: bytes, as: UTF8.self),
                tag: name(scalar.tag),
                isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE
            )
            return .scalar(value, anchor: name(scalar.anchor))
        case YAML_SEQUENCE_START_EVENT: return .sequenceStart(anchor: name(event.data.sequence_start.anchor))
        case YAML_MAPPING_START_EVENT: return .mappingStart(anchor: name(event.data.mapping_start.anchor))
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return .collectionEnd
        case YAML_ALIAS_EVENT: return .alias(name(event.data.alias.anchor) ?? "")
        default: return .boundary
        }
    }

    private func name(_ characters: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        characters.map { String(cString: $0) }
    }

    private func problem() -> YAMLProblem {
        let reason = parser.pointee.problem.map { String(cString: $0) } ?? "memory ran out"
        // The reader has no line yet when it meets bytes that no text has.
        if parser.pointee.error == YAML_READER_ERROR { return YAMLProblem("invalid YAML: \(reason)") }
        let line = min(parser.pointee.problem_mark.line, Int.max - 1) + 1
        return YAMLProblem("line \(line): invalid YAML: \(reason)")
    }
}
