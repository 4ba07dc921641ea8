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
  title: 'Predictable randomness (public inputs)',
  aliases: {
    slither: ['weak-prng'],
    aderyn: ['weak-randomness'],
    owasp: ['SC09:2025'],
    scwe: ['SCWE-024'],
    words: ['predictable random', 'lottery'],
  },
  severity: 'high',
  confidence: 'medium',
  description:
    'A function returns a number hashed from block data and the caller for other contracts to use as randomness. Callers compute it in advance and call only when it suits them.',
  recommendation: 'Use a verifiable random function (Chainlink VRF) or commit-reveal.',
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
    excuse('mixed-with-state', 'state or another contract contributes to it', ({ flow, hash }) =>
      dependsOn(flow, hash, isSecret),
    ),
  ],
  finding: ({ flow, hash }) => ({
    at: hash,
    message: `\`${flow.name}()\` returns a random number that any caller can compute in advance.`,
    trace: [witnessStep(flow, hash, 'computes the number in advance to win'), ...flow.trace(hash)],
  }),
})
