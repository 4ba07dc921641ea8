import { type Flow, type Loop, type Op, stripCasts } from '../flow/index.ts'
import { defineDetector } from './detector.ts'

export default defineDetector({
  id: 'unexpected-gas-usage',
  swc: 'SWC-132',
  title: 'Gas or balance is not what the code expects',
  severity: 'medium',
  confidence: 'medium',
  description:
    'The code relies on something that changes without it: a loop over stored data that only grows costs more each time until it no longer fits into a block, and ether can be forced into any contract, so that an exact comparison with its balance fails for good.',
  recommendation:
    'Bound what loops run over or page through it. Keep your own account of ether received, and compare balances with `>=`, never with `==`.',
  references: [
    'https://swcregistry.io/docs/SWC-132',
    'https://docs.soliditylang.org/en/latest/security-considerations.html#gas-limit-and-loops',
  ],
  cwe: ['CWE-667', 'CWE-400'],

  *run({ functions }) {
    const seen = new Set<number>()
    for (const flow of functions) {
      for (const loop of flow.isConstructor ? [] : flow.loops()) {
        if (loop.grownBy !== 'privileged' || seen.has(loop.start)) continue
        seen.add(loop.start)
        const end = loop.condition !== null && loop.condition.end > loop.start ? loop.condition.end : loop.start + 3
        yield {
          at: { start: loop.start, end },
          ...(canShrink(flow, loop)
            ? {
                message: `This loop runs over \`${loop.variable?.name}\`, and nothing keeps those who fill it from making it too long.`,
                confidence: 'low' as const,
              }
            : {
                message:
                  loop.boundKind === 'chain'
                    ? untilChain
                    : `This loop runs over \`${loop.variable?.name ?? 'stored data'}\`, which only grows.`,
              }),
        }
      }
      for (const op of exactBalances(flow)) {
        if (seen.has(op.start)) continue
        seen.add(op.start)
        yield {
          at: { start: op.start, end: op.end },
          message: 'Ether can be forced into the account, so its balance need not equal what the code expects.',
          trace: flow.trace(op),
        }
      }
    }
  },
})

const untilChain = 'Nothing bounds this loop but the time that has passed, or accounts of others: its gas only grows.'

/** The list can also be made shorter. */
const canShrink = (flow: Flow, { variable, boundKind }: Loop): boolean =>
  variable !== null &&
  boundKind === 'storage-length' &&
  flow.whole.writersOf(variable).some(({ flow: writer, op }) => !writer.isConstructor && shortens(op))

const shortens = (store: Op): boolean => {
  const { part } = store.location!
  if (store.flag) return part === 'root' || part === 'length'
  const value = stripCasts(store.args[0]!)
  return part === 'length' && ((value.kind === 'bin' && value.operator === '-') || isZero(value))
}

const isZero = (value: Op): boolean => value.kind === 'const' && value.constant === 0n

/** `balance == x` that decides something. */
const exactBalances = (flow: Flow): Op[] =>
  flow.ops('bin').filter((op) => {
    if (op.operator !== '==' && op.operator !== '!=') return false
    if (!op.args.some((arg) => isBalance(arg))) return false
    return flow.usersOf(op).length > 0 || flow.branchesOn(op).length > 0
  })

const isBalance = (value: Op): boolean => {
  const op = stripCasts(value)
  return op.kind === 'builtin' && op.operator === 'balance'
}
