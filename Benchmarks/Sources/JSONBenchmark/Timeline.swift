// SPDX-License-Identifier: Apache-2.0

/// A page of short messages, as a type; every member of the file has its property.
struct Timeline: Codable {
    var statuses: [Status]
    var search_metadata: SearchMetadata

    struct SearchMetadata: Codable {
        var completed_in: Double
        var max_id: UInt64
        var next_results: String
        var query: String
        var count: Int
    }

    struct Status: Codable {
        var created_at: String
        var id: UInt64
        var id_str: String
        var text: String
        var source: String
        var truncated: Bool
        var in_reply_to_status_id: UInt64?
        var in_reply_to_screen_name: String?
        var user: User
        var coordinates: Coordinates?
        var retweet_count: Int
        var favorite_count: Int
        var entities: Entities
        var favorited: Bool
        var retweeted: Bool
        var possibly_sensitive: Bool?
        var lang: String
    }

    struct User: Codable {
        var id: Int
        var id_str: String
        var name: String
        var screen_name: String
        var location: String
        var description: String
        var url: String?
        var protected: Bool
        var followers_count: Int
        var friends_count: Int
        var listed_count: Int
        var created_at: String
        var favourites_count: Int
        var utc_offset: Int?
        var time_zone: String?
        var geo_enabled: Bool
        var verified: Bool
        var statuses_count: Int
        var lang: String
        var profile_background_color: String
        var profile_image_url_https: String
        var profile_use_background_image: Bool
        var default_profile: Bool
        var following: Bool
    }

    struct Coordinates: Codable {
        var type: String
        var coordinates: [Double]
    }

    struct Entities: Codable {
        var hashtags: [Hashtag]
        var symbols: [String]
        var urls: [Link]
        var user_mentions: [Mention]
    }

    struct Hashtag: Codable {
        var text: String
        var indices: [Int]
    }

    struct Link: Codable {
        var url: String
        var expanded_url: String
        var display_url: String
        var indices: [Int]
    }

    struct Mention: Codable {
        var screen_name: String
        var name: String
        var id: Int
        var id_str: String
        var indices: [Int]
    }
}
