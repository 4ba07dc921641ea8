import { guardCallsAt, guardsAt, isProtected } from '../../facts/index.ts'
import { tokenCalls } from '../../idioms/index.ts'
import {
  type CallOp,
  type Context,
  type ContractFlow,
  type Flow,
  holding,
  type Op,
  stripCasts,
} from '../../ir/index.ts'
import { missingModifierEffect, type VariableModel } from '../../model/index.ts'
import type { Call, Expression } from '../../syntax/index.ts'
import { definePractice, namesOf, type Practice, type Subject } from '../practice.ts'
import { changesOf, isPrivileged } from '../privileges.ts'
import { fileOf, isWritten, subjectOf } from '../subjects.ts'

const category = 'Events and errors'

const eventsForChanges = definePractice({
  id: 'told-changes',
  category,
  needs: [holding.stateWrite],
  *subjects({ entryPoints }) {
    for (const flow of entryPoints) {
      const subject = isPrivileged(flow) ? subjectOf(flow, flow.has('emit') || flow.isPartial) : null
      if (subject !== null) yield subject
    }
  },
  kept: 'Privileged changes emit events.',
  advice: (open) => `Emit an event in ${namesOf(open)}, so that privileged changes can be monitored.`,
  isUrgent: true,
})

/** What a `require` says when it fails; undefined: it is none, or not of these files. */
const reasonOf = (op: Op): Expression | null | undefined => {
  if (op.operator !== 'require' || !isWritten(op) || (op.node as Expression).kind !== 'Call') return undefined
  return (op.node as Call).args.values[1] ?? null
}

/** The statements `require` of a partition for which something holds. */
function* requirements(
  { functions }: Context,
  holds: (flow: Flow, op: Op, reason: Expression | null) => boolean,
): Generator<Subject> {
  for (const flow of functions)
    for (const op of flow.ops('assume')) {
      const reason = reasonOf(op)
      if (reason !== undefined && holds(flow, op, reason)) yield { at: op, name: flow.name }
    }
}

/** Since 0.4.22 there is room for one. */
const statedReasons = definePractice({
  id: 'stated-reasons',
  category,
  needs: [holding.assumption],
  subjects: (context) =>
    requirements(context, (flow, op, reason) => reason === null && fileOf(flow, op)?.versions.isBelow(4, 22) === false),
  advice: ({ length }) =>
    `Give ${length === 1 ? 'the `require` without a reason' : `the ${length} \`require\` without a reason`} one.`,
})

/** One or two are not worth an error of their own. */
const fewTexts = 2

/** Since 0.8.4 there are errors of one's own. */
const customErrors = definePractice({
  id: 'custom-errors',
  category,
  needs: [holding.assumption],
  subjects: (context) =>
    requirements(
      context,
      (flow, op, reason) => reason?.kind === 'Literal' && fileOf(flow, op)?.versions.isAtLeast(8, 4) === true,
    ),
  advice: ({ length }) =>
    length > fewTexts
      ? `Use custom errors, which are cheaper and carry data: ${length} \`require\` still use strings.`
      : null,
})

/** Switches that known accounts alone turn on and off. */
const switchesOf = (contractFlow: ContractFlow): ReadonlySet<VariableModel> => {
  const found = new Set<VariableModel>()
  for (const flow of contractFlow.entryPoints)
    for (const store of changesOf(flow)) {
      const { variable, part } = store.location
      if (variable?.type.kind !== 'bool' || part !== 'root' || found.has(variable)) continue
      if (isProtected(flow, store)) found.add(variable)
    }
  return found
}

const testedVariable = (condition: Op): VariableModel | null => {
  const op = stripCasts(condition)
  if (op.kind === 'un') return testedVariable(op.args[0])
  return op.kind === 'load' && op.location.part === 'root' ? op.location.variable : null
}

/** By a known library, whose modifier stands for its code. */
const isKnownPause = ({ decl, operator, call }: CallOp): boolean => {
  if (decl !== null) return decl.kind === 'modifier' && decl.effect === 'pause'
  return operator === 'modifier' && missingModifierEffect(call.name) === 'pause'
}

const isPausedAt = (flow: Flow, op: Op): boolean =>
  guardCallsAt(flow, op).some(isKnownPause) ||
  guardsAt(flow, op).some(({ condition }) => {
    const variable = testedVariable(condition)
    return variable !== null && flow.contractFlow.answer(switchesOf).has(variable)
  })

/** What it does for everybody depends on a switch. */
const canBePaused = (flow: Flow): boolean => {
  if (isPrivileged(flow)) return false
  const acts = [...flow.sends(), ...tokenCalls(flow).map(({ op }) => op), ...changesOf(flow)]
  return acts.some((op) => isPausedAt(flow, op))
}

const movesAssets = (flow: Flow): boolean => flow.sends().length > 0 || tokenCalls(flow).length > 0

const emergencyPause = definePractice({
  id: 'emergency-pause',
  category,
  *subjects({ contracts }) {
    for (const { contract, entryPoints } of contracts)
      if (contract !== null && entryPoints.some(movesAssets) && entryPoints.some(isPrivileged))
        yield { at: contract.node, name: contract.name, isKept: entryPoints.some(canBePaused) }
  },
  kept: 'The contract can be paused in an emergency.',
  advice: () => 'Consider an emergency pause, and document who may use it.',
})

export const eventsAndErrors: readonly Practice[] = [eventsForChanges, statedReasons, customErrors, emergencyPause]
