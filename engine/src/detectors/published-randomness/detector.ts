import { dependsOn, reaches, readsBlock } from '../../facts/index.ts'
import { isHash, witnessStep } from '../../idioms/index.ts'
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

/** As a number, counted from it: what other contracts make of it is theirs, and a contract that has it as its salt is no number. */
const isAnswered = (flow: Flow, hash: Op): boolean =>
  reaches(flow, hash, {
    through: ({ kind }) => kind !== 'call',
    until: ({ value, user }) =>
      user?.kind === 'return' && user.args.some((answer, at) => answer === value && isNumber(flow, at)),
  })

const isNumber = ({ fn }: Flow, at: number): boolean => fn?.returns[at]?.type.kind === 'int'

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
        if (isAnswered(flow, hash)) yield { flow, hash }
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
    trace: [
      witnessStep(flow, hash, 'they know the number before it is drawn, and those who rely on it lose to them'),
      ...flow.trace(hash),
    ],
  }),
})
