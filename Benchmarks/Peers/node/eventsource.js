// SPDX-License-Identifier: Apache-2.0
// Debian's node-eventsource as a client under measurement; compare_events.py calls it: stream URL EVENTS.
'use strict'
const path = '/usr/share/nodejs/eventsource'
const EventSource = require(path)

if (process.argv[2] === 'version') {
    console.log(`eventsource ${require(`${path}/package.json`).version}, Node ${process.version}`)
    process.exit()
}
const [url, wanted] = [process.argv[3], Number(process.argv[4])]
let [events, bytes] = [0, 0]
const started = [performance.now(), process.cpuUsage()]
const source = new EventSource(url)
function take(event) {
    events += 1
    bytes += event.data.length
    if (events < wanted) return
    const used = process.cpuUsage(started[1])
    const cpu = (used.user + used.system) / 1e6
    console.log(JSON.stringify({ events, bytes, seconds: (performance.now() - started[0]) / 1e3, cpu }))
    process.exit()
}
for (const type of ['message', 'update']) source.addEventListener(type, take)
source.onerror = error => { console.error(error); process.exit(1) }
