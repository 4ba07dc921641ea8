/** Whether files compile, by the newest compiler of a line that their pragmas admit; remembered by content. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { InputFile } from '@assay/engine'
import { blankPragmas, chooseLines } from '../../prover/src/compile/compiler-line.ts'

const cacheFolder = fileURLToPath(new URL('../../.cache/faults/compiled', import.meta.url))
const require = createRequire(import.meta.url)

interface Output {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage?: string }[]
}

/** Types only: no code is generated, so that nothing is refused for the depth of the stack. */
const firstError = (line: number, files: readonly InputFile[]): string => {
  const solc = require(`solc-0.${line}`) as { compile(input: string): string }
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(files.map(({ path: file, text }) => [file, { content: blankPragmas(text) }])),
    settings: { outputSelection: { '*': { '*': ['abi'] } } },
  }
  const { errors = [] } = JSON.parse(solc.compile(JSON.stringify(input))) as Output
  return errors.find(({ severity }) => severity === 'error')?.formattedMessage ?? ''
}

/** Empty: they compile; else what the compiler says first. */
export const compileError = (files: readonly InputFile[]): string => {
  const key = createHash('sha256').update(JSON.stringify(files)).digest('hex')
  const kept = path.join(cacheFolder, key)
  if (existsSync(kept)) return readFileSync(kept, 'utf8')
  let error = 'no compiler is admitted by the pragmas'
  for (const line of chooseLines(files.map(({ text }) => text))) {
    error = firstError(line, files)
    if (error === '') break
  }
  mkdirSync(cacheFolder, { recursive: true })
  writeFileSync(kept, error)
  return error
}
