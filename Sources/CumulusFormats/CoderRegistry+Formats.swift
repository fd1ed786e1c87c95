// SPDX-License-Identifier: Apache-2.0

public import CumulusCore

extension CoderRegistry {
    /// Registers the coders of XML, as a tree, and of property lists: `site.setRules { $0.coders.registerFormats() }`.
    ///
    /// ``XML`` is read and written by its type. The media types and extensions of XML and of property lists are for
    /// property lists in your `Codable` types, as "XML" often means one in Cocoa; for other XML in types, register
    /// CumulusXML's coder after them.
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
    /// Says where the coders are registered.
    public static var missingCoder: String { "register CumulusFormats' coders: `$0.coders.registerFormats()`" }
}

extension PropertyList: NeedsCoder {
    /// Says where the coders are registered.
    public static var missingCoder: String { XML.missingCoder }
}
