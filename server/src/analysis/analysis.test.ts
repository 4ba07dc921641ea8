import { readFileSync } from 'node:fs'
import type { Evidence, FileProgress, ScanResult } from '@assay/engine'
import { isInstalled } from '@assay/prover'
import { afterAll, describe, expect, test } from 'vitest'
import { pack, unpack } from '../core/stored.ts'
import { createAnalysis } from './analysis.ts'
import { createPool } from './pool.ts'
import type { EvidenceProgress, OutOfTime, Scanned, ScanOutcome, ScanTask } from './tasks.ts'
import { findWorkerFile } from './worker-file.ts'

const analysis = createAnalysis({
  scanWorkers: 1,
  scanTimeoutMs: 10_000,
  scanMemoryMb: 256,
  scanQueue: 10,
  scanWaitMs: 30_000,
})
afterAll(() => analysis.close())

const bytes = (text: string) => new TextEncoder().encode(text)
const floating = 'pragma solidity ^0.8.20;\ncontract A { }\n'
const pinned = 'pragma solidity 0.8.26;\ncontract A { }\n'
const options = { owner: { account: 'acc_1', rank: 0 } }
const task = {
  scanId: 'scn_1',
  file: 'uploads/scn_1.sol',
  maxContractBytes: 10_000_000,
  suppressions: 'honour' as const,
  format: 'json' as const,
  scannedAt: '2026-03-10T12:00:00.000Z',
}
const single = (source: string) => ({
  sources: [{ path: 'Vault.sol', bytes: bytes(source) }],
  reported: ['Vault.sol'],
  remappings: [],
  isProject: false,
  fileName: 'Vault.sol',
})
const scan = async (source: string, more: object = {}) =>
  (await analysis.scan({ ...task, ...more, ...single(source) }, options)) as Scanned
const read = (json: Uint8Array) => JSON.parse(Buffer.from(json).toString()) as ScanResult & Record<string, unknown>

test('a scan answers with the result as bytes and the same result compressed for storage', async () => {
  const done = await scan(floating)
  expect(done.outcome).toBe('scanned')
  const result = read(done.body)
  expect(result).toMatchObject({ success: true, scanId: 'scn_1', file: 'uploads/scn_1.sol' })
  expect(result.dataVulnerabilities.map((finding) => finding.vulnerabilityId)).toContain('SWC-103')
  const stored = read(unpack(done.storedResult))
  expect(stored.dataVulnerabilities.map(({ fingerprint }) => fingerprint)).toEqual(
    result.dataVulnerabilities.map(({ fingerprint }) => fingerprint),
  )
  expect(unpack(done.storedBody)).toEqual(Buffer.from(done.body))
  expect(unpack(done.storedSource).toString()).toBe(floating)
  expect(done.securityScore).toEqual(result.securityScore)
})

test('an answer of more than 8 MB ends in the worker, whatever made it, and never reaches the serving thread', async () => {
  const { storedResult } = await scan(floating)
  const render = (padding: number) => {
    const result = { ...read(unpack(storedResult)), padding: 'x'.repeat(padding) }
    const stored = pack(Buffer.from(JSON.stringify(result)))
    return analysis.render({ result: stored, format: 'json' as never, scannedAt: task.scannedAt }, options)
  }
  expect((await render(7_000_000)).length).toBeGreaterThan(7_000_000)
  await expect(render(9_000_000)).rejects.toThrow(/^The answer would have 9\d{6} bytes\.$/)
  expect((await scan(floating)).outcome).toBe('scanned')
})

test('text in which nothing is Solidity is unreadable, with a line and a reason', async () => {
  expect(await scan('%%% nothing here %%%')).toMatchObject({
    outcome: 'unreadable',
    line: 1,
    reason: expect.any(String),
  })
})

test('a baseline marks findings as new or unchanged and lists the fixed ones', async () => {
  const before = await scan(floating)
  const same = read((await scan(floating, { baseline: before.storedResult, scanId: 'scn_2' })).body)
  expect(same).toMatchObject({ baseline: { baselineScanId: 'scn_1', newCount: 0, fixedCount: 0 } })
  const fixed = read((await scan(pinned, { baseline: before.storedResult })).body)
  expect(fixed).toMatchObject({ baseline: { fixed: [expect.objectContaining({ vulnerabilityId: 'SWC-103' })] } })
})

