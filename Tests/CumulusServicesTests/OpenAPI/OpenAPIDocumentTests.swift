// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusServices

/// The services made from OpenAPI documents.
@Suite struct OpenAPIDocumentTests {
    private static let shop = """
        {"openapi": "3.1.0", "info": {"title": "Shop", "summary": "Sells tea."},
         "servers": [{"url": "/v1"}, {"url": "https://{stage}.example.org/{base}", "description": "other",
           "variables": {"stage": {"default": "api", "enum": ["api", "test"]}, "base": {"default": "v1"}}}],
         "security": [{"token": []}, {}],
         "paths": {
          "/orders": {
           "parameters": [{"$ref": "#/components/parameters/page"}],
           "get": {"operationId": "list_orders", "summary": "Lists orders.",
             "parameters": [{"name": "tag", "in": "query", "schema": {"type": "array", "items": {"enum": ["a", "b"]}}},
                            {"name": "ids", "in": "query", "explode": false, "schema": {"type": "array"}},
                            {"name": "X-Trace", "in": "header", "schema": {"type": "string"}},
                            {"name": "Accept", "in": "header", "schema": {"type": "string"}}],
             "responses": {"200": {"description": "", "content": {"application/json": {}}}}},
           "post": {"operationId": "add_order", "security": [{"key": []}],
             "requestBody": {"$ref": "#/components/requestBodies/order"},
             "responses": {"201": {"description": ""}, "default": {"description": "",
               "content": {"application/problem+json": {}}}}}},
          "/orders/{order-id}/parts/{part}": {
           "delete": {"deprecated": true, "summary": "Removes a part.", "security": [],
             "parameters": [{"name": "order-id", "in": "path", "required": true, "schema": {"type": "integer"}},
                            {"name": "part", "in": "path", "required": true, "style": "matrix", "explode": true,
                             "schema": {"type": "array"}}]}}},
         "components": {
          "parameters": {"page": {"name": "page", "in": "query", "schema": {"type": ["integer", "null"]}}},
          "requestBodies": {"order": {"required": true, "content": {"application/json":
            {"schema": {"allOf": [{"$ref": "#/components/schemas/base"},
              {"type": "object", "required": ["page"], "properties": {"page": {"type": "integer"}}}]}}}}},
          "schemas": {"base": {"type": "object", "required": ["article"], "properties":
            {"article": {"type": "string"}, "id": {"type": "integer", "readOnly": true}}}},
          "securitySchemes": {"token": {"type": "http", "scheme": "bearer"},
            "key": {"type": "apiKey", "in": "header", "name": "X-Key"}}}}
        """

    private func document(_ text: String, from url: String? = "https://api.example.org/openapi.json") throws
        -> OpenAPIDocument
    {
        try OpenAPIDocument(json: Array(text.utf8), from: url)
    }

    private func document(paths: String, _ more: String = "") throws -> OpenAPIDocument {
        try document(#"{"openapi": "3.0.3", "info": {"title": "t"}, "paths": \#(paths)\#(more)}"#)
    }

    @Test func operationsBecomeEndpoints() throws {
        let document = try document(Self.shop)
        #expect(document.gaps.isEmpty, "\(document.gaps)")
        let service = document.service
        #expect(service.name == "Shop")
        #expect(service.endpoints.map(\.name) == ["list_orders", "add_order", "delete_orders_order_id_parts_part"])
        #expect(service.verify().isEmpty)
        let list = try #require(service["list_orders"])
        #expect(list.template.text == "orders")
        #expect(list[parameter: "tag"]?.style == .repeated && list[parameter: "ids"]?.style == .commas)
        #expect(list.summary == "Lists orders.")
        #expect(list.responseFormat == .json)
        #expect(list[parameter: "page"]?.kind == .integer)
        #expect(list[parameter: "tag"]?.allowedValues == ["a", "b"])
        #expect(list[parameter: "X-Trace"]?.place == .header)
        #expect(list[parameter: "Accept"] == nil)
    }

    @Test func membersOfBodiesAreParametersAndKeepTheirNames() throws {
        let add = try #require(try document(Self.shop).service["add_order"])
        #expect(add.method == .post)
        #expect(add.bodyFormat == .json)
        #expect(add[parameter: "article"]?.isRequired == true)
        #expect(add[parameter: "id"] == nil)
        // The query has a page as well.
        #expect(add[parameter: "page"]?.place == .query)
        #expect(add[parameter: "page_body"]?.sentName == "page")
        #expect(add.errors == .problemDetails)
    }

    @Test func variablesOfPathsGetNamesThatTemplatesTake() throws {
        let delete = try #require(try document(Self.shop).service["delete_orders_order_id_parts_part"])
        #expect(delete.template.text == "orders/{order_id}/parts/{;part*}")
        #expect(delete.summary == "Removes a part. (deprecated)")
        #expect(delete[parameter: "order_id"]?.kind == .integer)
        #expect(delete[parameter: "order_id"]?.isRequired == true)
    }

    @Test func securityBecomesANeed() throws {
        let service = try document(Self.shop).service
        #expect(service.authorization == .optional(.bearer))
        #expect(service["add_order"]?.authorization == .required(.keyInHeader("X-Key")))
        #expect(service["delete_orders_order_id_parts_part"]?.authorization == .anonymous)
        #expect(service["list_orders"]?.authorization == nil)
    }

    @Test func serversAreResolvedAndThoseElsewhereAreForeign() throws {
        let servers = try document(Self.shop, from: "https://shop.example.com/a/openapi.json").service.servers
        #expect(
            servers.map(\.url) == [
                "https://shop.example.com/v1", "https://api.example.org/v1", "https://test.example.org/v1",
            ]
        )
        #expect(servers.map(\.isThirdParty) == [false, true, true])
        #expect(Set(servers.map(\.name)).count == 3)
    }

