// Six clients, each request on a connection of its own, until one is refused; says first that answers come, then all that came.
import { request } from 'node:http'

const port = Number(process.argv[2])
const codes = []

const sendRequest = () =>
  new Promise((resolve) => {
    const sent = request({ port, host: '127.0.0.1', path: '/', method: 'POST', agent: false }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode))
    })
    sent.on('error', (error) => resolve(error.code))
    sent.end('x')
  })

async function client() {
  for (;;) {
    const code = await sendRequest()
    codes.push(code)
    if (codes.length === 30) process.send('ready')
    if (code !== 200) return
  }
}

await Promise.all(Array.from({ length: 6 }, client))
process.send(codes, () => process.disconnect())
