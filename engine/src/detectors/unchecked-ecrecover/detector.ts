import { comparisonsOf, isSender } from '../../facts/index.ts'
import { type Flow, type Op, oncePerPlace, stripCasts } from '../../ir/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

const comparisons = new Set(['==', '!=', '>', '<'])

const isZero = (op: Op): boolean => op.kind === 'const' && op.constant === 0n

/** What the signer is compared with, also through a variable that several paths set. */
const comparedWith = (flow: Flow, signer: Op): Op[] => {
  const others: Op[] = []
  const work = [signer]
  const seen = new Set<Op>()
  while (work.length > 0 && seen.size < 50) {
    const value = work.pop()!
    if (seen.has(value)) continue
    seen.add(value)
    for (const user of flow.usersOf(value)) {
      if (
        user.kind === 'cast' ||
        user.kind === 'phi' ||
        user.kind === 'select' ||
        user.kind === 'tuple' ||
        user.kind === 'extract'
      )
        work.push(user)
      else if (user.kind === 'bin' && comparisons.has(user.operator))
        others.push(...user.args.filter((arg) => arg !== value).map(stripCasts))
    }
  }
  return others
}

/** Nobody is the zero address: a comparison with the sender, a fixed address or one that is not zero refuses it too. */
const refusesZero = (flow: Flow, other: Op): boolean => {
  if (isSender(other) || (other.kind === 'const' && other.constant !== null)) return true
  return comparisonsOf(flow, other).some(({ args }) => args.some((arg) => isZero(stripCasts(arg))))
}

const checkRecovery = (flow: Flow, op: Op, hits: Hit[]): void => {
  const others = comparedWith(flow, op)
  if (others.length === 0 || others.some((other) => refusesZero(flow, other))) return
  hits.push({
    at: op,
    message:
      'For a broken signature `ecrecover` returns the zero address, which is compared here as if it were a signer.',
    trace: flow.trace(op),
  })
}

export default defineDetector({
  id: 'unchecked-ecrecover',
  swc: null,
  title: 'Zero address accepted as signer',
  severity: 'medium',
  confidence: 'medium',
  description:
    '`ecrecover` does not fail on a broken signature: it returns the zero address. If the address it is compared with is unset, any rubbish counts as a valid signature.',
  recommendation: 'Refuse the zero address, or use a library such as `ECDSA` that does.',
  references: [
    'https://docs.soliditylang.org/en/latest/units-and-global-variables.html#mathematical-and-cryptographic-functions',
  ],
  cwe: ['CWE-347'],
  yieldsTo: ['signature-malleability', 'missing-signature-check'],

  run(context) {
    const hits: Hit[] = []
    for (const flow of context.functions) for (const op of flow.builtins('ecrecover')) checkRecovery(flow, op, hits)
    return oncePerPlace(hits)
  },
})
