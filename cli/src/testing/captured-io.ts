import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'
import type { Io } from '../io.ts'
import { runCli } from '../run-cli.ts'

export interface Captured {
  readonly code: number
  readonly out: string
  readonly err: string
}

export interface Situation {
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  readonly stdin?: string
  /** Start in this folder below the one with the files. */
  readonly folder?: string
  readonly isTerminal?: boolean
  readonly columns?: number
  readonly environment?: Io['environment']
  readonly interrupted?: Promise<void>
  /** What the person types, answer by answer. */
  readonly answers?: readonly string[]
  onWrite?(name: 'out' | 'err', text: string): void
}

/** A folder with these files, gone after the test. */
export function makeFolder(files: NonNullable<Situation['files']>): string {
  const folder = fill(files)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A folder with these files, gone after all tests of the file. */
export function keepFolder(files: NonNullable<Situation['files']>): string {
  const folder = fill(files)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function fill(files: NonNullable<Situation['files']>): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-cli-'))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}

/** Runs `assay …` in this process, in a folder made for it. */
export async function assay(words: readonly string[], situation: Situation = {}): Promise<Captured> {
  const folder = makeFolder(situation.files ?? {})
  return assayIn(join(folder, situation.folder ?? ''), words, situation)
}

export async function assayIn(folder: string, words: readonly string[], situation: Situation = {}): Promise<Captured> {
  const captured = { out: '', err: '' }
  const code = await runCli(words, createIo(folder, situation, captured))
  return { code, ...captured }
}

/** The world around a command, in memory. */
export function createIo(folder: string, situation: Situation = {}, captured = { out: '', err: '' }): Io {
  const answers = [...(situation.answers ?? [])]
  const terminal = (name: 'out' | 'err') => ({
    isTerminal: situation.isTerminal ?? false,
    columns: situation.columns ?? 100,
    write: (text: string) => {
      captured[name] += text
      situation.onWrite?.(name, text)
    },
  })
  return {
    folder,
    // What one test remembers, another must not find.
    environment: {
      ASSAY_CACHE_DIR: join(folder, '.assay-cache'),
      // No test fetches compilers unless it is about that.
      ASSAY_PROVER_INSTALL: 'never',
      ...situation.environment,
    },
    out: terminal('out'),
    err: terminal('err'),
    readStdin: async () => new TextEncoder().encode(situation.stdin ?? ''),
    prompt: async () => answers.shift(),
    interrupted: () => situation.interrupted ?? Promise.resolve(),
  }
}

// Nothing in it but the pragma is worth a word: no state, no money, no caller to trust.
const body = `
contract Box {
    function next(uint256 value) external pure returns (uint256) {
        return value + 1;
    }
}
`
export const floating = `pragma solidity ^0.8.0;\n${body}`
export const clean = `pragma solidity 0.8.28;\n${body}`
