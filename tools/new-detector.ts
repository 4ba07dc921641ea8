/** `npm run new:detector <id> [SWC-nnn]`: a detector that compiles at once, its page and its fixture pair. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { detectors } from '../engine/src/detectors/index.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

const titleOf = (id: string): string => {
  const words = id.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const detectorSource = (
  id: string,
  swc: string | null,
): string => `import { isProtected } from '../../facts/index.ts'
import type { Flow, Op } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: Op
}

export default defineDetector<Candidate>({
  id: '${id}',
  swc: ${swc ? `'${swc}'` : 'null'},
  title: '${titleOf(id)}',
  aliases: { words: ['${id.replaceAll('-', ' ')}'] },
  severity: '${severityOf(swc)}',
  confidence: 'medium',
  description: 'What goes wrong, and what an attacker gains by it. Two or three sentences.',
  recommendation: 'What to write instead.',
  references: ['https://swcregistry.io/'],
  cwe: [],

  // The claim: who can do what to whose assets.
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) for (const op of flow.builtins('addmod')) yield { flow, op }
  },

  excuses: [excuse('protected', 'only privileged accounts get there', ({ flow, op }) => isProtected(flow, op))],

  finding: ({ flow, op }) => ({ at: op, message: 'Subject, defect and consequence.', trace: flow.trace(op) }),
})
`

/** One class, one severity. */
const severityOf = (swc: string | null): string =>
  (swc === null ? undefined : detectors.find((detector) => detector.swc === swc)?.severity) ?? 'low'

/** A fixture for the claim of the template, about a function that no other fixture calls: marks hold until the author replaces both. */
export const fixtureSource = (id: string, mark: 'expect' | 'safe'): string => `// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;

contract Example {
    ${mark === 'expect' ? '' : 'address private immutable owner = msg.sender;\n    '}uint256 public sum;

    function add(uint256 number) external {
        ${mark === 'expect' ? '' : 'require(msg.sender == owner);\n        '}sum = addmod(number, 1, 7); // ${
          mark === 'expect' ? `expect: ${id}` : `safe: ${id}/protected  the owner was fixed at construction`
        }
    }
}
`

/** What only a person can say of it. */
export const pageSource = `# How it is attacked

1. Who does what first, with which call.
2. What the contract then does, and what they gain by it.

# Known limits

- What it cannot see, and what it takes for granted.
`

const plan = (id: string, swc: string | null): { readonly file: string; readonly content: string }[] => [
  { file: `engine/src/detectors/${id}/detector.ts`, content: detectorSource(id, swc) },
  { file: `engine/src/detectors/${id}/page.md`, content: pageSource },
  { file: `engine/src/detectors/${id}/fixtures/vulnerable.sol`, content: fixtureSource(id, 'expect') },
  { file: `engine/src/detectors/${id}/fixtures/safe.sol`, content: fixtureSource(id, 'safe') },
]

const main = ([id, swc]: readonly string[]): number => {
  if (!id || !/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(id) || (swc && !/^SWC-\d{3}$/.test(swc))) {
    console.error(
      'usage: npm run new:detector <kebab-case-id> [SWC-nnn]   named after the vulnerability, never the fix',
    )
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
  console.log(
    `Mark the fixture lines, fill in the claim, write the page, then: npm test -- ${id} && npm run generate && npm test -- fixtures.test.ts && npm run typecheck`,
  )
  return 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main(process.argv.slice(2))
