/** The Foundry tests that the prover writes for bench/textbook. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Finding, scan } from '@assay/engine'
import { placeTest, prove } from '@assay/prover'
import { compile } from '../prover/src/compile/compile.ts'
import type { Packages } from '../prover/src/packages.ts'

const textbook = fileURLToPath(new URL('textbook/', import.meta.url))
const limits = { millisecondsPerFinding: 60_000, millisecondsPerScan: 120_000 }

/** How a test is written: on its own, or inheriting from `Test`. */
export type Form = 'plain' | 'forge-std'

export interface Case {
  readonly name: string
  readonly detector: string
  readonly line: number
  readonly tests: Readonly<Record<Form, string>>
}

export const readTextbook = (name: string, version: string): string =>
  readFileSync(join(textbook, name, `${version}.sol`), 'utf8')

const proveCase = async (name: string): Promise<Case | undefined> => {
  const text = readTextbook(name, 'vulnerable')
  const line = text.split('\n').findIndex((each) => each.includes('// expect: ')) + 1
  const detector = /\/\/ expect: (\S+)/.exec(text)?.[1] ?? ''
  const { findings, advisories } = scan(text, { path: `${name}.sol` })
  const finding = [...findings, ...advisories].find((each) => each.line === line && each.detector === detector)
  const path = `${name}.sol`
  const [evidence] = await prove([{ path, text }], [{ path, finding: finding as Finding }], { limits })
  const compilerLine = Number(evidence?.compiler?.split('.')[1] ?? 8)
  if (evidence?.status !== 'confirmed' || !evidence.foundryTest) return undefined
  const { text: written } = evidence.foundryTest
  const placed = (hasForgeStd: boolean): string => placeTest(written, { toSource: '../src', hasForgeStd })
  return { name, detector, line: compilerLine, tests: { plain: placed(false), 'forge-std': placed(true) } }
}

/** Those that are verified; all where no names are given. */
export const proveTextbook = async (wanted: readonly string[]): Promise<Case[]> => {
  const cases: Case[] = []
  for (const name of readdirSync(textbook).filter((each) => wanted.length === 0 || wanted.includes(each))) {
    const found = await proveCase(name)
    if (found) cases.push(found)
  }
  return cases
}

/** A fix may change what the test calls. One such test would stop the whole project, so it is left out first. */
export const compiles = ({ name, tests }: Case, version: string, packages: Packages): boolean =>
  compile(
    [
      { path: `src/${name}.sol`, text: readTextbook(name, version) },
      { path: `test/${name}.t.sol`, text: tests.plain },
    ],
    packages,
  ).ok
