import {
  dependsOn,
  guardsAt,
  isCallersNumber,
  isRolePrincipal,
  isSender,
  principalAt,
  runsOnce,
} from '../../facts/index.ts'
import {
  incomingOf,
  isHash,
  isNow,
  keysOf,
  listFunctions,
  loweredBy,
  outgoingOf,
  raisedBy,
  witnessStep,
} from '../../idioms/index.ts'
import {
  type ContractFlow,
  type Flow,
  holding,
  isZero,
  type Location,
  mayOverlap,
  mayOverlapAcross,
  type Op,
  type StoreOp,
  stripCasts,
} from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: StoreOp
  /** What others do with it, to end a sentence. */
  readonly reliance: string
}

interface Read {
  readonly flow: Flow
  readonly place: Location
}

/** State that decides: read by a check before an effect, or by the amount, the token or the recipient of a payment. */
const decisiveReads = ({ entryPoints }: ContractFlow): ReadonlyMap<VariableModel | null, readonly Read[]> => {
  const found = new Map<VariableModel | null, Read[]>()
  for (const flow of entryPoints) {
    const seen = new Set<Location>()
    const note = (value: Op | null): void => {
      if (value === null) return
      dependsOn(flow, value, (op) => {
        if (op.kind !== 'load' || op.location.space !== 'state' || seen.has(op.location)) return false
        seen.add(op.location)
        const known = found.get(op.location.variable) ?? []
        found.set(op.location.variable, known)
        known.push({ flow, place: op.location })
        return false
      })
    }
    for (const { amount, token, to } of outgoingOf(flow)) for (const value of [amount, token, to]) note(value)
    if (flow.stateStores().length > 0) for (const condition of conditionsOf(flow)) note(condition)
  }
  return found
}

/** What branches and requirements ask. */
const conditionsOf = (flow: Flow): readonly Op[] => [
  ...flow.ops('assume').map(({ args }) => args[0]),
  ...flow.blocks.flatMap(({ condition }) => (condition === null ? [] : [condition])),
]

const readersOf = (flow: Flow, place: Location): readonly Flow[] => [
  ...new Set(
    (flow.contractFlow.answer(decisiveReads).get(place.variable) ?? []).flatMap((read) =>
      read.flow !== flow && mayOverlapAcross(read.place, place) ? [read.flow] : [],
    ),
  ),
]

/** Functions that write the same records, for a role. */
const keepersOf = (flow: Flow, place: Location): readonly Flow[] => [
  ...new Set(
    flow.contractFlow
      .writersTo(place)
      .flatMap((writer) =>
        writer.flow.isEntryPoint && isRolePrincipal(principalAt(writer.flow, writer.op)) ? [writer.flow] : [],
      ),
  ),
]

/** In words, who relies on what stands there; null: nobody in this contract. */
const relianceOn = (flow: Flow, place: Location): string | null => {
  const readers = readersOf(flow, place)
  if (readers.length > 0) return `${listFunctions(readers)} ${readers.length === 1 ? 'relies' : 'rely'} on`
  const keepers = keepersOf(flow, place)
  return keepers.length > 0
    ? `${listFunctions(keepers)} ${keepers.length === 1 ? 'writes' : 'write'} only for a role`
    : null
}

/** The caller says whose entry it is, and no key is their own. */
const isOfAnyKey = (flow: Flow, place: Location): boolean => {
  const keys = keysOf(place)
  return (
    keys.length > 0 &&
    keys.every((key) => !isHash(key) && isCallersNumber(flow, key)) &&
    !keys.some((key) => dependsOn(flow, key, isSender))
  )
}

/** A mark, the time, or what the caller says: not worked out from what the contract knows, and nothing is cleared. */
const isChosen = (flow: Flow, { args: [written] }: StoreOp): boolean => {
  const value = stripCasts(written)
  return (value.kind === 'const' && !isZero(value)) || isNow(value) || isCallersNumber(flow, value)
}

/** What stands under the same key decides whether it may be written: one step of several that a record goes through. */
const isStep = (flow: Flow, op: StoreOp): boolean => {
  const keys = keysOf(op.location)
  const isOfRecord = (part: Op): boolean =>
    part.kind === 'load' && part.location.space === 'state' && keysOf(part.location).some((key) => keys.includes(key))
  return (
    flow.stateLoads().some(({ location }) => mayOverlap(location, op.location)) ||
    guardsAt(flow, op).some(({ condition }) => dependsOn(flow, condition, isOfRecord))
  )
}

/** The caller must bring more than arguments: a payment, a hash or signature, something of their own. */
const isEarned = (flow: Flow, op: Op): boolean =>
  flow.isPayable ||
  outgoingOf(flow).length > 0 ||
  incomingOf(flow).some(({ amount }) => !isCallersNumber(flow, amount)) ||
  guardsAt(flow, op).some(({ condition }) =>
    dependsOn(flow, condition, (part) => isHash(part) || isSender(part), { keys: true }),
  )

export default defineDetector<Candidate>({
  id: 'unrestricted-write',
  formerly: 'access-control',
  swc: null,
  title: 'Unrestricted write to state that other functions rely on',
  aliases: { owasp: ['SC01:2025'], words: ['anyone can set', 'missing modifier'] },
  severity: 'medium',
  confidence: 'low',
  description:
    'Anyone can write state that the checks or payments of other functions rely on, under a key of their choice. Registries are meant to work so; settings, lists of exceptions and locks are not.',
  recommendation: 'Restrict the function to a role, or let callers write only entries of their own.',
  references: ['https://owasp.org/www-project-smart-contract-top-10/'],
  cwe: ['CWE-862'],
  isPerFunction: true,
  yieldsTo: ['access-control', 'inconsistent-access-control', 'unprotected-initializer', 'extended-lock'],

  needs: [holding.stateWrite],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const op of flow.stateStores()) {
        if (op.location.variable === null || !isOfAnyKey(flow, op.location) || !isChosen(flow, op)) continue
        if (raisedBy(op) !== null || loweredBy(op) !== null || isStep(flow, op)) continue
        if (principalAt(flow, op) !== 'anyone') continue
        const reliance = relianceOn(flow, op.location)
        if (reliance !== null) yield { flow, op, reliance }
      }
  },
  excuses: [
    excuse('earned', 'the caller pays, or shows a hash, a signature or something of their own', ({ flow, op }) =>
      isEarned(flow, op),
    ),
    excuse('once', 'it runs only once, before there are users whose entries could be overwritten', ({ flow, op }) =>
      runsOnce(flow, op),
    ),
  ],
  finding: ({ flow, op, reliance }) => {
    const place = `\`${flow.describe(op.location)}\``
    return {
      // A helper that does what it is given is not to blame.
      at: flow.inEntry(op),
      message: `Anyone can call \`${flow.name}()\` and write ${place}, which ${reliance}. Nothing ties the entry to the caller, so they can overwrite one that another user relies on.`,
      trace: [witnessStep(flow, op, `writes ${place} under a key of their choice`), ...flow.trace(op)],
    }
  },
})