    @Test func withoutAURLRelativeServersAreGaps() throws {
        let document = try document(Self.shop, from: nil)
        #expect(document.gaps.map(\.pointer) == ["/servers/0"])
        #expect(document.service.servers.map(\.isThirdParty) == [false, false])
    }

    @Test func aDescriptionSurvivesWritingAndReading() throws {
        let service = try document(Self.shop, from: "https://shop.example.com/openapi.json").service
        #expect(try ServiceDescription(service.json) == service)
    }

    @Test func identifiersThatAreTakenGetNumbers() throws {
        let document = try document(
            paths: """
                {"/a": {"get": {"operationId": "x"}, "put": {"operationId": "x"}}, "/b/{c}": {"get": {}},
                 "/b_c": {"get": {}}}
                """
        )
        #expect(document.service.endpoints.map(\.name) == ["x", "x_2", "get_b_c", "get_b_c_2"])
        // No parameter defines the variable.
        #expect(document.gaps.map(\.pointer) == ["/paths/~1b~1{c}/get"])
    }

    @Test func swaggerIsRead() throws {
        let document = try document(
            """
            {"swagger": "2.0", "info": {"title": "Old"}, "host": "old.example.org", "basePath": "/v2",
             "schemes": ["http", "https"], "consumes": ["application/json"], "produces": ["application/json"],
             "securityDefinitions": {"b": {"type": "basic"}}, "security": [{"b": []}],
             "paths": {"/pets/{id}": {"post": {"operationId": "change", "parameters": [
                {"name": "id", "in": "path", "type": "integer", "required": true},
                {"name": "tags", "in": "query", "type": "array", "collectionFormat": "multi"},
                {"name": "pipes", "in": "query", "type": "array", "collectionFormat": "pipes"},
                {"name": "pet", "in": "body", "required": true, "schema": {"$ref": "#/definitions/Pet"}}],
                "responses": {"200": {"description": ""}}},
               "put": {"operationId": "photo", "parameters": [
                {"name": "id", "in": "path", "type": "integer", "required": true},
                {"name": "photo", "in": "formData", "type": "file", "required": true}]}}},
             "definitions": {"Pet": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}}}
            """,
            from: nil
        )
        let service = document.service
        #expect(service.servers.map(\.url) == ["https://old.example.org/v2", "http://old.example.org/v2"])
        #expect(service.authorization == .required(.basic))
        let change = try #require(service["change"])
        #expect(change.template.text == "pets/{id}")
        #expect(change[parameter: "tags"]?.style == .repeated && change[parameter: "pipes"]?.style == .pipes)
        #expect(change[parameter: "name"] == EndpointParameter("name", in: .body, kind: .text, required: true))
        #expect(change.bodyFormat == .json)
        #expect(change.responseFormat == .json)
        #expect(document.gaps.isEmpty, "\(document.gaps)")
        let photo = try #require(service["photo"])
        #expect(photo.bodyFormat == .multipart)
        #expect(photo[parameter: "photo"]?.kind == .file)
    }

    // MARK: Gaps