test('a contract larger than allowed is not analysed: bytes from its first keyword to its closing brace', async () => {
  const largest = 'contract Größe { uint x; }'
  const source = `pragma solidity 0.8.26;\ninterface I {}\n${largest}\n`
  const size = Buffer.byteLength(largest)
  expect((await scan(source, { maxContractBytes: size })).outcome).toBe('scanned')
  expect((await scan(source, { maxContractBytes: size - 1 })).outcome).toBe('contract-too-large')
})

test('functions outside of any contract count together, so that a small contract beside them is no way around', async () => {
  const functions = Array.from(
    { length: 20 },
    (_, n) => `function f${n}(uint x) pure returns (uint) { return x + ${n}; }`,
  )
  const source = `pragma solidity 0.8.26;\n${functions.join('\n')}\ncontract C {}\n`
  const size = Buffer.byteLength(functions.join(''))
  expect((await scan(source, { maxContractBytes: size })).outcome).toBe('scanned')
  expect((await scan(source, { maxContractBytes: size - 1 })).outcome).toBe('contract-too-large')
})

test.each([
  ['sarif', '"version":"2.1.0"'],
  ['markdown', '#'],
  ['html', '<!doctype html>'],
] as const)('a scan can answer as %s, and a stored result be rendered so later', async (format, mark) => {
  const done = await scan(floating, { format })
  expect(Buffer.from(done.body).toString()).toContain(mark)
  const later = await analysis.render({ result: done.storedResult, format, scannedAt: task.scannedAt }, options)
  expect(Buffer.from(later).toString()).toBe(Buffer.from(done.body).toString())
})

test('a worker tells of a project how many files are analyzed, while it works and in order; of a single file nothing', async () => {
  const received: FileProgress[] = []
  const follow = { ...options, onProgress: (progress: FileProgress) => void received.push(progress) }
  // Small contracts are analyzed together; these are too large for that.
  const room = [...Array(900).keys()]
    .map((n) => `  function f${n}(uint a) external pure returns (uint) { return a; }\n`)
    .join('')
  const sources = ['A', 'B', 'C'].map((name) => ({
    path: `${name}.sol`,
    bytes: bytes(`pragma solidity 0.8.26;\ncontract ${name} {\n${room}}\n`),
  }))
  const project = {
    sources,
    reported: sources.map(({ path }) => path),
    remappings: [],
    isProject: true,
    fileName: 'app',
  }
  await analysis.scan({ ...task, ...project }, follow)
  expect(received).toEqual([0, 1, 2, 3].map((filesDone) => ({ filesDone, files: 3 })))
  received.length = 0
  await analysis.scan({ ...task, ...single(floating) }, follow)
  expect(received).toEqual([])
})

describe('when the time of a scan is used up', () => {
  const body = 'function f(uint a) external returns (uint) { x = a + 1; return x; }'
  const contract = (name: string, n: number) =>
    `contract ${name}${n} { uint x; ${body} function end() external { selfdestruct(payable(msg.sender)); } }\n`
  const sources = [...Array(24).keys()].map((file) => ({
    path: `src/File${file}.sol`,
    bytes: bytes(`pragma solidity 0.8.26;\n${[...Array(100).keys()].map((n) => contract(`C${file}x`, n)).join('')}`),
  }))
  const project = {
    sources,
    reported: sources.map(({ path }) => path),
    remappings: [],
    isProject: true,
    fileName: 'app',
  }
  const pool = createPool({
    workerFile: findWorkerFile(),
    workers: 1,
    timeoutMs: 120_000,
    memoryMb: 256,
    maxWaiting: 10,
    maxWaitMs: 120_000,
  })
  afterAll(() => pool.close())
  const within = (cpuMs: number) =>
    pool.run<ScanOutcome | OutOfTime>({ task: 'scan', ...task, ...project, cpuMs } satisfies ScanTask, options)

  test('what was analyzed is the result, which names the files that were not reached', async () => {
    let done = await within(0)
    expect(done).toEqual({ outcome: 'out-of-time' })
    const reachedIn = (outcome: ScanOutcome | OutOfTime): string[] =>
      outcome.outcome === 'scanned'
        ? (read(outcome.body).files ?? []).filter((file) => file.completeness === 'full').map(({ path }) => path)
        : []
    // A little more time each try: the first that reaches the end of a file is far from reaching all.
    for (let cpuMs = 40; reachedIn(done).length === 0; cpuMs *= 1.2) done = await within(Math.round(cpuMs))
    const { isCutShort, completeness, lookedAt, body } = done as Scanned
    const { diagnostics, dataVulnerabilities, message } = read(body)
    const reached = reachedIn(done)
    const named = diagnostics.filter(({ code }) => code === 'not-reached').map(({ file }) => file)
    expect([isCutShort, completeness]).toEqual([true, 'partial'])
    expect(lookedAt).toEqual(reached)
    expect([...reached, ...named].sort()).toEqual([...project.reported].sort())
    expect(reached.length * named.length).toBeGreaterThan(0)
    expect(dataVulnerabilities.some(({ file }) => file === reached[0])).toBe(true)
    expect(message).toContain(`the time of the scan was used up before ${named.length} files were reached`)
  })
})

