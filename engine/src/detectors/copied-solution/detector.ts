import {
  dependsOn,
  type Fact,
  findDependency,
  guardsAt,
  isKeyedBySender,
  isOpened,
  isSender,
  partFor,
  Source,
  taintOf,
} from '../../facts/index.ts'
import { isForCaller, isHash, isNamedAccount, keysOf, outgoingOf, witnessStep } from '../../idioms/index.ts'
import {
  type ContractFlow,
  type Flow,
  holding,
  isEquality,
  isZero,
  type LoadOp,
  type Location,
  type Op,
  stripCasts,
} from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Solution {
  readonly flow: Flow
  /** What the sender gets. */
  readonly prize: Op
  /** The comparison that a right solution passes. */
  readonly test: Op
  /** The hash of what the sender says. */
  readonly guess: Op
  /** What the contract holds against it. */
  readonly answer: Op
}

/** Ether or tokens for the sender, or the sender written down as the winner. */
const prizes = (flow: Flow): Op[] => [
  ...outgoingOf(flow)
    .filter(isForCaller)
    .map(({ op }) => op),
  ...flow.stateStores().filter((store) => isSender(store.args[0]) && !isKeyedBySender(store.location)),
]

/** `keccak256(guess) == answer`, whichever way round it is written. */
function* solutionsIn(flow: Flow, prize: Op, { condition: test, polarity }: Fact): Iterable<Solution> {
  if (test.kind !== 'bin' || !isEquality(test.operator) || (test.operator === '==') !== polarity) return
  const [left, right] = test.args
  for (const [guess, answer] of [
    [left, right],
    [right, left],
  ] as const)
    if (isHashOfGiven(flow, guess) && isHeld(flow, answer) && !isAccount(flow, answer))
      yield { flow, prize, test, guess, answer }
}

/** Words are compared by their hashes; an account, also one that was found by a hash, is no word. */
const isHashOfGiven = (flow: Flow, value: Op): boolean =>
  (taintOf(flow, value) & Source.param) !== 0 && !isAccount(flow, value) && dependsOn(flow, value, isHash)

const isAccount = (flow: Flow, value: Op): boolean => {
  const kind = flow.typeOf(value)?.kind
  return kind === 'address' || kind === 'contract'
}

/** The contract has it: the caller does not bring it along, and no other contract is called. */
const isHeld = (flow: Flow, value: Op): boolean =>
  (taintOf(flow, value) & (Source.param | Source.call | Source.unknown)) === 0

/** Worked out on chain when it was noted: anyone who wanted to know saw then what it is the hash of. */
const isNotedOpenly = ({ flow, answer }: Solution): boolean => {
  const noted = stripCasts(answer)
  return (
    noted.kind === 'load' && noted.location.variable !== null && flow.contractFlow.answerAt(noted.location, isOpenNote)
  )
}

const isOpenNote = (contractFlow: ContractFlow, place: Location): boolean => {
  const isMark = (value: Op): boolean =>
    value.kind === 'const' || (value.kind === 'load' && value.location.variable?.isConstant === true)
  const values = contractFlow
    .writersTo(place)
    .map(({ flow: writer, op }) => ({ writer, value: stripCasts(partFor(place, op)) }))
  return (
    values.some(({ value }) => !isMark(value)) &&
    values.every(({ writer, value }) => isMark(value) || dependsOn(writer, value, isHash))
  )
}

/**
 * `provers[id].push(msg.sender)`: everyone who brings the solution is added, as long as no check rests on what the function itself
 * writes (`require(provers[id].length == 0)`) and no function picks an element by a fixed position.
 */
const hasNoFirstPlace = ({ flow, prize }: Solution): boolean => {
  const list = prize.kind === 'store' && isOpened(flow, prize.location) ? prize.location.variable : null
  if (list === null) return false
  const written = new Set(flow.stateStores().map(({ location }) => location.variable))
  const isWritten = ({ kind, location }: Op): boolean =>
    kind === 'load' && location.variable !== null && written.has(location.variable) && !isKeyedBySender(location)
  const isPicked = (at: Location): boolean => keysOf(at).some((key) => key.kind === 'const')
  return (
    !guardsAt(flow, prize).some(({ condition }) => dependsOn(flow, condition, isWritten)) &&
    !flow.contractFlow.readersOf(list).some(({ op }) => isPicked(op.location))
  )
}

/** What is paid is read from the entry of an account that the caller names, and emptied: the solution costs it the deposit, no matter who brings it. */
const isForfeit = ({ flow, prize }: Solution): boolean => {
  const paid = outgoingOf(flow).find(({ op }) => op === prize)
  if (paid === undefined) return false
  const isDeposit = (op: Op): op is LoadOp =>
    op.kind === 'load' && op.location.space === 'state' && keysOf(op.location).some((key) => isNamedAccount(flow, key))
  const deposit = findDependency(flow, paid.amount, isDeposit)
  return (
    deposit !== undefined &&
    flow.stateStores().some(({ location, args }) => location === deposit.location && isZero(args[0]))
  )
}

export default defineDetector<Solution>({
  id: 'copied-solution',
  formerly: 'transaction-order',
  swc: 'SWC-114',
  title: 'Front-running: solution visible in the mempool',
  aliases: {
    scwe: ['SCWE-037', 'SCWE-052'],
    words: ['front-running', 'mempool', 'transaction order dependence', 'hash puzzle'],
  },
  severity: 'high',
  confidence: 'medium',
  description:
    'The first caller with the right answer is rewarded. Pending transactions are public, so an attacker copies the answer, pays a higher fee and collects the reward first.',
  recommendation:
    'Use commit-reveal: the sender commits a hash of the solution and their address, then reveals in a later block.',
  references: [
    'https://swcregistry.io/docs/SWC-114',
    'https://docs.soliditylang.org/en/latest/security-considerations.html',
  ],
  cwe: ['CWE-362'],
  yieldsTo: ['tx-origin-authorization'],

  needs: [holding.builtin],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      if (flow.has('builtin'))
        for (const prize of prizes(flow))
          for (const fact of guardsAt(flow, prize)) yield* solutionsIn(flow, prize, fact)
  },

  excuses: [
    excuse(
      'bound-to-sender',
      'the hash includes or is compared with the sender, so nobody else can use the solution',
      ({ flow, guess, answer }) =>
        ((taintOf(flow, guess) | taintOf(flow, answer)) & (Source.sender | Source.origin)) !== 0,
    ),
    excuse('no-first-place', 'every caller with the solution is added to a list', hasNoFirstPlace),
    excuse('noted-openly', 'the hash was computed on chain, so its input is already public', isNotedOpenly),
  ],

  finding: ({ flow, test, prize, guess, answer }) => ({
    at: test,
    ...(isForfeit({ flow, test, prize, guess, answer })
      ? {
          factors: {
            counterEvidence: ['the prize is a deposit that another account forfeits'],
          },
          reviewSeverity: 'low' as const,
        }
      : {}),
    message: `\`${flow.name}()\` ${prize.kind === 'store' ? 'records' : 'pays'} the first caller with the right solution, which is visible in the mempool: an attacker can copy it, pay more gas and take that place.`,
    trace: [
      witnessStep(flow, test, 'comes first with a solution copied from the mempool'),
      { at: prize, message: prize.kind === 'store' ? 'The caller is recorded here.' : 'The caller is paid here.' },
    ],
  }),
})
