#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A newcomer's twenty tasks, in an empty home, against a server on this machine. Each command line uses only what
# `--help` and `cumulus help TOPIC` say: the words in brackets are looked for there first.
#   Scripts/newcomer.sh [PATH-OF-CUMULUS]
set -uo pipefail
program=$(realpath "${1:-$(dirname "$0")/../.build/debug/cumulus}")
server=$(realpath "$(dirname "$0")/echo-server.py")
home=$(mktemp -d)
cd "$home" || exit 1
python3 "$server" > port &
server_id=$!
trap 'kill $server_id 2>/dev/null; rm -rf "$home"' EXIT
while [ ! -s port ]; do sleep 0.05; done
at=:$(cat port)
mkdir bin && ln -s "$program" bin/cumulus
passed=0 failed=0 number=0

# task TITLE HELP-TOPIC WORD-IN-HELP PATTERN COMMAND-LINE
task() {
  local title=$1 topic=$2 word=$3 pattern=$4 line=$5 output status
  number=$((number + 1))
  output=$(env -i HOME="$home" PATH="$home/bin:/usr/bin:/bin" TOKEN=t0ken bash -c "$line" 2>&1 < /dev/null)
  status=$?
  if ! env -i HOME="$home" PATH=/usr/bin:/bin "$program" help $topic | grep -qF -- "$word"; then
    echo "$number. $title: the help does not say '$word'"
  elif ! grep -qE -- "$pattern" <<< "$output"; then
    echo "$number. $title: $line gave status $status and: $output"
  else
    passed=$((passed + 1))
    return
  fi
  failed=$((failed + 1))
}

echo '{"name":"Ada"}' > user.json
printf 'GIF89a' > cat.gif
task "get a page" request "get a page" '"method": ?"GET"' "cumulus $at/"
task "see the headers" request "--headers" '^HTTP/1.1 200' "cumulus -h $at/"
task "send JSON" items "name:=json" '"body": ?".*age.*36' "cumulus $at/users name=Ada age:=36"
task "send a form" request "--form" 'name=Ada&age=36' "cumulus -f $at/users name=Ada age=36"
task "send a query" items "name==text" '/search\?q=two%20words' "cumulus $at/search q=='two words'"
task "send a header" items "Name:text" 'X-Client.*atlas' "cumulus $at/ X-Client:atlas"
task "put a file" items "@FILE" '"method": ?"PUT"' "cumulus put $at/users/1 @user.json"
task "post a form with a file" items "name@FILE" 'multipart/form-data' "cumulus -f $at/photos title=Cat photo@cat.gif"
task "use a password" auth "--auth <user:pass>" 'Basic YWRhOnB3' "cumulus -a ada:pw $at/"
task "use a token of the environment" examples "env:TOKEN" 'Bearer t0ken' "cumulus -A bearer -a env:TOKEN $at/"
task "see what is sent" request "--verbose" '^GET / HTTP/1.1' "cumulus -v $at/"
task "see it without sending" request "--offline" '^POST /users' "cumulus --offline $at/users name=Ada"
task "get it as curl's" request "--curl" "^curl" "cumulus --curl $at/users name=Ada"
task "print one value" request "--filter" '^GET$' "cumulus $at/ --filter .method"
task "print a table" request "--as <form>" '^ ?id +name' "cumulus $at/list --as table"
task "know the status in a script" request "--format" '^404' "cumulus -q -w '{status}\n' $at/missing"
task "give up in time" timeouts "--timeout" 'timeout|took longer' "cumulus --timeout 0.3 $at/slow"
task "download a file" download "cumulus download URL" '^there' "cumulus download $at/file.bin && test -s file.bin && echo there"
task "continue a download" download "--continue" 'there' "head -c 1000 file.bin > part.bin && cumulus download -c -o part.bin $at/file.bin && cmp part.bin file.bin && echo there"
task "upload a file" upload "cumulus upload FILE URL" '"method": ?"PUT"' "cumulus upload cat.gif $at/cat.gif"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