    @Test func whatIsInOtherDocumentsIsNamedAndNeverOpened() throws {
        let document = try document(
            paths: """
                {"/a": {"$ref": "file:///etc/passwd"}, "/b": {"get": {"operationId": "b", "parameters": [
                  {"$ref": "https://evil.example/p.json#/x"}, {"$ref": "other.yaml"}, {"$ref": "#/nowhere"}]}}}
                """
        )
        #expect(document.service.endpoints.map(\.name) == ["b"])
        #expect(
            document.gaps.map(\.pointer) == [
                "/paths/~1a", "/paths/~1b/get/parameters/0", "/paths/~1b/get/parameters/1",
                "/paths/~1b/get/parameters/2",
            ]
        )
        #expect(document.gaps[1].message.contains("not opened"))
    }

    @Test func referencesInACircleEnd() throws {
        let document = try document(
            paths: """
                {"/a": {"post": {"operationId": "a", "parameters": [{"$ref": "#/components/parameters/x"}],
                  "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/s"}}}}}}}
                """,
            """
            , "components": {"parameters": {"x": {"$ref": "#/components/parameters/y"},
              "y": {"$ref": "#/components/parameters/x"}},
              "schemas": {"s": {"allOf": [{"$ref": "#/components/schemas/s"}],
                "properties": {"n": {"type": "string"}}}}}
            """
        )
        #expect(document.service["a"]?.parameters.map(\.name) == ["n"])
        #expect(document.gaps.count == 2)
    }

    @Test func compositionsThatDoubleAtEachLevelEnd() throws {
        // Each schema is composed of the next, three or eight times.
        let depth = SlowTests.rounds(20, of: 40)
        let schemas = (0..<depth).map { level in
            let parts = (0..<SlowTests.rounds(3, of: 8)).map { _ in
                ##"{"$ref": "#/components/schemas/s\##(level + 1)"}"##
            }.joined(separator: ",")
            return #""s\#(level)": {"allOf": [\#(parts)]}"#
        }
        let document = try document(
            paths: """
                {"/a": {"post": {"operationId": "a", "requestBody":
                  {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/s0"}}}}}}}
                """,
            #", "components": {"schemas": {\#(schemas.joined(separator: ",")), "s\#(depth)": {}}}"#
        )
        #expect(document.service.endpoints.map(\.name) == ["a"])
        #expect(document.gaps.count <= 1_000)
    }

    @Test func whatOneRequestCanNotSayIsNamed() throws {
        let document = try document(
            paths: """
                {"/a": {"get": {"operationId": "a", "callbacks": {}, "servers": [{"url": "https://other.example.org"}],
                  "security": [{"one": [], "two": []}], "requestBody": {"content": {"application/json": {}}},
                  "parameters": [{"name": "c", "in": "cookie", "schema": {"type": "array"}}, {"name": "gone", "in": "path", "required": true}]}},
                 "relative": {"get": {}}}
                """,
            """
            , "webhooks": {}, "components": {"securitySchemes":
              {"one": {"type": "http", "scheme": "basic"}, "two": {"type": "apiKey", "in": "cookie", "name": "c"}}}
            """
        )
        let pointers = Set(document.gaps.map(\.pointer))
        for pointer in [
            "/webhooks", "/paths/relative", "/paths/~1a/get", "/paths/~1a/get/callbacks", "/paths/~1a/get/security/0",
            "/paths/~1a/get/parameters/0", "/paths/~1a/get/parameters/1", "/components/securitySchemes/two",
        ] {
            #expect(pointers.contains(pointer), "\(pointer)")
        }
        #expect(document.service["a"]?.server == "https://other.example.org")
    }

    @Test func endpointsThatCouldNeverBeCalledAreLeftOut() throws {
        let document = try document(paths: #"{"/a}b": {"get": {}}, "/a/../b": {"get": {}}, "/c": {"get": {}}}"#)
        #expect(document.service.endpoints.map(\.name) == ["get_c"])
        #expect(document.gaps.count == 2)
    }

    @Test func whatIsBehindANumberSignInAPathTellsOperationsApartAndIsNotSent() throws {
        // As in descriptions of services whose operations all have one path.
        let document = try document(
            paths: """
                {"/#X-Target=Get": {"post": {"operationId": "Get"}}, "/a/{b}#c": {"get": {"parameters": [
                  {"name": "b", "in": "path", "required": true, "schema": {"type": "string"}}]}}}
                """
        )
        #expect(document.service.endpoints.map(\.name) == ["Get", "get_a_b_c"])
        #expect(document.service.endpoints.map(\.template.text) == ["", "a/{b}"])
        #expect(document.gaps.map(\.pointer) == ["/paths/~1#X-Target=Get", "/paths/~1a~1{b}#c"])
    }

    @Test func queryAndOtherMethodsAreOperations() throws {
        let document = try document(
            """
            {"openapi": "3.2.0", "info": {"title": "t"}, "servers": [{"url": "http://a.example"}], "paths": {"/a": {
              "query": {"operationId": "find", "requestBody": {"content": {"application/json": {"schema":
                {"type": "object", "properties": {"text": {"type": "string"}}}}}}},
              "additionalOperations": {"COPY": {"operationId": "copy"}, "no method": {}, "LINK": {}}}}}
            """
        )
        #expect(document.version == "3.2.0")
        #expect(document.service.endpoints.map(\.name) == ["find", "copy", "link_a"])
        #expect(document.service.endpoints.map(\.method.rawValue) == ["QUERY", "COPY", "LINK"])
        #expect(document.service["find"]?[parameter: "text"]?.place == .body)
        #expect(document.gaps.map(\.pointer) == ["/paths/~1a/additionalOperations/no method"])
    }

    @Test(arguments: [
        "[]", "{}", #"{"openapi": "4.0.0"}"#, #"{"swagger": "1.2"}"#, #"{"openapi": {}}"#, "no",
    ])
    func whatIsNoOpenAPIIsRefused(_ text: String) {
        #expect(throws: ServiceProblems.self) { try OpenAPIDocument(json: Array(text.utf8)) }
    }

    @Test(arguments: [
        #"{"openapi": "3.0.0"}"#, #"{"openapi": "3.0.0", "paths": []}"#, #"{"openapi": "3.0.0", "paths": {"/": 1}}"#,
        #"{"openapi": "3.0.0", "paths": {"/": {"get": []}}, "servers": {}}"#,
        #"{"openapi": "3.0.0", "paths": {"/{": {"get": {"parameters": 1, "requestBody": [], "responses": 2}}}}"#,
        #"{"openapi": "3.0.0", "security": [[]], "servers": [{"url": "ftp://x"}, {"url": "//["}, 1], "paths": {}}"#,
    ])
    func strangeShapesAreNoErrors(_ text: String) throws {
        _ = try OpenAPIDocument(json: Array(text.utf8), from: "http://localhost/")
    }

    @Test func aPathWithoutOperationsIsNamed() throws {
        let gaps = try document(paths: #"{"/a": {"parameters": []}, "/b": {"get": {}}}"#).gaps
        #expect(gaps.map(\.description) == ["/paths/~1a: the path has no operations"])
    }

    @Test func gapsAreBounded() throws {
        let paths = (0..<2_000).map { #""x\#($0)": {}"# }.joined(separator: ",")
        #expect(try document(paths: "{\(paths)}").gaps.count == 1_000)
    }

    // MARK: Huge documents

    /// The time limit for reading in a debug build on a busy machine; without bounds it would take hours.
    private static let patience: Duration = .seconds(300)

    private func read(paths: String, _ more: String = "") throws -> OpenAPIDocument {
        let start = ContinuousClock.now
        let document = try document(paths: paths, more)
        // Far more than a busy machine takes.
        #expect(ContinuousClock.now - start < Self.patience)
        #expect(document.gaps.count <= 1_000)
        return document
    }

    @Test func manyVariablesAreAGap() throws {
        let path = (0..<8_000).map { "/{v\($0)}" }.joined()
        let read = try read(paths: #"{"\#(path)": {"get": {"operationId": "a"}}}"#)
        #expect(read.service.endpoints.isEmpty)
        #expect(read.gaps[0].message.contains("variables"))
    }

    @Test func manyParametersAreBounded() throws {
        let parameters = (0..<1_500).map { #"{"name":"p\#($0)","in":"query"}"# }.joined(separator: ",")
        let methods = ["get", "put", "post", "delete"].map { #""\#($0)":{}"# }.joined(separator: ",")
        let paths = (0..<5).map { #""/a\#($0)":{"parameters":[\#(parameters)],\#(methods)}"# }.joined(separator: ",")
        let read = try read(paths: "{\(paths)}")
        #expect(read.service.endpoints.count == 20)
        #expect(read.service.endpoints.allSatisfy { $0.parameters.count == 1_000 })
    }

    @Test func manyReferencesToOneChainEnd() throws {
        let chain = (0..<31).map { ##""r\##($0)": {"$ref": "#/components/parameters/r\##($0 + 1)"}"## }
        let last = #""r31": {"name": "q", "in": "query"}"#
        let uses = (0..<900).map { _ in ##"{"$ref": "#/components/parameters/r0"}"## }.joined(separator: ",")
        let paths = (0..<20).map { #""/a\#($0)": {"get": {"parameters": [\#(uses)]}}"# }.joined(separator: ",")
        let components = (chain + [last]).joined(separator: ",")
        let read = try read(paths: "{\(paths)}", #", "components": {"parameters": {\#(components)}}"#)
        #expect(read.service.endpoints.count == 20)
        #expect(!read.gaps.isEmpty)
    }

    @Test func deepDocumentsAreRefused() {
        let deep = String(repeating: #"{"a":"#, count: 100_000)
        #expect(throws: ServiceProblems.self) { try document(deep) }
    }
}
