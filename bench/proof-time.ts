/**
 * How long a proof holds a free account's request: contracts that cost far more than they look, one after the other, each by an account of its own.
 *   npm run bench:proof-time -- [--only <part of a name>] [--untimed]
 * Target: ten seconds of CPU time are the plan's, and the answer comes before 15 s. `--untimed` wants answers alone. Exits 1 on a miss.
 */
import { parseArgs } from 'node:util'
import { proofBombs } from './proof-bombs.ts'
import { serve } from './served.ts'
import { textTable } from './text-table.ts'

const { values } = parseArgs({ options: { only: { type: 'string' }, untimed: { type: 'boolean', default: false } } })
const MOST_SECONDS = 15

interface Answer {
  readonly dataVulnerabilities?: readonly {
    readonly evidence?: { readonly status: string; readonly summary: string }
  }[]
}

const server = await serve()
try {
  const rows: string[][] = []
  const bombs = Object.entries(proofBombs).filter(([name]) => name.includes(values.only ?? ''))
  for (const [n, [name, source]] of bombs.entries()) rows.push(await measure(`bomb${n}@example.com`, name, source))
  process.stdout.write(`${textTable(['', 'contract', 'bytes', 'status', 's', 'proofs', 'of the first'], rows)}\n`)
  if (rows.some(([verdict]) => verdict === 'MISSED')) process.exitCode = 1
} finally {
  await server.stop()
}

async function measure(email: string, name: string, source: string): Promise<string[]> {
  const key = server.account(email)
  const body = new FormData()
  body.set('file', new Blob([source]), 'Bench.sol')
  const started = performance.now()
  const response = await fetch(`${server.url}/api/v1/scan?prove=true`, {
    method: 'POST',
    headers: { 'x-api-key': key },
    body,
  })
  const { dataVulnerabilities = [] } = (await response.json()) as Answer
  const seconds = (performance.now() - started) / 1000
  const proofs = dataVulnerabilities.flatMap(({ evidence }) => evidence ?? [])
  const counts = ['confirmed', 'not-reproduced', 'not-attempted'].flatMap((wanted) => {
    const { length } = proofs.filter(({ status }) => status === wanted)
    return length > 0 ? `${length} ${wanted}` : []
  })
  const isMet = response.status === 200 && proofs.length > 0 && (values.untimed || seconds < MOST_SECONDS)
  const attempted = proofs.filter(({ summary }) => !summary.includes('no attack is known'))
  const first = attempted.find(({ status }) => status !== 'confirmed') ?? attempted[0]
  return [
    isMet ? 'ok' : 'MISSED',
    name,
    String(source.length),
    String(response.status),
    seconds.toFixed(1),
    counts.join(', '),
    first?.summary.slice(0, 80) ?? '',
  ]
}
