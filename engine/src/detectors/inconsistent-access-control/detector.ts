import {
  dependsOn,
  isCallersNumber,
  isMadeElsewhere,
  isRole,
  isSaidByOthers,
  lockedAt,
  outsiderCanSetPlace,
  senderGuardsAt,
  someFactAt,
} from '../../facts/index.ts'
import {
  type Act,
  columnOf,
  firstThatFits,
  hasIncomingPayment,
  isColumnPaidFrom,
  isHash,
  isKeyed,
  isNamedAccount,
  isNow,
  keysOf,
  listFunctions,
  nameFunction,
  witnessStep,
} from '../../idioms/index.ts'
import { type Flow, holding, isOrdering, type LoadOp, type Op, sameValue, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'
import { guardedSiblings, isOnlyOpen, isSwitch, type Siblings } from './siblings.ts'

interface Candidate extends Siblings {
  readonly flow: Flow
  readonly op: Op
}

/** The narrower the act that is shared, the more its siblings say. */
const breadths: readonly Act['kind'][] = ['column', 'callee', 'payment', 'setting', 'change']

const narrowest = (found: readonly Siblings[]): Siblings | undefined =>
  breadths.flatMap((kind) => found.filter(({ act }) => act.kind === kind))[0]

/**
 * Functions that share state are distinguished by conditions: what rests on state that this one changes, on time or on another contract is
 * a rule of the protocol, open to everybody when it holds. The state of a lock is none. Settings are not bound to a time.
 */
const followsRule = ({ flow, op, act }: Candidate): boolean => {
  const lock = lockedAt(flow, op)?.variable ?? null
  const written = new Set(flow.stateStores().map(({ location }) => location.variable))
  // That there is something to turn back is no rule.
  if (isSwitch(op)) written.delete(op.location!.variable)
  const isChanged = ({ location }: LoadOp): boolean =>
    location.variable !== null && location.variable !== lock && written.has(location.variable)
  const isShared = act.kind === 'column' || act.kind === 'callee' || act.kind === 'payment'
  const decides = (part: Op): boolean => {
    if (!isShared) return isNow(part)
    return part.kind === 'load' ? isChanged(part) : isSaidByOthers(part)
  }
  return someFactAt(
    flow,
    op,
    (_, fact) =>
      !isOfNumbers(fact.op) &&
      !isOfLoop(flow, fact.op) &&
      !isBoundOfWritten(flow, op, fact.condition) &&
      dependsOn(flow, fact.condition, decides),
  )
}

/** `require(lastSeen[account] <= at && at < block.timestamp); lastSeen[account] = at;`: the caller says a number that passes. */
const isBoundOfWritten = (flow: Flow, op: Op, { kind, operator, args }: Op): boolean =>
  op.kind === 'store' &&
  kind === 'bin' &&
  isOrdering(operator) &&
  isCallersNumber(flow, op.args[0]) &&
  args.some((side) => sameValue(stripCasts(side), stripCasts(op.args[0])))

/** Not the same state as the guarded functions, and an entry that may be the caller's: a claim, an order, a vote. Anyone's is nobody's own. */
const isOwnRecord = (flow: Flow, { kind, op }: Act): boolean => {
  if (op.kind !== 'store') return false
  if (kind === 'change') return true
  return kind === 'setting' && isKeyed(op.location) && !keysOf(op.location).some((key) => isNamedAccount(flow, key))
}

/** `require(roots[rootOf(proof, leaf)])`: who had the entry written decides what is done, and anyone may bring it about. */
const isProven = ({ flow, op }: Candidate): boolean => {
  const isGiven = (part: Op): boolean => part.kind === 'param'
  const isHashOfGiven = (key: Op): boolean =>
    dependsOn(flow, key, (part) => isHash(part) && dependsOn(flow, part, isGiven))
  const isClosed = ({ kind, location }: Op): boolean =>
    kind === 'load' &&
    location.space === 'state' &&
    keysOf(location).some(isHashOfGiven) &&
    !outsiderCanSetPlace(flow.contractFlow, location)
  return someFactAt(flow, op, (_, { condition }) => dependsOn(flow, condition, isClosed))
}

/** What is paid out, or what is paid from: of other settings nobody has shown what is lost by them. */
const movesAssets = (flow: Flow, { kind, op }: Act): boolean => {
  const column = op.kind === 'store' ? columnOf(op.location) : null
  return kind === 'payment' || (column !== null && isColumnPaidFrom(flow, column))
}

/** What a pure function requires, such as `SafeMath.add`, is about numbers and no rule of the protocol. */
const isOfNumbers = ({ site }: Op): boolean => site !== null && 'mutability' in site.fn && site.fn.mutability === 'pure'

/** `while (list.length > n) list.pop()`: that a loop has ended keeps nobody out. */
const isOfLoop = ({ ir: { loops } }: Flow, { block }: Op): boolean => loops.some(({ header }) => header === block)

const messageFor = (flow: Flow, act: Act, guarded: readonly Flow[]): string => {
  const name = nameFunction(flow, guarded)
  const others = listFunctions(guarded, [flow])
  if (guarded.length === 1 && isSwitch(act.op))
    return `Anyone can call ${name} and turn back \`${flow.describe(act.op.location!)}\`, although ${others} checks the caller first, so an attacker undoes what an authorized account did.`
  const isPayout = act.kind === 'change' && act.op.kind === 'call'
  const gain = isPayout ? ' and take any token that the contract holds' : ''
  const words = guarded.length === 1 ? act.words.replace(/^(\w+)/, '$1s') : act.words
  const [which, that] = isPayout ? ['', ''] : [`, which also ${words},`, ` that also ${act.words}`]
  const check = guarded.length === 1 ? 'checks' : 'check'
  const harm = isPayout ? '' : ', so an attacker does without permission what those protect'
  return firstThatFits(
    `Anyone can call ${name}${gain}, although ${others}${which} ${check} the caller first${harm}.`,
    `Anyone can call \`${flow.name}()\`${gain}, although ${guarded.length} functions${that} check the caller first${harm}.`,
  )
}

export default defineDetector<Candidate>({
  id: 'inconsistent-access-control',
  swc: null,
  title: 'Inconsistent access control between functions',
  aliases: {
    slither: ['protected-vars'],
    owasp: ['SC01:2025'],
    scwe: ['SCWE-016'],
    words: ['missing modifier', 'forgotten onlyOwner', 'unguarded setter', 'sibling function'],
  },
  severity: 'high',
  confidence: 'medium',
  description:
    'Functions of the contract that write the same state, call the same privileged function or replace settings require a role, and one function that does the same can be called by anyone.',
  recommendation: 'Give the function the same access check as the functions beside it.',
  references: ['https://owasp.org/www-project-smart-contract-top-10/'],
  cwe: ['CWE-862'],
  yieldsTo: [
    'access-control',
    'arbitrary-call',
    'arbitrary-transfer-from',
    'unauthenticated-callback',
    'unprotected-ether-withdrawal',
    'unprotected-initializer',
    'unprotected-selfdestruct',
    'unprotected-token-withdrawal',
  ],
  isPerFunction: true,

  needs: [holding.effect],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) {
      const siblings = narrowest([...guardedSiblings(flow)])
      if (siblings !== undefined) yield { flow, op: siblings.act.op, ...siblings }
    }
  },
  excuses: [
    excuse('caller-checked', 'the caller must hold a role', ({ flow, op }) =>
      senderGuardsAt(flow, op).some((guard) => isRole(flow, guard)),
    ),
    excuse(
      'proven',
      'a hash of the arguments must be on a list or under a root that only privileged functions write',
      isProven,
    ),
    excuse(
      'new-record',
      'the entry belongs to an id that another contract makes in the same call',
      ({ flow, op }) => op.kind === 'store' && isMadeElsewhere(flow, op.location),
    ),
    excuse('paid-for', 'the caller pays for it', ({ flow }) => hasIncomingPayment(flow)),
    excuse('a-rule', 'a condition on what the function changes, on time or on another contract decides', followsRule),
  ],

  finding: ({ flow, op, act, guarded }) => ({
    at: flow.inEntry(op),
    severity: movesAssets(flow, act) ? 'high' : 'medium',
    factors: {
      counterEvidence:
        isOwnRecord(flow, act) && !isOnlyOpen(flow) ? ['users may be meant to have entries of their own there'] : [],
    },
    message: messageFor(flow, act, guarded),
    trace: [
      witnessStep(flow, op, 'changes what other functions change only for checked callers'),
      ...flow.trace(op),
      ...guarded.slice(0, 3).map(({ name, fn }) => ({
        at: { start: fn!.node.start, end: fn!.node.headEnd },
        message: `\`${name}()\` checks the caller.`,
      })),
    ],
  }),
})
