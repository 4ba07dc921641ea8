// A compiler as forge calls one (`--version`, `--standard-json`), served by the solc of the prover's packages: no network is needed.
//   node solc.mjs <line: 4 to 8> …
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const [line, ...words] = process.argv.slice(2)
const require = createRequire(new URL('../packages/package.json', import.meta.url))
const solc = require(`solc-0.${line}`)

if (words.includes('--version')) {
  const version = /^[^+]+\+commit\.[0-9a-f]+/.exec(solc.version())?.[0]
  process.stdout.write(`solc, the solidity compiler commandline interface\nVersion: ${version}.Linux.g++\n`)
} else {
  const compile = solc.compileStandardWrapper ?? solc.compile
  process.stdout.write(compile(readFileSync(0, 'utf8')))
}
