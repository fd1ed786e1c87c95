// SPDX-License-Identifier: Apache-2.0
// Go's net/http on its defaults, over TLS or, as what stands behind the proxies, without:
// trial PORT CONTENT NUMBERS [CERTIFICATE KEY]
package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	content, numbers := os.Args[2], os.Args[3]
	list, err := os.OpenFile(numbers, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	check(err)
	http.HandleFunc("/bytes/", func(w http.ResponseWriter, r *http.Request) {
		size, err := strconv.ParseInt(strings.TrimPrefix(r.URL.Path, "/bytes/"), 10, 64)
		file, failure := os.Open(content)
		if err != nil || failure != nil {
			http.NotFound(w, r)
			return
		}
		defer file.Close()
		w.Header().Set("ETag", fmt.Sprintf("\"%d\"", size))
		w.Header().Set("Content-Type", "application/octet-stream")
		http.ServeContent(w, r, "", time.Time{}, io.NewSectionReader(file, 0, size))
	})
	http.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		if number := r.Header.Get("X-Trial-Number"); number != "" {
			list.WriteString(number + "\n")
		}
		// As most programs read JSON: in small pieces at first, for each of which HTTP/2 gives credit back.
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		fmt.Fprintf(w, "%d %x", len(body), sha256.Sum256(body))
	})
	http.HandleFunc("/trailers", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		fmt.Fprintf(w, "%d %s %s", len(body), r.Trailer.Get("X-Sum"), r.Header.Get("Content-Length"))
	})
	http.HandleFunc("/early/", func(w http.ResponseWriter, r *http.Request) {
		code, _ := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/early/"))
		w.WriteHeader(code)
		fmt.Fprint(w, "early")
	})
	listener, err := net.Listen("tcp", "127.0.0.1:"+os.Args[1])
	check(err)
	restarts := make(chan os.Signal, 1)
	signal.Notify(restarts, syscall.SIGHUP)
	for {
		// Another server on the same socket takes over, and the old one ends what it has begun.
		file, err := listener.(*net.TCPListener).File()
		check(err)
		server := &http.Server{}
		go serve(server, listener)
		<-restarts
		listener, err = net.FileListener(file)
		check(err)
		file.Close()
		go server.Shutdown(context.Background())
	}
}

func serve(server *http.Server, listener net.Listener) {
	var err error
	if len(os.Args) > 5 {
		err = server.ServeTLS(listener, os.Args[4], os.Args[5])
	} else {
		err = server.Serve(listener)
	}
	if err != http.ErrServerClosed {
		check(err)
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
