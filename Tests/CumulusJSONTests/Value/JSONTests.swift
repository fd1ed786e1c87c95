// SPDX-License-Identifier: Apache-2.0

import CumulusJSON
import Testing

@Suite(.serialized) struct JSONTests {
    let sample: JSON = [
        "name": "Ada", "age": 36, "ratio": 0.5, "admin": true, "boss": nil,
        "tags": ["one", "two"], "nested": ["deep": ["deeper": 1]],
    ]

    @Test func literalsAndAccessors() {
        #expect(sample["name"].string == "Ada")
        #expect(sample["age"].int == 36)
        #expect(sample["age"].double == 36)
        #expect(sample["ratio"].double == 0.5)
        #expect(sample["ratio"].int == nil)
        #expect(sample["admin"].bool == true)
        #expect(sample["boss"].isNull)
        #expect(sample["tags"].array == ["one", "two"])
        #expect(sample["tags"][1].string == "two")
        #expect(sample["nested"]["deep"]["deeper"].number?.text == "1")
        #expect(sample.object?.keys.elementsEqual(["name", "age", "ratio", "admin", "boss", "tags", "nested"]) == true)
        #expect(sample["name"].int == nil)
        #expect(sample["age"].string == nil)
    }

    @Test func absentMembersAndElementsReadAsNull() {
        #expect(sample["none"]["at"][7]["all"].isNull)
        #expect(sample["tags"][2].isNull)
        #expect(sample["tags"][-1].isNull)
        #expect(sample.object?["none"] == nil)
        #expect(sample.object?["boss"] == .some(.null))
    }

    @Test func subscriptsChangeValuesInPlace() {
        var json = sample
        json["name"] = "Grace"
        json["nested"]["deep"]["new"] = 2
        json["tags"][0] = "zero"
        json["tags"][2] = "three"
        json["made"]["here"][0] = true
        json["tags"].array?.append("four")
        json["nested"].object?["deep"] = nil
        #expect(json["name"] == "Grace")
        #expect(json["tags"] == ["zero", "two", "three", "four"])
        #expect(json["nested"] == [:])
        #expect(json["made"] == ["here": [true]])
        #expect(sample["name"] == "Ada")
        #expect(sample["nested"]["deep"] == ["deeper": 1])
    }

    @Test func askingForAnotherKindLeavesTheValueAsItIs() {
        var json: JSON = "text"
        json.array?.append(1)
        json.object?["a"] = 1
        #expect(json == "text")
        json.array = [1]
        #expect(json == [1])
        json.object = ["a": 1]
        #expect(json == ["a": 1])
    }

    @Test func objectsKeepTheirOrderAndFindKeysInLargeOnes() throws {
        var object = JSON.Object()
        for number in (0..<5000).reversed() { object["key \(number)"] = .number(JSON.Number(number)) }
        #expect(object.count == 5000)
        #expect(object.first?.key == "key 4999")
        #expect((0..<5000).allSatisfy { (n: Int) in object["key \(n)"]?.int == n })
        #expect(object["key 5000"] == nil)
        #expect(object.removeValue(forKey: "key 2500") == 2500)
        #expect(object["key 2500"] == nil)
        #expect(object["key 2499"] == 2499)
        let parsed = try JSON(parsing: JSON.object(object).encoded())
        #expect(parsed.object?.keys.elementsEqual(object.keys) == true)
        #expect(parsed == .object(object))
        #expect((0..<5000).allSatisfy { (n: Int) in parsed["key \(n)"].int == (n == 2500 ? nil : n) })
    }

    @Test(arguments: [2, 3, 20, 200])
    func ofDuplicateKeysTheLastWinsAtThePlaceOfTheFirst(count: Int) throws {
        let members =
            (0..<count).map { "\"k\($0)\":\($0)" } + ["\"k1\":\"last\"", "\"k0\":null", "\"k1\":\"very last\""]
        let text = "{\(members.joined(separator: ","))}"
        for json in try JSON(parsing: "[\(text),\(text)]").array ?? [] {
            #expect(json.object?.count == count)
            #expect(json.object?.first?.key == "k0")
            #expect(json.object?["k0"] == .some(.null))
            #expect(json["k1"] == "very last")
            #expect(json.object?.keys.elementsEqual((0..<count).map { "k\($0)" }) == true)
        }
    }

