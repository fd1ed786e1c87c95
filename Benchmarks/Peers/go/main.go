// SPDX-License-Identifier: Apache-2.0

// Answers like `JSONBenchmark serve FILE`, with Go's encoding/json.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"time"
)

type timeline struct {
	Statuses       []status       `json:"statuses"`
	SearchMetadata searchMetadata `json:"search_metadata"`
}

type searchMetadata struct {
	CompletedIn float64 `json:"completed_in"`
	MaxID       uint64  `json:"max_id"`
	NextResults string  `json:"next_results"`
	Query       string  `json:"query"`
	Count       int     `json:"count"`
}

type status struct {
	CreatedAt           string       `json:"created_at"`
	ID                  uint64       `json:"id"`
	IDStr               string       `json:"id_str"`
	Text                string       `json:"text"`
	Source              string       `json:"source"`
	Truncated           bool         `json:"truncated"`
	InReplyToStatusID   *uint64      `json:"in_reply_to_status_id,omitempty"`
	InReplyToScreenName *string      `json:"in_reply_to_screen_name,omitempty"`
	User                user         `json:"user"`
	Coordinates         *coordinates `json:"coordinates,omitempty"`
	RetweetCount        int          `json:"retweet_count"`
	FavoriteCount       int          `json:"favorite_count"`
	Entities            entities     `json:"entities"`
	Favorited           bool         `json:"favorited"`
	Retweeted           bool         `json:"retweeted"`
	PossiblySensitive   *bool        `json:"possibly_sensitive,omitempty"`
	Lang                string       `json:"lang"`
}

type user struct {
	ID                        int     `json:"id"`
	IDStr                     string  `json:"id_str"`
	Name                      string  `json:"name"`
	ScreenName                string  `json:"screen_name"`
	Location                  string  `json:"location"`
	Description               string  `json:"description"`
	URL                       *string `json:"url,omitempty"`
	Protected                 bool    `json:"protected"`
	FollowersCount            int     `json:"followers_count"`
	FriendsCount              int     `json:"friends_count"`
	ListedCount               int     `json:"listed_count"`
	CreatedAt                 string  `json:"created_at"`
	FavouritesCount           int     `json:"favourites_count"`
	UTCOffset                 *int    `json:"utc_offset,omitempty"`
	TimeZone                  *string `json:"time_zone,omitempty"`
	GeoEnabled                bool    `json:"geo_enabled"`
	Verified                  bool    `json:"verified"`
	StatusesCount             int     `json:"statuses_count"`
	Lang                      string  `json:"lang"`
	ProfileBackgroundColor    string  `json:"profile_background_color"`
	ProfileImageURLHTTPS      string  `json:"profile_image_url_https"`
	ProfileUseBackgroundImage bool    `json:"profile_use_background_image"`
	DefaultProfile            bool    `json:"default_profile"`
	Following                 bool    `json:"following"`
}

type coordinates struct {
	Type        string    `json:"type"`
	Coordinates []float64 `json:"coordinates"`
}

type entities struct {
	Hashtags     []hashtag `json:"hashtags"`
	Symbols      []string  `json:"symbols"`
	URLs         []link    `json:"urls"`
	UserMentions []mention `json:"user_mentions"`
}

type hashtag struct {
	Text    string `json:"text"`
	Indices []int  `json:"indices"`
}

type link struct {
	URL         string `json:"url"`
	ExpandedURL string `json:"expanded_url"`
	DisplayURL  string `json:"display_url"`
	Indices     []int  `json:"indices"`
}

type mention struct {
	ScreenName string `json:"screen_name"`
	Name       string `json:"name"`
	ID         int    `json:"id"`
	IDStr      string `json:"id_str"`
	Indices    []int  `json:"indices"`
}

// seconds tells how long a run of the work takes, over at least a quarter of a second.
func seconds(work func() error) float64 {
	start := time.Now()
	for runs := 1; ; runs++ {
		if err := work(); err != nil {
			panic(err)
		}
		if elapsed := time.Since(start); elapsed >= 250*time.Millisecond {
			return elapsed.Seconds() / float64(runs)
		}
	}
}

func main() {
	data, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	var value any
	var page timeline
	if err := json.Unmarshal(data, &value); err != nil {
		panic(err)
	}
	if err := json.Unmarshal(data, &page); err != nil {
		panic(err)
	}
	work := map[string]func() error{
		"go dynamic": func() error { var value any; return json.Unmarshal(data, &value) },
		"go write":   func() error { _, err := json.Marshal(value); return err },
		"go typed":   func() error { var page timeline; return json.Unmarshal(data, &page) },
		"go encode":  func() error { _, err := json.Marshal(&page); return err },
	}
	fmt.Println("ready")
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		if run, known := work[lines.Text()]; known {
			fmt.Println(seconds(run))
		} else if lines.Text() == "version" {
			fmt.Println(runtime.Version())
		} else {
			fmt.Println("unknown")
		}
	}
}
