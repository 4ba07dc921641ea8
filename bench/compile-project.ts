/** Compiles the files of a project as its settings say, for `bench/fix.ts`; prints the first error. Ends by itself, with its memory. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Task {
  readonly folder: string
  /** The unpacked package of the compiler. */
  readonly solc: string
  readonly sources: readonly string[]
  readonly settings: object
}

interface Solc {
  compile(input: string, callbacks: { import(path: string): object }): string
}

const require = createRequire(import.meta.url)
// The package of the newest compiler can drive all of them.
const wrapper = require(fileURLToPath(new URL('../prover/packages/node_modules/solc-0.8/wrapper.js', import.meta.url)))

const { folder, solc, sources, settings } = JSON.parse(process.argv[2] ?? '') as Task
const read = (path: string) => ({ content: readFileSync(join(folder, path), 'utf8') })
const paths = sources
  .flatMap((source) =>
    readdirSync(join(folder, source), { recursive: true, encoding: 'utf8' }).map((path) => join(source, path)),
  )
  .filter((path) => path.endsWith('.sol') && !path.includes('node_modules'))

const input = {
  language: 'Solidity',
  sources: Object.fromEntries(paths.map((path) => [path, read(path)])),
  settings: { ...settings, outputSelection: { '*': { '*': ['evm.bytecode.object'] } } },
}
const find = (path: string): object => {
  const place = [path, join('node_modules', path)].find((each) => existsSync(join(folder, each)))
  return place ? { contents: read(place).content } : { error: 'File not found' }
}
const compiler = wrapper(require(join(solc, 'soljson.js'))) as Solc
const { errors = [] } = JSON.parse(compiler.compile(JSON.stringify(input), { import: find })) as {
  errors?: { severity: string; formattedMessage: string }[]
}
const error = errors.find(({ severity }) => severity === 'error')
// Some of the compilers leave a handler behind that turns an empty output into a failure.
process.stdout.write(error ? `${error.formattedMessage.trim().split('\n').slice(0, 2).join(' ')}\n` : '', () =>
  process.exit(0),
)
