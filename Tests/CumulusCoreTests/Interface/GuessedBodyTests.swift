// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Bodies written as those write them who have not read the documentation.
@Suite struct GuessedBodyTests {
    struct Post: Codable, Sendable { var title: String }

    private let echo = Echo()
    private var sent: String? { echo.transport.lastRequest?.text }

    @Test func aLiteralOfSeveralTypesIsABody() async throws {
        let (name, count, missing) = ("me", 3, String?.none)
        _ = try await echo.site.post(["username": "me", "n": 1])
        #expect(sent == #"{"username":"me","n":1}"#)
        #expect(echo.transport.lastRequest?.headers["Content-Type"] == "application/json")
        _ = try await echo.site.post(["name": name, "n": count, "gone": missing, "nil": nil, "post": Post(title: "a")])
        #expect(sent == #"{"name":"me","n":3,"gone":null,"nil":null,"post":{"title":"a"}}"#)
        _ = try await echo.site.put([name, count, nil])
        #expect(sent == #"["me",3,null]"#)
        _ = try await echo.site.post(["user": ["name": "me", "n": 1] as JSON, "id": count])
        #expect(sent == #"{"user":{"name":"me","n":1},"id":3}"#)
    }

    @Test func aLiteralOfOneTypeStaysTheValueThatItWas() async throws {
        _ = try await echo.site.post(["a": "b"])
        #expect(sent == #"{"a":"b"}"#)
        _ = try await echo.site.post([1, 2])
        #expect(sent == "[1,2]")
    }

    @Test func aMixedLiteralIsEncodedAsTheContentTypeSays() async throws {
        let count = 3
        echo.site.setRules { $0.headers["Content-Type"] = "application/x-www-form-urlencoded" }
        _ = try await echo.site.post(["name": "a b", "n": count])
        #expect(sent == "name=a%20b&n=3" || sent == "name=a+b&n=3")
    }

    @Test func jsonTakesVariablesOfSeveralTypesAsFormsDo() async throws {
        let (name, count, isOn) = ("me", 3, true)
        _ = try await echo.site.post(.json(["name": name, "n": count, "on": isOn, "at": nil]))
        #expect(sent == #"{"name":"me","n":3,"on":true,"at":null}"#)
        _ = try await echo.site.post(.json(["nested": ["deep": [1, "a", nil]]]))
        #expect(sent == #"{"nested":{"deep":[1,"a",null]}}"#)
    }

    @Test func whatCannotBeWrittenInAMixedLiteralIsAnEncodingError() async throws {
        let error = try await failure { try await echo.site.post(["x": Double.nan, "n": 1]) }
        #expect(error.code == .encoding)
    }

    @Test func everyScalarIsJSON() throws {
        let (text, part, int, small, wide) = ("a", "bc".dropFirst(), 7, UInt8(8), UInt64.max)
        let (double, float, isOn) = (1.5, Float(0.1), true)
        let exact = try #require(Decimal(string: "0.1000000000000000000000000001"))
        let id = try #require(UUID(uuidString: "6F9619FF-8B86-D011-B42D-00C04FC964FF"))
        let values = [
            JSON(text), JSON(part), JSON(int), JSON(small), JSON(wide), JSON(double), JSON(float), JSON(isOn),
            JSON(exact), JSON(id),
        ]
        #expect(
            values.map(\.description) == [
                #""a""#, #""c""#, "7", "8", "18446744073709551615", "1.5", "0.1", "true",
                "0.1000000000000000000000000001", #""6f9619ff-8b86-d011-b42d-00c04fc964ff""#,
            ]
        )
    }

    @Test func whatIsNilOrNoNumberIsNull() {
        let (text, int, double, isOn) = (String?.none, Int?.none, Double?.none, Bool?.none)
        let values = [JSON(text), JSON(int), JSON(double), JSON(isOn), JSON(UUID?.none)]
        #expect(values == [.null, .null, .null, .null, .null])
        #expect(JSON(Double.infinity) == .null)
        #expect(JSON(Float.nan) == .null)
        #expect(JSON(Decimal.nan) == .null)
        #expect(JSON(Int?.some(4)) == 4)
    }

    @Test func valuesAreCarriedByAnyMethod() async throws {
        let post = Post(title: "a")
        _ = try await echo.site.post(body: post)
        #expect(sent == #"{"title":"a"}"#)
        _ = try await echo.site.call(try #require(HTTPRequest.Method("PROPPATCH")), body: post).send()
        #expect(echo.transport.lastRequest?.method.rawValue == "PROPPATCH")
        #expect(sent == #"{"title":"a"}"#)
        _ = try await echo.site.put(body: post)
        #expect(echo.transport.lastRequest?.method == .put)
        #expect(sent == #"{"title":"a"}"#)
    }
}
