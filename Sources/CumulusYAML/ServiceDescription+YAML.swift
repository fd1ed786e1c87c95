// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import CumulusPrimitives
public import CumulusServices

extension ServiceDescription {
    /// Creates a description from YAML; the members are the same as in JSON.
    ///
    /// - Parameters:
    ///   - text: The YAML text: one document.
    ///   - name: The service's name if the description has none.
    /// - Throws: `ServiceProblems` with all problems.
    public init(yaml text: String, named name: String? = nil) throws(ServiceProblems) {
        try self.init(named: name) { () throws(YAMLProblem) in try JSON(parsingYAML: text) }
    }

    private init(named name: String?, _ parse: () throws(YAMLProblem) -> JSON) throws(ServiceProblems) {
        let document: JSON
        do throws(YAMLProblem) {
            document = try parse()
        } catch {
            throw ServiceProblems(unreadable: error.description)
        }
        try self.init(document, named: name)
    }

    /// Creates a description from a YAML file.
    ///
    /// - Throws: `ServiceProblems`.
    public init(contentsOfYAMLFile file: some Locator) throws(ServiceProblems) {
        let path = file.locatorText
        let bytes = try ServiceDescription.bytes(ofFile: path)
        let fileName = path.cut(atLast: "/")?.behind ?? path[...]
        let name = fileName.cut(atLast: ".").map { String($0.before) } ?? String(fileName)
        try self.init(named: name) { () throws(YAMLProblem) in try JSON(parsingYAML: bytes) }
    }
}
