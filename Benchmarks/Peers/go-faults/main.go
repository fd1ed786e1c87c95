// SPDX-License-Identifier: Apache-2.0

// Go's net/http against a server that fails by chance; compare_faults.py calls it.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

type outcome struct {
	Idempotent int64          `json:"idempotent"`
	Posts      int64          `json:"posts"`
	Failures   map[string]int `json:"failures"`
}

var methods = []string{"GET", "GET", "GET", "GET", "GET", "GET", "PUT", "DELETE", "POST", "POST"}

func call(client *http.Client, url string, number int) bool {
	method := methods[number%len(methods)]
	var body io.Reader
	if method == "PUT" || method == "POST" {
		body = strings.NewReader("1")
	}
	request, err := http.NewRequest(method, url, body)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("X-Call", strconv.Itoa(number))
	response, err := client.Do(request)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	bytes, err := io.ReadAll(response.Body)
	return err == nil && response.StatusCode == 200 && len(bytes) == 100
}

func main() {
	url := os.Args[1]
	if url == "version" {
		fmt.Println(runtime.Version())
		return
	}
	count, _ := strconv.Atoi(os.Args[2])
	inFlight, _ := strconv.Atoi(os.Args[3])
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: inFlight}}
	result := outcome{Failures: map[string]int{}}
	next := int64(-1)
	var group sync.WaitGroup
	for i := 0; i < inFlight; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for {
				number := int(atomic.AddInt64(&next, 1))
				if number >= count {
					return
				}
				if !call(client, url, number) {
					continue
				}
				if methods[number%len(methods)] == "POST" {
					atomic.AddInt64(&result.Posts, 1)
				} else {
					atomic.AddInt64(&result.Idempotent, 1)
				}
			}
		}()
	}
	group.Wait()
	json.NewEncoder(os.Stdout).Encode(result)
}
