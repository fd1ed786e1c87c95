// SPDX-License-Identifier: Apache-2.0

/// One step through a YAML document, as libyaml's parser reports it.
enum YAMLEvent {
    /// The stream or a document begins, or a document ends.
    case boundary
    /// A second document begins.
    case nextDocument
    case streamEnd
    case scalar(ScalarNode, anchor: String?)
    case sequenceStart(anchor: String?)
    case mappingStart(anchor: String?)
    /// A sequence or a mapping ends.
    case collectionEnd
    case alias(String)
}
