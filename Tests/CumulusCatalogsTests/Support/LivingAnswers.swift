// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusCatalogs

/// Answers from Mastodon's documentation.
enum MastodonAnswer {
    private static let accountText =
        #"{"id":"17","username":"ada","acct":"ada","display_name":"Ada","followers_count":3}"#
    private static let statusText = """
        {"id":"103254962155278888","created_at":"2019-12-05T11:34:47.196Z","content":"<p>Clouds</p>","favourited":true,\
        "reblogged":false,"visibility":"public","media_attachments":[],"account":\(accountText)}
        """
    private static let relationText = #"{"id":"17","following":true,"followed_by":false}"#

    static let account = CannedAnswer(json: accountText, "17 ada")
    static let accounts = CannedAnswer(json: "[\(accountText)]", "17 ada")
    static let status = CannedAnswer(json: statusText, "103254962155278888 ada true")
    static let statuses = CannedAnswer(json: "[\(statusText)]", "103254962155278888 ada true")
    static let context = CannedAnswer(
        json: #"{"ancestors":[\#(statusText)],"descendants":[]}"#,
        "103254962155278888 ada true"
    )
    static let relation = CannedAnswer(json: relationText, "17 true false")
    static let relations = CannedAnswer(json: "[\(relationText)]", "17 true false")
    static let media = CannedAnswer(json: #"{"id":"22","type":"image","url":null,"preview_url":"p"}"#, "22 image p")
    static let lists = CannedAnswer(json: #"[{"id":"3","title":"Friends"}]"#, "3 Friends")
    static let notifications = CannedAnswer(
        json: #"[{"id":"5","type":"mention","account":\#(accountText),"status":\#(statusText)}]"#,
        "5 mention 17 ada"
    )
    static let results = CannedAnswer(
        json: #"{"accounts":[\#(accountText)],"statuses":[],"hashtags":[{"name":"sky","url":"u","history":[]}]}"#,
        "17 ada sky"
    )
}

/// Answers from GitHub's documentation.
enum GitHubAnswer {
    private static let userText = #"{"login":"ada","id":17,"type":"User","html_url":"u","public_repos":2}"#
    private static let repositoryText =
        #"{"id":3,"name":"sky","full_name":"ada/sky","private":false,"owner":\#(userText)}"#
    private static let issueText = """
        {"number":7,"title":"Clouds","state":"open","user":\(userText),"labels":[{"name":"bug","color":"f29513"}],\
        "comments":0,"created_at":"2011-04-22T13:33:48Z"}
        """
    private static let pullText = """
        {"number":8,"title":"Rain","state":"open","draft":true,"head":{"ref":"rain","sha":"a"},"base":{"ref":"main"}}
        """
    private static let assetText =
        #"{"id":9,"name":"a.zip","content_type":"application/zip","size":3,"download_count":1}"#
    private static let releaseText = #"{"id":5,"tag_name":"v1","name":"One","draft":false,"assets":[\#(assetText)]}"#
    private static let commentText = #"{"id":4,"body":"Me too","user":\#(userText)}"#

    static let user = CannedAnswer(json: userText, "ada 17 2")
    static let repository = CannedAnswer(json: repositoryText, "ada/sky ada")
    static let repositories = CannedAnswer(json: "[\(repositoryText)]", "ada/sky ada")
    static let issue = CannedAnswer(json: issueText, "7 open bug")
    static let issues = CannedAnswer(json: "[\(issueText)]", "7 open bug")
    static let comment = CannedAnswer(json: commentText, "Me too ada")
    static let comments = CannedAnswer(json: "[\(commentText)]", "Me too ada")
    static let pull = CannedAnswer(json: pullText, "8 rain main true")
    static let pulls = CannedAnswer(json: "[\(pullText)]", "8 rain main true")
    static let release = CannedAnswer(json: releaseText, "5 v1 a.zip")
    static let releases = CannedAnswer(json: "[\(releaseText)]", "5 v1 a.zip")
    static let asset = CannedAnswer(json: assetText, "9 a.zip 3")
    static let assets = CannedAnswer(json: "[\(assetText)]", "9 a.zip 3")

    static func found(_ kind: String) -> CannedAnswer {
        let (text, shown) =
            switch kind {
            case "user": (userText, "ada 17 2")
            case "issue": (issueText, "7 open bug")
            default: (repositoryText, "ada/sky ada")
            }
        return CannedAnswer(json: #"{"total_count":1,"incomplete_results":false,"items":[\#(text)]}"#, "1 \(shown)")
    }
}
