/**
 * Scans what the grammar allows, and damaged and spliced fixtures, until its time is over; a process of its own, so that one that never ends or
 * eats all memory can be detected. Writes each input down before it is scanned. Arguments: seconds, seed, folder.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { scan } from '@assay/engine'
import { mutate, type Random, randomFrom } from '../engine/src/syntax/testing/mutate.ts'
import { randomContract } from '../engine/src/syntax/testing/random-contract.ts'

const [seconds = '30', seed = '1', folder = '.'] = process.argv.slice(2)

/** Generous: a file of this size takes a few milliseconds. */
const allowedMs = (text: string): number => 2000 + text.length / 5

const engine = fileURLToPath(new URL('../engine', import.meta.url))
const fixtures = readdirSync(engine, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.sol') && !file.includes('node_modules'))
  .sort()
  .map((file) => readFileSync(path.join(engine, file), 'utf8'))

const pick = (random: Random): string => fixtures[Math.floor(random() * fixtures.length)] ?? ''

/** The beginning of one and the end of another. */
const splice = (one: string, other: string, random: Random): string =>
  one.slice(0, Math.floor(random() * one.length)) + other.slice(Math.floor(random() * other.length))

const kinds: Record<string, (random: Random) => string> = {
  grammar: randomContract,
  'grammar, damaged': (random) => mutate(randomContract(random), random),
  'fixture, damaged': (random) => mutate(pick(random), random),
  'fixtures, spliced': (random) => mutate(splice(pick(random), pick(random), random), random),
}

const random = randomFrom(Number(seed))
const end = performance.now() + Number(seconds) * 1000
const counts = new Map<string, number>()
let faults = 0
let slowest = 0
while (performance.now() < end && faults < 20) {
  for (const [kind, make] of Object.entries(kinds)) {
    const text = make(random)
    writeFileSync(path.join(folder, 'current.sol'), text)
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    const began = performance.now()
    try {
      scan(text)
      const spent = performance.now() - began
      slowest = Math.max(slowest, spent)
      if (spent <= allowedMs(text)) continue
      console.log(`${kind}: took ${spent.toFixed(0)} ms for ${text.length} characters`)
    } catch (error) {
      console.log(`${kind}: threw ${(error as Error).stack}`)
    }
    faults += 1
    writeFileSync(path.join(folder, `fault-${seed}-${faults}.sol`), text)
  }
}
const summary = [...counts].map(([kind, n]) => `${n} × ${kind}`).join(', ')
console.log(`engine: ${summary}; slowest ${slowest.toFixed(0)} ms, ${faults} faults`)
process.exitCode = faults > 0 ? 1 : 0
