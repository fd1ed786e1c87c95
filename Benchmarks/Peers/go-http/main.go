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
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
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
	if work.kind != "discard" && work.kind != "save" && work.kind != "upload" {
		bytes, err := io.ReadAll(response.Body)
		check(err)
		return int64(len(bytes))
	}
	count, err := io.Copy(out, response.Body)
	check(err)
	return count + length
}

// The bytes that requests moved, and how long each of them took where that is measured.
type tally struct {
	bytes     int64
	latencies []time.Duration
}

// Members of the printed object for the latencies, each after a comma; empty without latencies.
func (t tally) members() string {
	if len(t.latencies) == 0 {
		return ""
	}
	sort.Slice(t.latencies, func(a, b int) bool { return t.latencies[a] < t.latencies[b] })
	quantile := func(permille int) float64 {
		index := len(t.latencies) * permille / 1000
		if index == len(t.latencies) {
			index--
		}
		return t.latencies[index].Seconds() * 1e3
	}
	return fmt.Sprintf(", \"p50_ms\": %f, \"p99_ms\": %f, \"p999_ms\": %f, \"max_ms\": %f",
		quantile(500), quantile(990), quantile(999), quantile(1000))
}

func run(work workload, count int) tally {
	if work.kind == "paced" {
		return paced(work, count)
	}
	var group sync.WaitGroup
	tallies := make([]tally, work.inFlight)
	for index := range tallies {
		group.Add(1)
		go func(index, share int) {
			defer group.Done()
			sequence(work, share, &tallies[index])
		}(index, (count+index)/work.inFlight)
	}
	group.Wait()
	total := tally{}
	for _, each := range tallies {
		total.bytes += each.bytes
		total.latencies = append(total.latencies, each.latencies...)
	}
	return total
}

func sequence(work workload, count int, result *tally) {
	if work.kind != "latency" {
		for ; count > 0; count-- {
			result.bytes += one(work)
		}
		return
	}
	result.latencies = make([]time.Duration, 0, count)
	for ; count > 0; count-- {
		start := time.Now()
		result.bytes += one(work)
		result.latencies = append(result.latencies, time.Since(start))
	}
}

func paced(work workload, count int) tally {
	interval := time.Second / time.Duration(work.inFlight)
	total := tally{latencies: make([]time.Duration, count)}
	var bytes atomic.Int64
	var group sync.WaitGroup
	group.Add(count)
	ticks := ticker(interval)
	defer ticks.Close()
	var expirations [8]byte
	start := time.Now()
	for index := 0; index < count; {
		scheduled := start.Add(time.Duration(index) * interval)
		if time.Now().Before(scheduled) {
			_, err := ticks.Read(expirations[:])
			check(err)
			continue
		}
		go func(index int) {
			defer group.Done()
			bytes.Add(one(work))
			total.latencies[index] = time.Since(scheduled)
		}(index)
		index++
	}
	group.Wait()
	total.bytes = bytes.Load()
	return total
}

// A timer of the kernel: those of the runtime are up to a millisecond late.
func ticker(interval time.Duration) *os.File {
	const monotonic = 1
	timer, _, code := syscall.Syscall(syscall.SYS_TIMERFD_CREATE, monotonic, syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	if code != 0 {
		log.Fatal(code)
	}
	each := syscall.NsecToTimespec(int64(interval))
	times := [2]syscall.Timespec{each, each}
	_, _, code = syscall.Syscall6(syscall.SYS_TIMERFD_SETTIME, timer, 0, uintptr(unsafe.Pointer(&times)), 0, 0, 0)
	if code != 0 {
		log.Fatal(code)
	}
	return os.NewFile(timer, "timer")
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
	connections := 64
	if connections < work.inFlight {
		connections = work.inFlight
	}
	transport := &http.Transport{MaxIdleConnsPerHost: connections, ForceAttemptHTTP2: os.Args[7] == "h2"}
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
	total := run(work, work.count)
	ended, processorAfter, allocationsAfter := used()
	fmt.Printf("{\"version\": \"%s\", \"requests\": %d, \"bytes\": %d, \"seconds\": %f, \"cpu\": %f, "+
		"\"allocations\": %d, \"peak_kb\": %d%s}\n", strings.TrimPrefix(runtime.Version(), "go"), work.count, total.bytes,
		ended.Sub(began).Seconds(), processorAfter-processor, allocationsAfter-allocations, peak(), total.members())
}
