// SPDX-License-Identifier: Apache-2.0
// Node's servers on their defaults: node trial.js PORT CONTENT NUMBERS [CERTIFICATE KEY]
// With a certificate HTTP/2 and HTTP/1.1 over TLS, without one HTTP/1.1.
'use strict'
const crypto = require('crypto')
const fs = require('fs')

const [port, content, numbers, certificate, key] = process.argv.slice(2)

function bytes(request, response, size) {
    let start = 0
    let end = size - 1
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range || '')
    const headers = { 'accept-ranges': 'bytes', etag: `"${size}"`, 'content-type': 'application/octet-stream' }
    if (range) {
        start = Number(range[1])
        if (range[2] !== '') end = Math.min(end, Number(range[2]))
        headers['content-range'] = `bytes ${start}-${end}/${size}`
    }
    headers['content-length'] = end - start + 1
    response.writeHead(range ? 206 : 200, headers)
    fs.createReadStream(content, { start, end }).pipe(response)
}

function echo(request, response) {
    const number = request.headers['x-trial-number']
    if (number) fs.appendFileSync(numbers, number + '\n')
    const digest = crypto.createHash('sha256')
    let count = 0
    request.on('data', chunk => {
        digest.update(chunk)
        count += chunk.length
    })
    request.on('end', () => response.end(`${count} ${digest.digest('hex')}`))
}

function trailers(request, response) {
    let count = 0
    request.on('data', chunk => { count += chunk.length })
    request.on('end', () => {
        const length = request.headers['content-length'] || ''
        response.end(`${count} ${request.trailers['x-sum'] || ''} ${length}`)
    })
}

function answer(request, response) {
    const [, kind, value] = request.url.split('/')
    if (kind === 'bytes') return bytes(request, response, Number(value))
    if (kind === 'echo') return echo(request, response)
    if (kind === 'trailers') return trailers(request, response)
    response.writeHead(kind === 'early' ? Number(value) : 404)
    response.end('early')
}

const server = certificate
    ? require('http2').createSecureServer(
        { cert: fs.readFileSync(certificate), key: fs.readFileSync(key), allowHTTP1: true }, answer)
    : require('http').createServer(answer)
server.listen(Number(port), '127.0.0.1')
