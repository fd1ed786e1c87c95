// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

extension CoderRegistry {
    /// Registers the coders for XML trees and property lists: `site.setRules { $0.coders.registerFormats() }`.
    ///
    /// ``XML`` is encoded and decoded by its type. The media types and extensions of XML and of property lists select
    /// property lists in your `Codable` types, since "XML" often means one in Cocoa; for other XML in `Codable` types,
    /// register CumulusXML's coder afterwards.
    public mutating func registerFormats() {
        register(
            PropertyListCoder(),
            for: [PropertyList.self],
            mediaTypes: ["application/x-plist", "text/x-plist", "application/xml", "text/xml", "+xml"],
            fileExtensions: ["plist", "xml"]
        )
        register(XMLTreeCoder(), for: XML.self)
    }
}

extension XML: NeedsCoder {
    /// How to register the missing coders; used in error messages.
    public static var missingCoder: String { "register CumulusFormats' coders: `$0.coders.registerFormats()`" }
}

extension PropertyList: NeedsCoder {
    /// How to register the missing coders; used in error messages.
    public static var missingCoder: String { XML.missingCoder }
}
