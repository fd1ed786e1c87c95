// SPDX-License-Identifier: Apache-2.0
// Event streams by Node's http, as in many guides: node events.js PORT; the paths are those of events_asgi.py.
'use strict'
const http = require('http')

let streams = 0
let opened = []

function begin(request, response) {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' })
    streams += 1
    response.on('close', () => { streams -= 1 })
}

function feed(request, response, query) {
    let number = Number(request.headers['last-event-id'] || 0)
    const last = Number(query.get('last') || 1000000)
    if (number >= last) return response.writeHead(204).end()
    begin(request, response)
    const timer = setInterval(() => {
        number += 1
        response.write(`retry: 100\nid: ${number}\ndata: ${JSON.stringify({ n: number })}\n\n`)
        if (number === last) { clearInterval(timer); response.end() }
    }, 1000 * Number(query.get('pause') || 0.01))
    response.on('close', () => clearInterval(timer))
}

function silent(request, response, query) {
    begin(request, response)
    response.write('retry: 100\nid: 1\ndata: one\n\n')
    if (!query.has('beat')) return
    const beat = setInterval(() => response.write(':\n\n'), 200)
    const end = setTimeout(() => response.write('id: 2\ndata: two\n\n'), 2000)
    response.on('close', () => { clearInterval(beat); clearTimeout(end) })
}

function gate(request, response) {
    if (request.method === 'POST') {
        for (const other of opened.splice(0)) other.end('data: behind\n\n')
        return response.end('{}')
    }
    begin(request, response)
    response.write('data: before\n\n')
    opened.push(response)
}

function chat(request, response) {
    let text = ''
    request.on('data', chunk => { text += chunk })
    request.on('end', () => {
        begin(request, response)
        const words = JSON.parse(text).question.split(' ')
        for (const word of words) {
            response.write(`data: ${JSON.stringify({ text: word + ' ', note: 'Zürich\nnew line' })}\n\n`)
        }
        response.write(`event: usage\ndata: ${JSON.stringify({ words: words.length })}\n\n`)
        response.end('data: [DONE]\n\n')
    })
}

http.createServer((request, response) => {
    const url = new URL(request.url, 'http://localhost')
    switch (url.pathname) {
    case '/feed': return feed(request, response, url.searchParams)
    case '/silent': return silent(request, response, url.searchParams)
    case '/gate': return gate(request, response)
    case '/chat': return chat(request, response)
    case '/open': return response.end(JSON.stringify(streams))
    default: return response.writeHead(404).end()
    }
}).listen({ port: Number(process.argv[2]), host: '127.0.0.1', backlog: 2048 })
