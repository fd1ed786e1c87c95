// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Testing

@Suite struct URITemplateTests {
    @Test func valuesAreWhatAQueryTakes() throws {
        let template = try URITemplate(parsing: "users/{login}{?page,tags,exact,sort*}")
        let text = try template.expand([
            "login": "a b/c", "page": 2, "tags": ["x", "y"], "exact": true, "sort": ["by": "name"] as Query,
        ])
        #expect(text == "users/a%20b%2Fc?page=2&tags=x,y&exact=true&by=name")
        #expect(template.variables == ["login", "page", "tags", "exact", "sort"])
    }

    @Test func whatHasNoValueIsLeftOut() throws {
        let template = try URITemplate(parsing: "a{/b}{?c,d,e}")
        #expect(try template.expand(["c": nil, "d": [String](), "e": ""]) == "a?e=")
        #expect(try template.expand([:]) == "a")
    }

    @Test(
        arguments: [
            ("a{b", .unclosedExpression, 1, "{b"), ("a b", .forbiddenCharacter, 1, " "),
            ("50%", .malformedEscape, 2, "%"), ("{}", .emptyExpression, 0, "{}"), ("{?}", .emptyExpression, 0, "{?}"),
            ("x{!a}", .unknownOperator, 1, "{!a}"), ("{a b}", .malformedVariable, 0, "{a b}"),
            ("{a,}", .malformedVariable, 0, "{a,}"), ("{a:0}", .malformedModifier, 0, "{a:0}"),
            ("{a:10000}", .malformedModifier, 0, "{a:10000}"), ("é}", .forbiddenCharacter, 2, "}"),
        ] as [(String, URITemplate.Problem.Reason, Int, String)]
    )
    func whatIsWrongIsToldWithItsPlace(text: String, reason: URITemplate.Problem.Reason, offset: Int, part: String) {
        #expect {
            _ = try URITemplate(parsing: text)
        } throws: { error in
            let problem = error as? URITemplate.Problem
            return problem?.reason == reason && problem?.offset == offset && problem?.part == part
        }
        #expect(URITemplate(lenient: text).problems.first?.offset == offset)
    }

    @Test func aLenientTemplateLeavesWhatIsWrongAsItIs() {
        let template = URITemplate(lenient: "{a}/{!b}/{c:2}/{d")
        let expansion = template.expandLeniently(["a": 1, "c": ["x"]])
        #expect(expansion.text == "1/{!b}/{c:2}/{d")
        #expect(expansion.problems.map(\.reason) == [.unknownOperator, .prefixOfList, .unclosedExpression])
        #expect(expansion.problems.map(\.offset) == [4, 9, 15])
        #expect(throws: URITemplate.Problem.self) { try template.expand(["a": 1]) }
    }

    @Test func aSecondExpressionIsRightToo() throws {
        // Cycles kept the state of the first one.
        #expect(try URITemplate(parsing: "{?a}{&b}{/c}{d}").expand(["a": 1, "b": 2, "c": 3, "d": 4]) == "?a=1&b=2/34")
    }

    @Test func aPrefixCountsCharactersAndKeepsEscapesWhole() throws {
        #expect(try URITemplate(parsing: "{a:2}").expand(["a": "éüx"]) == "%C3%A9%C3%BC")
        #expect(try URITemplate(parsing: "{+a:2}").expand(["a": "%20bc"]) == "%20b")
        #expect(try URITemplate(parsing: "{a:2}").expand(["a": "%20bc"]) == "%252")
    }

    @Test(
        "a prefix never cuts a character that comes in several escapes",
        arguments: [
            ("{+a:1}", "%C3%A9llo", "%C3%A9"), ("{#a:1}", "%E2%82%AC5", "#%E2%82%AC"),
            ("{+a:2}", "%F0%9F%98%80%41b", "%F0%9F%98%80%41"), ("{+a:3}", "%61%62%63%64", "%61%62%63"),
            // Bytes that aren't UTF-8 count one by one; an escape that isn't whole is text.
            ("{+a:1}", "%C3%41", "%C3"), ("{+a:1}", "%C3", "%C3"), ("{+a:1}", "%E2%82x", "%E2"),
            ("{+a:2}", "%C3%A", "%C3%25"),
            ("{a:3}", "%C3%A9", "%25C3"),
        ]
    )
    func escapedCharacters(template: String, value: String, expansion: String) throws {
        #expect(try URITemplate(parsing: template).expand(["a": value]) == expansion)
    }

    @Test func aJoinerBehindABraceHidesNothing() throws {
        // U+200D combines with the preceding character.
        #expect(try URITemplate(parsing: "{a}\u{200D}/{b}").expand(["a": 1, "b": 2]) == "1%E2%80%8D/2")
        #expect(throws: URITemplate.Problem.self) { try URITemplate(parsing: "{a\u{301}}") }
    }

    @Test func sizesAreBounded() throws {
        let long = String(repeating: "a", count: URITemplate.maximumLength + 1)
        #expect(throws: URITemplate.Problem.self) { try URITemplate(parsing: long) }
        let value = String(repeating: "/", count: URITemplate.maximumExpansion / 2)
        #expect { try URITemplate(parsing: "{a}").expand(["a": value]) } throws: { error in
            (error as? URITemplate.Problem)?.reason == .expansionTooLong
        }
        #expect(throws: URITemplate.Problem.self) { try URITemplate(parsing: "{+a}{+a}{+a}").expand(["a": value]) }
    }

    @Test func valuesInValuesAreRefused() throws {
        let nested: URITemplate.Values = ["a": [["b"]]]
        #expect { try URITemplate(parsing: "{a}").expand(nested) } throws: { error in
            (error as? URITemplate.Problem)?.reason == .nestedValue
        }
    }

    @Test func templatesAreTextsToCoders() throws {
        let template: URITemplate = "users/{login}"
        let json = try JSON(encoding: [template])
        #expect(json == ["users/{login}"])
        #expect(try json.decode(as: [URITemplate].self) == [template])
        #expect(throws: DecodingError.self) { try JSON.array(["{"]).decode(as: [URITemplate].self) }
    }
}
