// SPDX-License-Identifier: Apache-2.0

// Go's net/http as a client under measurement; compare_http.py calls it.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

type workload struct {
	kind, url, file string
	count, inFlight int
}

var client *http.Client

func one(work workload) int64 {
	method, body, length := "GET", io.Reader(nil), int64(0)
	if work.kind == "upload" {
		file, err := os.Open(work.file)
		check(err)
		defer file.Close()
		status, err := file.Stat()
		check(err)
		method, body, length = "PUT", file, status.Size()
	}
	request, err := http.NewRequest(method, work.url, body)
	check(err)
	request.ContentLength = length
	request.Close = work.kind == "fresh"
	response, err := client.Do(request)
	check(err)
	defer response.Body.Close()
	if response.StatusCode/100 != 2 {
		log.Fatal(response.Status)
	}
	out := io.Discard
	if work.kind == "save" {
		file, err := os.Create(work.file)
		check(err)
		defer file.Close()
		out = file
	}
	if work.kind == "get" || work.kind == "fresh" {
		bytes, err := io.ReadAll(response.Body)
		check(err)
		return int64(len(bytes))
	}
	count, err := io.Copy(out, response.Body)
	check(err)
	return count + length
}

func run(work workload, count int) int64 {
	var group sync.WaitGroup
	totals := make([]int64, work.inFlight)
	for index := range totals {
		group.Add(1)
		go func(index, share int) {
			defer group.Done()
			for ; share > 0; share-- {
				totals[index] += one(work)
			}
		}(index, (count+index)/work.inFlight)
	}
	group.Wait()
	total := int64(0)
	for _, each := range totals {
		total += each
	}
	return total
}

func used() (time.Time, float64, uint64) {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	seconds := time.Duration(usage.Utime.Nano() + usage.Stime.Nano()).Seconds()
	return time.Now(), seconds, memory.Mallocs
}

func peak() int {
	text, err := os.ReadFile("/proc/self/status")
	check(err)
	for _, line := range strings.Split(string(text), "\n") {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "VmHWM:" {
			number, _ := strconv.Atoi(fields[1])
			return number
		}
	}
	return 0
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	if len(os.Args) != 8 {
		log.Fatal("KIND COUNT IN-FLIGHT URL FILE ROOTS MODE")
	}
	work := workload{kind: os.Args[1], url: os.Args[4], file: os.Args[5]}
	work.count, _ = strconv.Atoi(os.Args[2])
	work.inFlight, _ = strconv.Atoi(os.Args[3])
	transport := &http.Transport{MaxIdleConnsPerHost: 64, ForceAttemptHTTP2: os.Args[7] == "h2"}
	if os.Args[6] != "-" {
		text, err := os.ReadFile(os.Args[6])
		check(err)
		roots := x509.NewCertPool()
		roots.AppendCertsFromPEM(text)
		transport.TLSClientConfig = &tls.Config{RootCAs: roots}
	}
	client = &http.Client{Transport: transport, Timeout: 2 * time.Minute}
	if work.count > 1 {
		warmUp := work.count / 10
		if warmUp < work.inFlight {
			warmUp = work.inFlight
		}
		run(work, warmUp)
	}
	began, processor, allocations := used()
	bytes := run(work, work.count)
	ended, processorAfter, allocationsAfter := used()
	fmt.Printf("{\"version\": \"%s\", \"requests\": %d, \"bytes\": %d, \"seconds\": %f, \"cpu\": %f, "+
		"\"allocations\": %d, \"peak_kb\": %d}\n", strings.TrimPrefix(runtime.Version(), "go"), work.count, bytes,
		ended.Sub(began).Seconds(), processorAfter-processor, allocationsAfter-allocations, peak())
}
