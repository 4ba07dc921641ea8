/**
 * One attack of `bench:hostile`, a process of its own: what someone with a free account can do to a service, again and again until it is
 * ended. Argument: JSON of AttackOrder.
 */
import { connect } from 'node:net'
import { timed, upload } from './served.ts'

export interface AttackOrder {
  readonly attack: string
  readonly url: string
  readonly key: string
}

const pragma = 'pragma solidity 0.8.26;\n'
const long = 'x'.repeat(40_000)
const sends = (n: number, name = 'A'): string =>
  `contract ${name} { function f(address payable a) public { ${'a.send(1);'.repeat(n)} } }`

/** Sources that cost or yield much for their size; each fits into what a free account may upload. */
export const sources: Readonly<Record<string, string>> = {
  'a reason of 40,000 letters over 2,880 findings': `${pragma}// assay-ignore-file SWC-104: ${long}\n${sends(2_880)}`,
  'a name of 40,000 letters over 2,880 findings': pragma + sends(2_880, long),
  '50 KB of external calls in one function': `${pragma}interface I { function g(uint) external returns (uint); }\ncontract A { uint x; function f(I i) public { ${'x = i.g(x);'.repeat(4_500)} } }`,
  'calls all to all': `${pragma}contract A { uint x;\n${functions(70, (n) => functionsCalled(70, n))} }`,
  '3,000 loops': `${pragma}contract A { uint x; function f(uint n) public { ${'for (uint i; i < n; i++) x += i;'.repeat(3_000)} } }`,
  'loops in loops': `${pragma}contract A { uint x; function f(uint n) public { ${'for (uint i; i < n; i++) {'.repeat(200)} x++; ${'}'.repeat(200)} } }`,
  'modifiers over modifiers': `${pragma}contract A { uint x; ${Array.from({ length: 40 }, (_, n) => `modifier m${n}() { if (x > ${n}) _; else _; }`).join('')} function f() public ${Array.from({ length: 40 }, (_, n) => `m${n}`).join(' ')} { x++; } }`,
  'a ladder of inheritance': `${pragma}${Array.from({ length: 400 }, (_, n) => `contract C${n} ${n ? `is C${n - 1}` : ''} { uint v${n}; function f${n}() public virtual { v${n}++; } }`).join('\n')}`,
  'nested parentheses': `${pragma}contract A { uint x = ${'('.repeat(45_000)}1${')'.repeat(45_000)}; }`,
  'nested blocks': `${pragma}contract A { function f() public { ${'{'.repeat(45_000)}${'}'.repeat(45_000)} } }`,
  'nothing but operators': `${pragma}contract A { uint x = 1${'+1'.repeat(45_000)}; }`,
  'unclosed everything': `${pragma}${'contract A { function f() public { if ('.repeat(2_000)}`,
}

function functions(count: number, body: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => `function f${n}() public { x++; ${body(n)} }`).join('\n')
}

function functionsCalled(count: number, except: number): string {
  return Array.from({ length: count }, (_, n) => (n === except ? '' : `f${n}();`)).join('')
}

type Attack = (order: AttackOrder) => Promise<void>

const inLanes = async (count: number, act: () => Promise<unknown>): Promise<void> => {
  await Promise.all(
    Array.from({ length: count }, async () => {
      for (;;) {
        await act().catch(() => {})
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    }),
  )
}

const scanAgainAndAgain =
  (source: string): Attack =>
  ({ url, key }) =>
    inLanes(8, () => timed(() => upload(url, key, source)))

/** Scans once, then reads the result in every way there is. */
const readBack: Attack = async ({ url, key }) => {
  const source = Object.values(sources)[0] ?? ''
  const { scanId } = (await (await upload(url, key, source)).json()) as { scanId: string }
  const places = ['', '/report?format=json', '/report?format=html', '/report?format=sarif', '/source']
  let next = 0
  await inLanes(10, async () => {
    const address = `${url}/api/v1/scans/${scanId}${places[next++ % places.length]}`
    await timed(() => fetch(address, { headers: { 'x-api-key': key } }))
  })
}

const replay: Attack = ({ url, key }) =>
  inLanes(10, () => timed(() => upload(url, key, Object.values(sources)[0] ?? '', { 'idempotency-key': 'again' })))

/** Sends these bytes on many connections and leaves them open for a while. */
const holdConnections =
  (count: number, head: (order: AttackOrder) => string, drip: string): Attack =>
  (order) =>
    inLanes(count, () => {
      const socket = connect(Number(new URL(order.url).port), '127.0.0.1')
      return new Promise<void>((resolve) => {
        socket.on('error', () => {}).on('close', () => resolve())
        socket.resume().write(head(order))
        const dripping = setInterval(() => socket.write(drip), 1000)
        setTimeout(() => {
          clearInterval(dripping)
          socket.destroy()
        }, 4_000)
      })
    })

const uploadHead = ({ key }: AttackOrder, length: number): string =>
  `POST /api/v1/scan HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n\r\n`

/** Uploads and goes away at once. */
const giveUp: Attack = ({ url, key }) =>
  inLanes(50, async () => {
    const gone = new AbortController()
    setTimeout(() => gone.abort(), 30)
    const body = new FormData()
    body.set('file', new Blob([Object.values(sources)[2] ?? '']), 'Bench.sol')
    await fetch(`${url}/api/v1/scan`, { method: 'POST', headers: { 'x-api-key': key }, body, signal: gone.signal })
  })

export const attacks: Readonly<Record<string, Attack>> = {
  ...Object.fromEntries(Object.entries(sources).map(([name, source]) => [name, scanAgainAndAgain(source)])),
  'the largest result read back in every format': readBack,
  'the largest result replayed': replay,
  'clients that give up': giveUp,
  'a part without a head': holdConnections(
    50,
    (order) => `${uploadHead(order, 20_000)}--b\r\n${'y'.repeat(19_990)}`,
    '',
  ),
  'uploads of a byte a second': holdConnections(200, (order) => uploadHead(order, 50_000), 'y'),
  'half a request line': holdConnections(200, () => 'GET /heal', 't'),
}

if (/hostile-client\.(?:ts|mjs)$/.test(process.argv[1] ?? '')) {
  const order = JSON.parse(process.argv[2] ?? '{}') as AttackOrder
  await attacks[order.attack]?.(order)
}
