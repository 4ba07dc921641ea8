/** `npm run new:detector <id> [SWC-nnn]`: a detector that compiles at once, and its fixture pair. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

const titleOf = (id: string): string => {
  const words = id.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const detectorSource = (
  id: string,
  swc: string | null,
): string => `import { defineDetector, type Hit } from '../define-detector.ts'

export default defineDetector({
  id: '${id}',
  swc: ${swc ? `'${swc}'` : 'null'},
  title: '${titleOf(id)}',
  severity: 'low',
  confidence: 'medium',
  description: 'What goes wrong, and what somebody can do with it. Two or three sentences.',
  recommendation: 'What to write instead.',
  references: ['https://swcregistry.io/'],
  cwe: [],

  read(model) {
    const hits: Hit[] = []
    for (const contract of model.contracts) {
      if (contract.name === '') hits.push({ at: contract.node.name, message: 'Why this place is a weakness.' })
    }
    return hits
  },
})
`

export const fixtureSource = (id: string, mark: 'expect' | 'safe'): string => `// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;

contract Example {
    function act() external {} // ${mark === 'expect' ? `miss: ${id} replace by an expect mark once it is found` : 'safe: why this near miss is fine'}
}
`

const plan = (id: string, swc: string | null): { readonly file: string; readonly content: string }[] => [
  { file: `engine/src/detectors/${id}/detector.ts`, content: detectorSource(id, swc) },
  { file: `engine/src/detectors/${id}/fixtures/vulnerable.sol`, content: fixtureSource(id, 'expect') },
  { file: `engine/src/detectors/${id}/fixtures/safe.sol`, content: fixtureSource(id, 'safe') },
]

const main = ([id, swc]: readonly string[]): number => {
  if (!id || !/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(id) || (swc && !/^SWC-\d{3}$/.test(swc))) {
    console.error('usage: npm run new:detector <kebab-case-id> [SWC-nnn]   named after the weakness, never the cure')
    return 2
  }
  const files = plan(id, swc ?? null)
  const taken = files.find(({ file }) => existsSync(path.join(root, file)))
  if (taken) {
    console.error(`${taken.file} exists already.`)
    return 1
  }
  for (const { file, content } of files) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), content)
    console.log(file)
  }
  console.log(`Mark the fixture lines, fill in run, then: npm test -- ${id} && npm run generate`)
  return 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main(process.argv.slice(2))
