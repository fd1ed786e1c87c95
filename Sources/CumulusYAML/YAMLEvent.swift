// SPDX-License-Identifier: Apache-2.0

/// One step through a YAML document.
enum YAMLEvent {
    /// A first document begins.
    case boundary
    /// A second document begins.
    case nextDocument
    case streamEnd
    case scalar(ScalarNode, anchor: String?)
    case sequenceStart(anchor: String?)
    case mappingStart(anchor: String?)
    /// The end of a sequence or a mapping.
    case collectionEnd
    case alias(String)
}
