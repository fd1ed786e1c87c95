// SPDX-License-Identifier: Apache-2.0

// Debian's github.com/donovanhide/eventsource as a client under measurement; compare_events.py calls it:
// parse FILE TIMES EVENTS | stream URL EVENTS.
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"syscall"
	"time"

	"github.com/donovanhide/eventsource"
)

type repeated struct {
	content []byte
	reader  *bytes.Reader
	times   int
}

func (r *repeated) Read(p []byte) (int, error) {
	for {
		if n, err := r.reader.Read(p); err == nil {
			return n, nil
		}
		if r.times--; r.times <= 0 {
			return 0, io.EOF
		}
		r.reader = bytes.NewReader(r.content)
	}
}

func cpu() float64 {
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}

func main() {
	if os.Args[1] == "version" {
		fmt.Println("donovanhide/eventsource,", runtime.Version())
		return
	}
	wanted, err := strconv.Atoi(os.Args[len(os.Args)-1])
	if err != nil {
		panic(err)
	}
	var next func() (eventsource.Event, error)
	var started time.Time
	var before float64
	if os.Args[1] == "parse" {
		content, err := os.ReadFile(os.Args[2])
		if err != nil {
			panic(err)
		}
		times, _ := strconv.Atoi(os.Args[3])
		started, before = time.Now(), cpu()
		next = eventsource.NewDecoder(&repeated{content, bytes.NewReader(content), times}).Decode
	} else {
		started, before = time.Now(), cpu()
		stream, err := eventsource.Subscribe(os.Args[2], "")
		if err != nil {
			panic(err)
		}
		next = func() (eventsource.Event, error) {
			select {
			case event := <-stream.Events:
				return event, nil
			case err := <-stream.Errors:
				return nil, err
			}
		}
	}
	events, size := 0, 0
	for events < wanted {
		event, err := next()
		if err != nil {
			panic(err)
		}
		events++
		size += len(event.Data())
	}
	fmt.Printf("{\"events\": %d, \"bytes\": %d, \"seconds\": %g, \"cpu\": %g}\n",
		events, size, time.Since(started).Seconds(), cpu()-before)
}
