import { dependsOn, readsBlock } from '../../facts/index.ts'
import { isHash } from '../../idioms/index.ts'
import { type Flow, holding, type Op } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly hash: Op
}

/** What the producer of a block knows, and whoever calls from a contract too. */
const isBlockValue = ({ kind, operator }: Op): boolean =>
  (kind === 'env' && operator.startsWith('block.') && operator !== 'block.chainid') ||
  (kind === 'builtin' && operator === 'blockhash')

/** What is not known when the block is made: state that others fill, answers of other contracts. */
const isSecret = ({ kind }: Op): boolean => kind === 'call' || kind === 'load'

export default defineDetector<Candidate>({
  id: 'published-randomness',
  swc: 'SWC-120',
  title: 'Random number for others, made of what everybody knows',
  severity: 'high',
  confidence: 'medium',
  description:
    'A function answers with a number hashed from the block and the caller, for other contracts to draw with. Whoever calls can work out the same number beforehand, and asks only when it suits.',
  recommendation: 'Use a verifiable source (a VRF), or commit and reveal.',
  references: ['https://swcregistry.io/docs/SWC-120'],
  cwe: ['CWE-330'],
  yieldsTo: ['weak-randomness'],

  needs: [holding.builtin, readsBlock],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) {
      if (flow.fn?.returns.every(({ type }) => type.kind !== 'int') ?? true) continue
      for (const hash of flow.ops('builtin')) {
        if (!isHash(hash) || !dependsOn(flow, hash, isBlockValue)) continue
        if (flow.ops('return').some(({ args }) => args.some((arg) => dependsOn(flow, arg, (op) => op === hash))))
          yield { flow, hash }
      }
    }
  },
  excuses: [
    excuse('mixed-with-state', 'state or another contract goes into it', ({ flow, hash }) =>
      dependsOn(flow, hash, isSecret),
    ),
  ],
  finding: ({ flow, hash }) => ({
    at: hash,
    message: `\`${flow.name}\` answers with a number that anyone can work out beforehand.`,
    trace: flow.trace(hash),
  }),
})
