/**
 * Runs the prover over textbook contracts (bench/textbook) and their fixed twins, and prints what became of each.
 *   npm run bench:textbook -- [names…]
 * The line that carries `// expect: <detector>` is the finding; in the fixed twin the same function is attacked. A twin that is verified is a
 * false proof, and the command ends with 1.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Evidence, type Finding, scan } from '@assay/engine'
import { isInstalled, prove } from '@assay/prover'
import { textTable } from './text-table.ts'

const folder = fileURLToPath(new URL('textbook/', import.meta.url))
const path = 'contract.sol'
/** Calls decide, not the time that a busy machine takes for them. */
const limits = { millisecondsPerFinding: 60_000, millisecondsPerScan: 120_000 }

const read = (name: string, version: 'vulnerable' | 'fixed'): string =>
  readFileSync(`${folder}${name}/${version}.sol`, 'utf8')

const expectedFinding = (name: string, text: string): Finding => {
  const line = text.split('\n').findIndex((each) => each.includes('// expect: ')) + 1
  const detector = /\/\/ expect: (\S+)/.exec(text)?.[1]
  const { findings, advisories } = scan(text, { path })
  const found = [...findings, ...advisories].find((each) => each.line === line && each.detector === detector)
  if (!found) throw new Error(`${name}: the engine does not report ${detector} at line ${line}`)
  return found
}

/** The finding at the head of the same function: the prover takes all of its lines then. */
const moved = (finding: Finding, text: string): Finding => {
  const head = new RegExp(`\\b(?:function ${finding.function}\\b|${finding.function}\\s*\\()`)
  const line = text.split('\n').findIndex((each) => head.test(each)) + 1
  return { ...finding, line, endLine: line, trace: [] }
}

const attack = async (text: string, finding: Finding): Promise<Evidence> => {
  const [evidence] = await prove([{ path, text }], [{ path, finding }], { limits })
  return evidence as Evidence
}

interface Row {
  readonly name: string
  readonly finding: Finding
  readonly vulnerable: Evidence
  readonly fixed: Evidence
}

const measure = async (name: string): Promise<Row> => {
  const [vulnerable, fixed] = [read(name, 'vulnerable'), read(name, 'fixed')]
  const finding = expectedFinding(name, vulnerable)
  return {
    name,
    finding,
    vulnerable: await attack(vulnerable, finding),
    fixed: await attack(fixed, moved(finding, fixed)),
  }
}

const main = async (): Promise<number> => {
  if (!isInstalled()) {
    console.error('The prover is not installed: npm run setup:prover')
    return 2
  }
  const wanted = process.argv.slice(2)
  const rows: Row[] = []
  for (const name of readdirSync(folder).filter((each) => wanted.length === 0 || wanted.includes(each)))
    rows.push(await measure(name))
  const cells = rows.map(({ name, finding, vulnerable, fixed }) => [
    name,
    finding.detector,
    vulnerable.status,
    String(vulnerable.callsTried),
    fixed.status,
    vulnerable.summary.slice(0, 110),
  ])
  console.log(textTable(['contract', 'finding', 'vulnerable', 'calls', 'fixed', 'what was seen'], cells))
  const count = (status: Evidence['status'], of: 'vulnerable' | 'fixed') =>
    rows.filter((row) => row[of].status === status).length
  const attempted = rows.length - count('not-attempted', 'vulnerable')
  console.log(
    `\n${rows.length} findings: ${attempted} attempted, ${count('confirmed', 'vulnerable')} verified; fixed twins verified: ${count('confirmed', 'fixed')}`,
  )
  return count('confirmed', 'fixed') > 0 ? 1 : 0
}

process.exitCode = await main()