    @Test func objectsOfOneTextShareKeysButNotChanges() throws {
        var json = try JSON(parsing: #"[{"a":1,"b":2},{"a":3,"b":4},{"a":5,"c":6},{"b":7,"a":8}]"#)
        json[0]["c"] = 9
        json[1]["a"] = 0
        #expect(json.description == #"[{"a":1,"b":2,"c":9},{"a":0,"b":4},{"a":5,"c":6},{"b":7,"a":8}]"#)
    }

    @Test func keysAreToldApartByTheirBytes() throws {
        let json = try JSON(parsing: #"{"\u00e9":1,"e\u0301":2}"#)
        #expect(json.object?.count == 2)
        #expect(json["\u{e9}"] == 1)
        #expect(json["e\u{301}"] == 2)
    }

    @Test func equalityDisregardsOrderAndSpelling() throws {
        let one = try JSON(parsing: #"{"a":1.0,"b":[100,-0,0.5]}"#)
        let other = try JSON(parsing: #"{"b":[1e2,0,5E-1],"a":1}"#)
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
        #expect(one != ["a": 1, "b": [100, 0]])
        #expect(JSON(floatLiteral: 0.1) == (try JSON(parsing: "0.1")))
        #expect(try JSON(parsing: "0.1") != JSON(parsing: "0.10000000000000001"))
    }
}

@Suite(.serialized) struct JSONNumberTests {
    @Test(arguments: [
        "0", "-0", "1", "-1", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
        "18446744073709551615", "18446744073709551616", "-9223372036854775809", "999999999999999999",
        "1000000000000000000", "12345678901234567890123.000100", "1E5", "1e+5", "1.50", "-0.0e-0", "1e400",
        "0.1000000000000000055511151231257827021181583404541015625", "1e99999999999999999999999",
    ])
    func isWrittenAsItWasRead(text: String) throws {
        let json = try JSON(parsing: " [\(text)] ")
        #expect(json.description == "[\(text)]")
        #expect(json[0].number?.text == text)
        #expect(JSON.Number(text: text)?.text == text)
        #expect(try JSON(parsing: json.description) == json)
    }

    @Test(arguments: ["", "-", "01", "+1", "1.", ".5", "1e", "1e+", "0x1", "NaN", "Infinity", " 1", "1 ", "1,2", "--1"])
    func refusesWhatIsNoNumber(text: String) {
        #expect(JSON.Number(text: text) == nil)
    }

    @Test func integersAreExactAndNeverWrap() {
        #expect(JSON.Number(text: "1e2")?.int == 100)
        #expect(JSON.Number(text: "12.0")?.int == 12)
        #expect(JSON.Number(text: "12.5")?.int == nil)
        #expect(JSON.Number(text: "-0.0")?.int == 0)
        #expect(JSON.Number(text: "9223372036854775807.0")?.int == Int.max)
        #expect(JSON.Number(text: "9223372036854775808")?.int == nil)
        #expect(JSON.Number(text: "-9223372036854775808e0")?.int == Int.min)
        #expect(JSON.Number(text: "1e1000000000000")?.int == nil)
        #expect(JSON.Number(text: "1e-5")?.int == nil)
        #expect(JSON.Number(UInt64.max).text == "18446744073709551615")
        #expect(JSON.Number(Int128.max).text == "170141183460469231731687303715884105727")
    }

    @Test func doublesAreNearestAndFinite() {
        #expect(JSON.Number(text: "0.1")?.double == 0.1)
        #expect(JSON.Number(text: "18446744073709551615")?.double == 0x1p64)
        #expect(JSON.Number(text: "1e400")?.double == .infinity)
        #expect(JSON.Number(text: "1e-400")?.double == 0)
        #expect(JSON.Number(Double.nan) == nil)
        #expect(JSON.Number(-Double.infinity) == nil)
        #expect(JSON.Number(3.0)?.text == "3")
        #expect(JSON.Number(Double.leastNonzeroMagnitude)?.text == "5e-324")
    }

    @Test func spellingsOfOneValueAreEqualAndHashAlike() throws {
        for group in [
            ["1", "1.0", "10e-1", "0.1E1"], ["0", "-0", "0.000", "0e9"], ["-1.5", "-15e-1", "-1.50"],
            ["18446744073709551616", "18446744073709551616.0"], ["1e300", "10e299"],
        ] {
            let numbers = group.compactMap { JSON.Number(text: $0) }
            #expect(numbers.count == group.count)
            #expect(Set(numbers).count == 1)
        }
        #expect(JSON.Number(1.5) == JSON.Number(text: "1.5"))
        #expect(JSON.Number(2.0) == JSON.Number(2))
        #expect(JSON.Number(text: "9007199254740993") != JSON.Number(9007199254740992.0))
    }
}
