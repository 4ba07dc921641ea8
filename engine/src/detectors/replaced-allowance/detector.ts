import { dependsOn, guardsAt, isSender } from '../../facts/index.ts'
import { witnessStep } from '../../idioms/index.ts'
import {
  type CallOp,
  type ContractFlow,
  type Flow,
  holding,
  isEquality,
  isOrdering,
  type Location,
  type Op,
  type StoreOp,
  stripCasts,
} from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface ReplacedAllowance {
  readonly flow: Flow
  readonly store: StoreOp
}

/** `allowed[owner][spender]` */
const keysOf = ({ depth, index, parent }: Location): { owner: Op; spender: Op } | null =>
  depth === 2 && index !== null && parent?.index ? { owner: parent.index, spender: index } : null

/** `allowed[msg.sender][spender] = value` as the caller says. */
const isReplaced = ({ location, args }: StoreOp): boolean => {
  const keys = keysOf(location)
  return keys !== null && isSender(keys.owner) && isGiven(keys.spender) && isGiven(args[0])
}

const isGiven = (value: Op): boolean => stripCasts(value).kind === 'param'

/** Some function lowers `allowed[owner][msg.sender]`: an allowance that others spend. */
const isSpent = ({ flow, store }: ReplacedAllowance): boolean => flow.contractFlow.answerAt(store.location, isLowered)

const isLowered = (contractFlow: ContractFlow, { variable }: Location): boolean =>
  contractFlow.writersOf(variable!).some(({ op }) => {
    const keys = keysOf(op.location)
    if (keys === null || !isSender(keys.spender)) return false
    const value = stripCasts(op.args[0])
    return value.kind === 'bin' ? value.operator === '-' : value.kind === 'phi' || value.kind === 'call'
  })

/** Every spender is checked for an allowance without end: holders who grant one without have nothing to replace. */
const canBeEndless = ({ flow, store }: ReplacedAllowance): boolean =>
  flow.contractFlow.answerAt(store.location, isEndCheckedAnywhere)

const isEndCheckedAnywhere = (contractFlow: ContractFlow, { variable }: Location): boolean =>
  contractFlow
    .writersOf(variable!)
    .some(
      ({ flow: writer, op }) =>
        keysOf(op.location) !== null &&
        isSender(keysOf(op.location)!.spender) &&
        writer
          .ops('bin')
          .some(
            ({ operator, args }) =>
              (isEquality(operator) || isOrdering(operator)) &&
              args.some((side) => isAllowance(side, op.location)) &&
              args.some(isAllOnes),
          ),
    )

const isAllowance = (value: Op, place: Location): boolean => {
  const op = stripCasts(value)
  return op.kind === 'load' && op.location === place
}

/** The largest number of some type, however it is written. */
const isAllOnes = (value: Op): boolean => {
  const { kind, constant } = stripCasts(value)
  if (kind !== 'const' || constant === null) return false
  return constant === -1n || (constant >= 1n << 64n && (constant & (constant + 1n)) === 0n)
}

/** The contract also offers to raise or lower an allowance by a difference. */
const hasDifference = ({ flow, store }: ReplacedAllowance): boolean =>
  flow.contractFlow.answerAt(store.location, isChangedByDifference)

const isChangedByDifference = (contractFlow: ContractFlow, { variable }: Location): boolean =>
  contractFlow.writersOf(variable!).some(({ flow: writer, op }) => {
    const keys = keysOf(op.location)
    if (keys === null || !isSender(keys.owner) || isSender(keys.spender)) return false
    const value = stripCasts(op.args[0])
    if (value.kind === 'bin') return value.operator === '+' || value.operator === '-'
    return value.kind === 'call' && value.call.definition === null && isMadeOfOld(writer, value, op.location)
  })

/** `allowed[owner][spender].add(more)` of a library in a missing file: whatever it works out, it starts from what is there. */
const isMadeOfOld = (flow: Flow, { call, args }: CallOp, place: Location): boolean =>
  [...(call.target === null ? [] : [call.target]), ...args].some((part) =>
    dependsOn(flow, part, (op) => isAllowance(op, place)),
  )

/** Through another function that callers see as well: it is reported there, once for the token. */
const isInOtherEntry = ({ flow, store }: ReplacedAllowance): boolean => {
  for (let site = store.site; site !== null; site = site.parent)
    if (site.call !== null && flow.contractFlow.entryPoints.some(({ fn }) => fn === site.fn)) return true
  return false
}

/** A condition asks for the allowance that is there. */
const isEndChecked = ({ flow, store }: ReplacedAllowance): boolean =>
  guardsAt(flow, store).some(({ condition }) =>
    dependsOn(flow, condition, (op) => op.kind === 'load' && op.location === store.location),
  )

export default defineDetector<ReplacedAllowance>({
  id: 'replaced-allowance',
  formerly: 'transaction-order',
  swc: 'SWC-114',
  title: 'ERC-20 approve race condition',
  aliases: { scwe: ['SCWE-052'], words: ['approve race', 'allowance front-running', 'increaseAllowance'] },
  severity: 'high',
  confidence: 'medium',
  description:
    'An allowance is overwritten regardless of what is left of the old one. A spender who sees the change in the mempool spends the old allowance first and the new one afterwards.',
  recommendation:
    'Offer `increaseAllowance` and `decreaseAllowance`, or require the current allowance to be zero before setting a new one.',
  references: ['https://swcregistry.io/docs/SWC-114', 'https://eips.ethereum.org/EIPS/eip-20#approve'],
  cwe: ['CWE-362'],
  yieldsTo: ['tx-origin-authorization'],

  needs: [holding.entryWrite],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const store of flow.stateStores())
        if (store.location.variable !== null && isReplaced(store) && isSpent({ flow, store })) yield { flow, store }
  },

  excuses: [
    excuse('allowance-checked', 'the current allowance is checked first', isEndChecked),
    excuse('by-difference', 'the allowance can also be increased or decreased', hasDifference),
    excuse('reported-at-callee', 'another public function does it and is reported instead', isInOtherEntry),
  ],

  finding: ({ flow, store }) => ({
    at: flow.inEntry(store),
    message: `\`${flow.name}()\` overwrites an allowance: a spender who sees the change pending spends the old allowance first and then the new one, so the owner loses both.`,
    trace: [witnessStep(flow, store, 'the spender front-runs it to spend both allowances', 'A user')],
    factors: {
      counterEvidence: canBeEndless({ flow, store })
        ? ['an unlimited allowance, which many users give, never decreases']
        : [],
    },
  }),
})