/** Where everything is required it runs, and fails, without the prover too. */
const isWithoutProver = !isInstalled() && process.env.TEST_REQUIRE_ALL !== '1'
test.skipIf(isWithoutProver)(
  'a prover tells the evidence of each finding by its place while it works, and answers with the same',
  async () => {
    const stall = new URL('../../../prover/fixtures/unprotected-selfdestruct/vulnerable.sol', import.meta.url)
    const text = readFileSync(stall, 'utf8')
    const twice = text + text.slice(text.indexOf('contract Stall {')).replace('Stall', 'Booth')
    const scanned = await scan(twice)
    const received: Evidence[] = []
    let isAnswered = false
    const onEvidence = ({ index, evidence }: EvidenceProgress): void => {
      expect(isAnswered).toBe(false)
      received[index] = JSON.parse(Buffer.from(evidence).toString())
    }
    const { storedSource, storedResult } = scanned
    const { format, scannedAt } = task
    const proof = { source: storedSource, result: storedResult, budgetMs: 40_000, format, scannedAt }
    const proven = await analysis.prove(proof, { ...options, onEvidence })
    isAnswered = true
    const findings = read(proven.body).dataVulnerabilities
    expect(received).toEqual(findings.map(({ evidence }) => evidence))
    const destructs = findings.flatMap(({ vulnerabilityId }, index) => (vulnerabilityId === 'SWC-106' ? [index] : []))
    expect(destructs.map((index) => received[index]?.status)).toEqual(['confirmed', 'confirmed'])
  },
  240_000,
)

test.skipIf(isWithoutProver)(
  'a compiler that does not come back is ended from outside of its process',
  async () => {
    const inner = Array.from({ length: 14 }, (_, i) => `struct S${i + 1} { S${i}[] a; S${i} b; }`).join('\n')
    const { storedSource, storedResult } = await scan(`pragma solidity 0.8.30;
contract C {
  struct S0 { uint[] a; string b; }
  ${inner}
  function g(S14 calldata s) external returns (S14 memory) { return s; }
  function pay(uint n) external { payable(msg.sender).transfer(n); }
}`)
    const { format, scannedAt } = task
    const proof = { source: storedSource, result: storedResult, budgetMs: 2_000, format, scannedAt }
    await expect(analysis.prove(proof, options)).rejects.toMatchObject({ overrun: 'timeout' })
  },
  240_000,
)

test('five megabytes are scanned within the memory of a worker', async () => {
  const one = 'contract C { uint x; function f(uint a) external returns (uint) { x = a + 1; return x; } }\n'
  const big = `pragma solidity 0.8.26;\n${one.repeat(58_000)}`
  const roomy = createAnalysis({
    scanWorkers: 1,
    scanTimeoutMs: 120_000,
    scanMemoryMb: 512,
    scanQueue: 10,
    scanWaitMs: 30_000,
  })
  const done = await roomy.scan({ ...task, ...single(big) }, options)
  expect(done.outcome).toBe('scanned')
  await roomy.close()
})
