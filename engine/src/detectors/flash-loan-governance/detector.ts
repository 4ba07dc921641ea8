import {
  dependsOn,
  type Fact,
  findDependency,
  fromFactsAt,
  guardRestingOn,
  guardsAt,
  isKeyedBySender,
  isProtected,
  isSender,
  roleAt,
  stateReadsOf,
} from '../../facts/index.ts'
import {
  type Column,
  columnOf,
  entriesOf,
  incomingOf,
  isInColumn,
  keptIn,
  keysOf,
  outgoingOf,
  raisedBy,
  witnessStep,
} from '../../idioms/index.ts'
import {
  bothOrders,
  type CallOp,
  type ContractFlow,
  type Flow,
  holding,
  isEquality,
  type LoadOp,
  mayOverlap,
  type Op,
  type StoreOp,
  stripCasts,
} from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly store: StoreOp
  /** What says how much the caller counts, or that they count. */
  readonly holding: Op
  /** The one token that the caller names and owns, if that is the contract called. */
  readonly token: Op | null
  /** Where it leaves the contract's own accounting, if it is kept there. */
  readonly leaving?: readonly Leaving[]
  /** Where the call is made that anyone who holds enough has recorded. */
  readonly execution?: CallOp
}

interface Leaving {
  readonly mover: Flow
  readonly op: StoreOp
}

/** Questions about the present: the balance, and how many votes were delegated, which may have happened a moment ago. */
const present: ReadonlySet<string> = new Set(['balanceOf', 'getVotes', 'getCurrentVotes'])

/** What the sender holds of a token at this moment. */
const isPresentHolding = (op: Op): boolean =>
  op.kind === 'call' &&
  op.call.kind === 'external' &&
  present.has(op.call.name) &&
  op.args.length === 1 &&
  isSender(op.args[0]!)

/** What the sender has in the contract's own accounting. */
const isOwnEntry = (op: Op): op is LoadOp =>
  op.kind === 'load' &&
  op.location.space === 'state' &&
  keysOf(op.location).length === 1 &&
  isKeyedBySender(op.location)

/** Each account counts once: that it has counted is checked before, and noted. */
const isOncePerAccount = (flow: Flow, store: StoreOp): boolean => {
  const notes = flow.stateStores().filter(({ location }) => isKeyedBySender(location))
  return guardsAt(flow, store).some(({ condition }) =>
    stateReadsOf(flow, condition).some((read) => notes.some(({ location }) => mayOverlap(read.location, location))),
  )
}

/** Something is paid for it, or another entry gains it: what is only used up counts nowhere again. */
const goesOn = (mover: Flow, column: Column): boolean =>
  outgoingOf(mover).length > 0 ||
  entriesOf(mover).some(
    ({ op, account, isRaised }) => isRaised && !isSender(account) && isInColumn(op.location, column),
  )

/** Where anyone who holds it lowers their own entry: it leaves for another account, and counts there again. */
const leavingFrom = (flow: Flow, held: LoadOp): readonly Leaving[] => {
  const column = columnOf(held.location)
  if (column === null) return []
  return flow.contractFlow.entryPoints.flatMap((mover) =>
    entriesOf(mover).flatMap(({ op, account, isRaised }) =>
      !isRaised && isSender(account) && isInColumn(op.location, column) && goesOn(mover, column) ? [{ mover, op }] : [],
    ),
  )
}

/** `votes[id] += stake[msg.sender]`, once for each account, and the stake stays with its holder. */
function* ownEntries(flow: Flow, store: StoreOp): Iterable<Candidate> {
  const counted = raisedBy(store)
  const held = counted === null ? undefined : findDependency(flow, counted, isOwnEntry)
  if (held === undefined || !isOncePerAccount(flow, store)) return
  if (flow.stateStores().some(({ location }) => location.variable === held.location.variable)) return
  const leaving = leavingFrom(flow, held)
  if (leaving.length > 0) yield { flow, store, holding: held, token: null, leaving }
}

