/**
 * Damages the files of the corpus and asks that the parser survives: no exception, a sound tree, time in step with
 * the length.
 *   npx tsx bench/fuzz.ts [--seconds 60] [--seed 1] [--scan]
 * With --scan the whole engine reads each damaged file, not the parser alone.
 */
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { scan } from '@assay/engine'
import { parse } from '../engine/src/syntax/index.ts'
import { mutate, randomFrom } from '../engine/src/syntax/testing/mutate.ts'
import { findTreeFault } from '../engine/src/syntax/testing/tree-faults.ts'
import { corpusFolder, hasCorpus, readCorpusText, readTruth } from './corpus.ts'

/** Generous: a hundred times slower than usual, plus what a collection of garbage may take. */
const allowedMs = (text: string, whole: boolean): number => (100 + text.length / 500) * (whole ? 10 : 1)

const faultOf = (text: string, whole: boolean): string | null => {
  const start = performance.now()
  try {
    const result = parse(text)
    if (whole) scan(text)
    const spent = performance.now() - start
    if (spent > allowedMs(text, whole)) return `took ${spent.toFixed(0)} ms for ${text.length} characters`
    return findTreeFault(text, 0, result)
  } catch (error) {
    return `threw ${(error as Error).stack}`
  }
}

const main = (): void => {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '60' },
      seed: { type: 'string', default: '1' },
      scan: { type: 'boolean', default: false },
    },
  })
  if (!hasCorpus()) {
    console.error(`No corpus at ${corpusFolder()}. Set CORPUS_DIR to the folder that holds dev/truth.json.`)
    process.exitCode = 2
    return
  }
  const texts = readTruth().map(readCorpusText)
  const random = randomFrom(Number(values.seed))
  const end = performance.now() + Number(values.seconds) * 1000
  const faults: string[] = []
  let count = 0
  for (; performance.now() < end && faults.length < 20; count++) {
    const text = mutate(texts[count % texts.length]!, random)
    // A scan that never ends leaves its input behind.
    if (values.scan) writeFileSync(path.join(tmpdir(), `assay-fuzz-${values.seed}-current.sol`), text)
    const fault = faultOf(text, values.scan)
    if (fault === null) continue
    const file = path.join(tmpdir(), `assay-fuzz-${values.seed}-${faults.length}.sol`)
    writeFileSync(file, text)
    faults.push(fault)
    console.log(`${fault}\n  kept as ${file}`)
  }
  console.log(`${count} damaged files read, ${faults.length} faults (seed ${values.seed})`)
  if (faults.length > 0) process.exitCode = 1
}

main()
