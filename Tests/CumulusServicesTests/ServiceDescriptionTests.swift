// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusServices
import Foundation
import HTTPTypes
import Testing

@Suite struct ServiceDescriptionTests {
    /// A service profile in Cycles' format.
    static let profile = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><dict>
            <key>BaseURL</key><string>https://api.github.com</string>
            <key>Resources</key>
            <array>
                <dict><key>Name</key><string>user</string><key>URITemplate</key><string>/users/{login}</string></dict>
                <dict><key>Name</key><string>search</string><key>URITemplate</key><string>/search/users{?q}</string></dict>
                <dict>
                    <key>Name</key><string>createIssue</string>
                    <key>URITemplate</key><string>repos/{owner}/{repo}/issues</string>
                    <key>Method</key><string>POST</string>
                </dict>
            </array>
        </dict></plist>
        """

    private func problems(_ document: JSON) -> [String] {
        do throws(ServiceProblems) {
            _ = try ServiceDescription(document)
            return []
        } catch {
            return error.problems.map { "\($0.reason) \($0.place)" }
        }
    }

    @Test func aProfileOfCyclesIsReadAsItIs() throws {
        let service = try ServiceDescription(propertyList: Data(Self.profile.utf8), named: "GH")
        #expect(service.name == "GH")
        #expect(service.servers == ["https://api.github.com"])
        #expect(service.endpoints.map(\.name) == ["user", "search", "createIssue"])
        #expect(service["createIssue"]?.method == .post)
        #expect(service["user"]?.template == "/users/{login}")
        #expect(service["User"] == nil)
    }

    @Test func allThatIsReadIsWritten() throws {
        let text = #"""
            {"name": "Blog", "summary": "A blog.",
             "servers": [{"name": "production", "url": "https://blog.example"}, {"name": "try", "url": "http://127.0.0.1:8080"}],
             "headers": {"X-Version": "2"}, "clientHeaders": {"name": "X-Client", "version": "X-Client-Version"},
             "authorization": {"schemes": ["bearer", "header X-Key", "oauth2 read write"], "required": false},
             "errors": {"members": ["error"], "problemDetails": true, "ignoresStatus": true},
             "rate": {"requests": 10, "seconds": 60, "burst": 2, "tracksQuota": true}, "maxConcurrentTasks": 3,
             "bodyFormat": "form", "responseFormat": "json", "x-note": {"anything": []},
             "endpoints": [
               {"name": "post", "template": "posts/{id}", "authorization": "none"},
               {"name": "create", "method": "POST", "template": "posts", "server": "try", "bodyFormat": "multipart",
                "responseFormat": "image/png", "errors": ["error", "error_code"], "summary": "Writes one.",
                "headers": {"X-Run": "1"},
                "parameters": ["dry", {"name": "title", "in": "body", "field": "t", "required": true, "kind": "text",
                                       "default": "none", "values": ["none", "all"], "summary": "Its title."}]}]}
            """#
        let service = try ServiceDescription(json: Data(text.utf8))
        let again = try ServiceDescription(service.json)
        #expect(again == service)
        #expect(try JSON(encoding: service) == service.json)
        #expect(try service.json.decode(as: ServiceDescription.self) == service)
        var written = try JSON(parsing: text)
        written.object?["x-note"] = nil
        #expect(service.json == written)
        #expect(service["create"]?[parameter: "title"]?.sentName == "t")
        #expect(service["post"]?.authorization == .anonymous)
    }

    @Test func problemsNameTheirPlace() {
        #expect(problems("x") == ["wrongType "])
        #expect(problems([:]) == ["missing endpoints"])
        #expect(
            problems(["baseURL": "https://a.example", "endpoints": [["nam": "a"]]]) == [
                "missing endpoints[0].template", "unknownMember endpoints[0].nam",
            ]
        )
        #expect(problems(["baseURL": 5, "endpoints": [:]]) == ["wrongType baseURL", "wrongType endpoints"])
        let endpoint: JSON = [
            "name": "a", "template": "a", "method": "GE T", "parameters": [["name": "p", "in": "nowhere"]],
        ]
        #expect(
            problems(["baseURL": "https://a.example", "Resources": [endpoint]]) == [
                "wrongType Resources[0].method", "wrongType Resources[0].parameters[0].in",
            ]
        )
        #expect(
            problems(["baseURL": "https://a.example", "BaseURL": "https://b.example", "endpoints": []]) == [
                "duplicate BaseURL"
            ]
        )
        #expect(
            problems(["endpoints": [], "rate": ["requests": 3], "authorization": []]) == [
                "invalidValue authorization", "missing rate",
            ]
        )
    }

    private static let user = "<dict><key>Name</key><string>u</string><key>URITemplate</key><string>u</string></dict>"

    @Test(
        "The problems that Cycles' verifyProfile finds are found in property lists",
        arguments: [
            (
                "<key>Resources</key><array>\(user)\(user)</array>", [ServiceProblem.Reason.duplicate],
                "endpoints[1].name"
            ),
            (
                "<key>Resources</key><array><dict><key>URITemplate</key><string>u</string></dict></array>", [.missing],
                "endpoints[0].name"
            ),
            (
                "<key>Resources</key><array><dict><key>Name</key><string>u</string></dict></array>", [.missing],
                "Resources[0].template"
            ),
            ("", [.missing], "endpoints"), ("<key>Resources</key><string>u</string>", [.wrongType], "Resources"),
        ]
    )
    func profilesOfCycles(members: String, reasons: [ServiceProblem.Reason], place: String) {
        let base = "<key>BaseURL</key><string>https://a.example</string>"
        let text = "<plist version=\"1.0\"><dict>\(base)\(members)</dict></plist>"
        let error = #expect(throws: ServiceProblems.self) { try ServiceDescription(propertyList: text.utf8) }
        #expect(error?.problems.map(\.reason) == reasons)
        #expect(error?.problems.map(\.place) == [place])
    }

    @Test func unreadableBytesAreToldAsSuch() {
        for bytes in ["{", ""] {
            #expect { _ = try ServiceDescription(json: Data(bytes.utf8)) } throws: { error in
                (error as? ServiceProblems)?.problems.map(\.reason) == [.unreadable]
            }
            #expect(throws: ServiceProblems.self) { try ServiceDescription(propertyList: Data(bytes.utf8)) }
        }
        #expect { _ = try ServiceDescription(contentsOfFile: "/nowhere/a.json") } throws: { error in
            "\(error)".contains("/nowhere/a.json")
        }
    }

    @Test func verifyListsEveryProblem() {
        var service = ServiceDescription("x", at: "ftp://a.example")
        service.maxConcurrentTasks = 0
        service.rate.limit = ServiceRate.Limit(0, perSeconds: 1)
        service.headers = ["bad name": "x"]
        service.endpoints = [
            EndpointDescription("", template: "a"),
            EndpointDescription("b", template: "a{"),
            EndpointDescription("b", template: "https://a.example/x"),
            EndpointDescription("c", template: "a/../b"),
            EndpointDescription("d", template: "a{#b}"),
            EndpointDescription(
                "e",
                template: "a/{id}",
                parameters: [
                    "id", EndpointParameter("x", in: .path), EndpointParameter("y", in: .body), "y",
                    EndpointParameter("z", in: .header, field: "a b"),
                ]
            ),
        ]
        service.endpoints[5].server = "none"
        #expect(
            service.verify().map { "\($0.reason) \($0.place)" } == [
                "invalidValue servers[0].url", "invalidValue headers", "invalidValue maxConcurrentTasks",
                "invalidValue rate", "missing endpoints[0].name", "invalidTemplate endpoints[1].template",
                "duplicate endpoints[2].name", "contradiction endpoints[2].template",
                "invalidTemplate endpoints[3].template", "invalidTemplate endpoints[4].template",
                "missing endpoints[5].server", "contradiction endpoints[5].parameters[0].required",
                "contradiction endpoints[5].parameters[1]", "contradiction endpoints[5].parameters[2].in",
                "duplicate endpoints[5].parameters[3].name", "invalidValue endpoints[5].parameters[4]",
            ]
        )
    }

    @Test func withoutABaseURLTemplatesAreWholeURLsWhoseOriginIsWrittenOut() {
        var service = ServiceDescription("x")
        let template = { (text: String) in
            service.endpoints = [EndpointDescription("a", template: URITemplate(lenient: text))]
            return service.verify().map(\.reason)
        }
        #expect(template("https://a.example/{x}") == [])
        #expect(template("https://a.example{/x}") == [])
        #expect(template("https://a.example{?x}") == [])
        #expect(template("https://a.example{x}/") == [.invalidTemplate])
        #expect(template("https://{x}/") == [.invalidTemplate])
        #expect(template("https://a.{x}.example/") == [.invalidTemplate])
        // The program gives the base URL.
        #expect(template("{+x}/a") == [])
        #expect(template("a/{x}") == [])
    }
}
