// SPDX-License-Identifier: Apache-2.0

/// Makes the file that is read and written: the same for the same seed, in compact JSON as an API sends it.
///
/// The members are those of a page of short messages: many keys that repeat, short strings in several scripts, links,
/// large integers, a few floating-point numbers, and an escape here and there.
struct TimelineGenerator {
    private var state: UInt64
    private var text = ""

    init(seed: UInt64) { state = seed }

    /// Text of at least so many bytes.
    mutating func text(ofAtLeast size: Int) -> String {
        text = #"{"statuses":["#
        var count = 0
        while text.utf8.count < size {
            if count > 0 { text += "," }
            appendStatus()
            count += 1
        }
        text += #"],"search_metadata":{"completed_in":0.087,"max_id":505874924095815681,"#
        text += #""next_results":"?max_id=505874847260352512&q=clouds&count=100","query":"clouds","count":\#(count)}}"#
        return text
    }

    private mutating func appendStatus() {
        let id = 505_874_000_000_000_000 + random(below: 924_095_815_681)
        text += #"{"created_at":"\#(date())","id":\#(id),"id_str":"\#(id)","text":"\#(sentence(4...16))","#
        text += #""source":"<a href=\"https://example.com/clients/\#(word())\" rel=\"nofollow\">\#(word())</a>","#
        text += #""truncated":\#(chance(4)),"#
        if chance(25) {
            let other = id - random(below: 1_000_000_000)
            text += #""in_reply_to_status_id":\#(other),"in_reply_to_screen_name":"\#(name())","#
        } else {
            text += #""in_reply_to_status_id":null,"in_reply_to_screen_name":null,"#
        }
        appendUser()
        if chance(10) {
            text += #","coordinates":{"type":"Point","coordinates":[\#(degrees()),\#(degrees())]}"#
        } else {
            text += #","coordinates":null"#
        }
        text += #","retweet_count":\#(random(below: 500)),"favorite_count":\#(random(below: 900)),"#
        appendEntities()
        text += #","favorited":\#(chance(10)),"retweeted":\#(chance(10)),"#
        if chance(40) { text += #""possibly_sensitive":\#(chance(5)),"# }
        text += #""lang":"\#(pick(["en", "ja", "de", "es", "pt"]))"}"#
    }

    private mutating func appendUser() {
        let id = random(below: 2_800_000_000)
        text += #""user":{"id":\#(id),"id_str":"\#(id)","name":"\#(sentence(1...3))","screen_name":"\#(name())","#
        text += #""location":"\#(chance(50) ? word() : "")","description":"\#(sentence(0...24))","#
        text += chance(40) ? #""url":"\#(link())","# : #""url":null,"#
        text += #""protected":\#(chance(5)),"followers_count":\#(random(below: 20_000)),"#
        text += #""friends_count":\#(random(below: 5_000)),"listed_count":\#(random(below: 90)),"#
        text += #""created_at":"\#(date())","favourites_count":\#(random(below: 9_000)),"#
        text += chance(50) ? #""utc_offset":32400,"time_zone":"Tokyo","# : #""utc_offset":null,"time_zone":null,"#
        text += #""geo_enabled":\#(chance(30)),"verified":\#(chance(3)),"statuses_count":\#(random(below: 90_000)),"#
        text += #""lang":"\#(pick(["en", "ja", "de"]))","profile_background_color":"C0DEED","#
        text += #""profile_image_url_https":"https://images.example.com/\#(id)/\#(name())_normal.jpeg","#
        text += #""profile_use_background_image":true,"default_profile":\#(chance(50)),"following":false}"#
    }

    private mutating func appendEntities() {
        text += #""entities":{"hashtags":["#
        for index in 0..<count(upTo: 3) {
            text += index > 0 ? "," : ""
            text += #"{"text":"\#(word())","indices":[\#(random(below: 70)),\#(70 + random(below: 70))]}"#
        }
        text += #"],"symbols":[],"urls":["#
        for index in 0..<count(upTo: 2) {
            text += index > 0 ? "," : ""
            text += #"{"url":"\#(link())","expanded_url":"\#(link())/\#(name())","display_url":"\#(word()).example","#
            text += #""indices":[\#(random(below: 70)),\#(70 + random(below: 70))]}"#
        }
        text += #"],"user_mentions":["#
        for index in 0..<count(upTo: 3) {
            let id = random(below: 2_800_000_000)
            text += index > 0 ? "," : ""
            text += #"{"screen_name":"\#(name())","name":"\#(sentence(1...2))","id":\#(id),"id_str":"\#(id)","#
            text += #""indices":[\#(random(below: 70)),\#(70 + random(below: 70))]}"#
        }
        text += "]}"
    }

    private mutating func sentence(_ range: ClosedRange<Int>) -> String {
        let count = range.lowerBound + Int(random(below: UInt64(range.count)))
        let isJapanese = chance(35)
        var words: [String] = []
        for _ in 0..<count { words.append(isJapanese ? pick(Self.japanese) : word()) }
        let end = pick(["", "", "", ".", "!", #"\n"#, #" \"ok\""#, " ☁️", " 😀"])
        return words.joined(separator: isJapanese ? "" : " ") + (range.lowerBound > 3 ? end : "")
    }

    private mutating func word() -> String { pick(Self.words) }
    private mutating func name() -> String { "\(pick(Self.words))_\(random(below: 10_000))" }
    private mutating func link() -> String { "https://t.example/\(String(random(below: 1 << 50), radix: 36))" }
    private mutating func degrees() -> String { "\(random(below: 180)).\(100_000 + random(below: 899_999))" }

    private mutating func date() -> String {
        let (day, hour) = (10 + random(below: 18), 10 + random(below: 14))
        return "Sun Aug \(day) \(hour):\(10 + random(below: 50)):\(10 + random(below: 50)) +0000 2014"
    }

    /// Whether something holds that does in so many of a hundred cases.
    private mutating func chance(_ percent: UInt64) -> Bool { random(below: 100) < percent }
    private mutating func count(upTo limit: UInt64) -> Int { chance(45) ? 0 : Int(random(below: limit)) }
    private mutating func pick(_ choices: [String]) -> String { choices[Int(random(below: UInt64(choices.count)))] }

    /// SplitMix64 (Steele, Lea and Flood, 2014).
    private mutating func random(below limit: UInt64) -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return (value ^ value >> 31) % limit
    }

    private static let words = [
        "cloud", "rain", "sky", "thunder", "mist", "storm", "the", "over", "under", "weather", "morning", "wind",
        "sun", "is", "was", "in", "bright", "gray", "Wolke", "größer", "météo", "mañana", "front", "cumulus",
    ]
    private static let japanese = ["雲", "今日は", "晴れ", "天気", "空が", "きれい", "です", "雨", "明日", "風", "の", "を見る", "。"]
}