/** `require(nft.ownerOf(id) == msg.sender)`, as ERC-721 has it: the caller owns what they name, and can hand it on. */
const ownershipsIn = (_: Flow, { condition, polarity }: Fact): readonly CallOp[] => {
  if (condition.kind !== 'bin' || !isEquality(condition.operator) || (condition.operator === '==') !== polarity)
    return []
  return bothOrders(condition).flatMap(([owner, other]) =>
    owner.kind === 'call' && owner.call.kind === 'external' && owner.call.name === 'ownerOf' && isSender(other)
      ? [owner]
      : [],
  )
}

/** Of a count that is kept for each of several matters: one that stands alone counts events, not votes. */
function* ownedAtTheMoment(flow: Flow, store: StoreOp): Iterable<Candidate> {
  if (keysOf(store.location).length === 0) return
  for (const demanded of fromFactsAt(flow, store, ownershipsIn)) {
    const token = demanded.args.map(stripCasts).find(({ kind }) => kind === 'param')
    if (token !== undefined) yield { flow, store, holding: demanded, token }
  }
}

/** Each token counts once, no matter who shows it: that it has counted is checked before, and noted. */
const isUsedUp = ({ flow, store, token }: Candidate): boolean => {
  if (token === null) return false
  const demanded = guardsAt(flow, store).flatMap(({ condition }) => stateReadsOf(flow, condition))
  return flow.stateStores().some(({ location }) => {
    const keys = keysOf(location)
    if (!keys.includes(token) || keys.some(isSender)) return false
    return demanded.some((read) => mayOverlap(read.location, location))
  })
}

interface Kept {
  /** Where the target of the call is kept. */
  readonly column: Column
  readonly executor: Flow
  readonly call: CallOp
}

/** Calls that are kept to be made later, anyone who asks for it then: nothing but the record of the call itself is looked at. */
const keptCalls = ({ entryPoints }: ContractFlow): readonly Kept[] =>
  entryPoints.flatMap((executor) =>
    executor.externalCalls().flatMap((call) => {
      const place = call.call.target === null ? null : keptIn(stripCasts(call.call.target))?.place
      const column = place == null ? null : columnOf(place)
      if (column === null || keysOf(place!).length === 0 || call.call.kind !== 'lowlevel') return []
      const isDecided = guardsAt(executor, call).every(({ condition }) =>
        stateReadsOf(executor, condition).every((read) => read.location.variable === column.variable),
      )
      return isDecided && roleAt(executor, call) === null ? [{ column, executor, call }] : []
    }),
  )

/** The place itself, or the record that it is a field of: what else is kept beside it is not called. */
const isOfRecord = ({ variable, path }: Column, target: Column): boolean =>
  variable === target.variable && target.path.startsWith(path)

/** `require(2 * token.balanceOf(msg.sender) > token.totalSupply())`, and a call of the caller's choice is kept to be made. */
function* decidedAlone(flow: Flow, store: StoreOp): Iterable<Candidate> {
  const stored = columnOf(store.location)
  if (stored === null || !holding.typedCall(flow)) return
  const demanded = guardRestingOn(flow, store, isPresentHolding)
  const kept =
    demanded === null ? undefined : flow.contractFlow.answer(keptCalls).find(({ column }) => isOfRecord(stored, column))
  const held = kept === undefined ? undefined : findDependency(flow, demanded!, isPresentHolding)
  if (held !== undefined && dependsOn(flow, store.args[0], ({ kind }) => kind === 'param'))
    yield { flow, store, holding: held, token: null, execution: kept!.call }
}

/** `votes[id] += balance`: a count that is not the sender's own. */
const isTally = ({ location, args }: StoreOp): boolean => {
  const value = stripCasts(args[0])
  if (value.kind !== 'bin' || value.operator !== '+') return false
  return !keysOf(location).some(isSender)
}

const nameOf = (flow: Flow, { location }: StoreOp): string => flow.describe(location)

/** What it takes: another contract that is called, or entries of the contract's own. */
const countsHoldings = (flow: Flow): boolean =>
  holding.entryWrite(flow) || (holding.stateWrite(flow) && holding.typedCall(flow))

export default defineDetector<Candidate>({
  id: 'flash-loan-governance',
  swc: null,
  title: 'Current balance counted (flash-loan voting)',
  aliases: { owasp: ['SC07:2025'], words: ['voting power snapshot', 'governance takeover', 'vote twice', 'Beanstalk'] },
  severity: 'high',
  confidence: 'medium',
  description:
    'Votes are weighted by the current balance instead of a past snapshot. An attacker flash-loans tokens, decides the vote and repays, or moves the tokens to another account and votes again.',
  recommendation:
    'Use balances at a past block (`getPastVotes`, ERC20Votes), or lock the tokens while the vote is open.',
  references: ['https://docs.openzeppelin.com/contracts/5.x/governance'],
  cwe: ['CWE-841'],

  needs: [countsHoldings],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const store of flow.stateStores()) {
        yield* decidedAlone(flow, store)
        if (!isTally(store)) continue
        const [counted] = store.args
        const isCounted = dependsOn(flow, counted, isPresentHolding, { isKept: true })
        const balance = isCounted ? findDependency(flow, counted, isPresentHolding) : undefined
        if (balance !== undefined) yield { flow, store, holding: balance, token: null }
        else {
          yield* ownedAtTheMoment(flow, store)
          yield* ownEntries(flow, store)
        }
      }
  },
  excuses: [
    excuse('tokens-locked', 'the tokens are locked while they count', ({ flow }) =>
      incomingOf(flow).some(({ from }) => isSender(from!)),
    ),
    excuse('noted-for-the-token', 'the vote is recorded per token', isUsedUp),
    // What is owned or held may be checked too, and that is what is not enough.
    excuse('only-roles', 'only privileged accounts can do this', ({ flow, store, token, execution }) =>
      token === null && execution === undefined ? isProtected(flow, store) : roleAt(flow, store) !== null,
    ),
  ],
  finding: ({ flow, store, holding: demanded, token, leaving, execution }) => ({
    at: store,
    // One proposal is recorded field by field.
    ...(execution === undefined ? {} : { cause: execution }),
    message:
      execution !== undefined
        ? `\`${flow.name}()\` checks only the caller’s current token balance before it queues a call, so an attacker with flash-loaned tokens can make this contract execute any call.`
        : leaving !== undefined
          ? `\`${flow.name}()\` adds the caller’s deposit to \`${nameOf(flow, store)}\`, but the deposit can be withdrawn at once, so the same tokens count again from another account.`
          : token === null
            ? `\`${flow.name}()\` adds an amount that depends on the caller’s current token balance to \`${nameOf(flow, store)}\`, so flash-loaned tokens, or the same tokens from another account, can raise it.`
            : `\`${flow.name}()\` lets the current owner of an NFT change \`${nameOf(flow, store)}\` and does not record that this NFT was used, so each new owner can do it again.`,
    trace: [
      witnessStep(
        flow,
        store,
        execution !== undefined
          ? 'executes any call with flash-loaned tokens'
          : leaving !== undefined
            ? 'counts the same deposit again from other accounts'
            : token === null
              ? 'has flash-loaned tokens counted'
              : 'uses one NFT again from each account they own',
      ),
      { at: { start: demanded.start, end: demanded.end }, message: 'What the caller holds now is read here.' },
      ...flow.trace(store),
      ...(execution === undefined ? [] : [{ at: execution, message: 'The chosen call is executed here.' }]),
      ...(leaving ?? [])
        .slice(0, 1)
        .map(({ op }) => ({ at: op, message: 'The deposit can be withdrawn here right after it was counted.' })),
    ],
  }),
})
