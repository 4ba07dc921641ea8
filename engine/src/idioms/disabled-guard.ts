/** What a check protects, for a check that rejects nobody: its severity is that of the worst effect that it leaves open. */
import { isSender, principalAt, privilegedState } from '../facts/index.ts'
import type { Flow, Op } from '../ir/index.ts'
import type { VariableModel } from '../model/index.ts'
import type { Span } from '../syntax/index.ts'
import { entriesOf, outgoingOf } from './ledger.ts'
import { type WitnessStep, witnessStep } from './witness.ts'

export interface DisabledGuard {
  readonly severity: 'critical' | 'high' | 'medium'
  /** Names of the entry points that the check was meant to protect, as code: `sweep()`. */
  readonly functions: readonly string[]
  readonly witness: WitnessStep
}

type Damage = 'assets' | 'rights' | 'accounting' | 'state'

interface OpenEffect {
  readonly flow: Flow
  readonly op: Op
  readonly damage: Damage
  readonly isAboutCaller: boolean
}

const ranks: Record<Damage, number> = { assets: 3, rights: 2, accounting: 1, state: 0 }

const consequences: Record<Damage, string> = {
  assets: 'moves assets of the contract',
  rights: 'takes over its rights',
  accounting: 'changes its accounting',
  state: 'changes its state',
}

/** `check` is a condition that decides nothing; null: no effect that anyone can cause follows it. */
export const disabledGuard = (flows: readonly Flow[], check: Span): DisabledGuard | null => {
  const effects = flows.filter(({ isEntryPoint }) => isEntryPoint).flatMap((flow) => openEffects(flow, check))
  if (effects.length === 0) return null
  const worst = effects.reduce((best, next) => (ranks[next.damage] > ranks[best.damage] ? next : best))
  return {
    severity: severityOf(worst),
    functions: [...new Set(effects.map(({ flow }) => `${flow.name}()`))],
    witness: witnessStep(worst.flow, worst.op, consequences[worst.damage]),
  }
}

/** A check of the caller is all that stands between an attacker and the effect; other checks limit what callers do. */
const severityOf = ({ damage, isAboutCaller }: OpenEffect): DisabledGuard['severity'] => {
  if (damage === 'state') return 'medium'
  if (!isAboutCaller) return damage === 'assets' ? 'high' : 'medium'
  return damage === 'accounting' ? 'high' : 'critical'
}

/** The worst effect of a flow after the check, if no other check keeps callers from it. */
const openEffects = (flow: Flow, check: Span): OpenEffect[] => {
  const parts = flow.blocks.flatMap(({ ops }) => ops.filter((op) => check.start <= op.start && op.end <= check.end))
  const last = parts.at(-1)
  if (last === undefined) return []
  const isAboutCaller = parts.some((part) => (part.kind === 'bin' && part.args.some(isSender)) || isAccount(flow, part))
  const tested = new Set(parts.map(({ location }) => location?.variable ?? null))
  const isOpen = (op: Op): boolean => flow.canFollow(last, op) && principalAt(flow, op) === 'anyone'
  for (const [damage, ops] of effectsOf(flow, tested)) {
    const op = ops.find(isOpen)
    if (op !== undefined) return [{ flow, op, damage, isAboutCaller }]
  }
  return []
}

/** `owner == owner` in a modifier: the caller was meant on one side. */
const isAccount = (flow: Flow, op: Op): boolean =>
  op.kind === 'load' && flow.typeOf(op)?.kind === 'address' && flow.writtenIn(op)?.kind === 'modifier'

function* effectsOf(flow: Flow, tested: ReadonlySet<VariableModel | null>): Iterable<readonly [Damage, readonly Op[]]> {
  const delegated = flow.externalCalls().filter(({ call }) => call.kind === 'delegate')
  yield ['assets', [...outgoingOf(flow).map(({ op }) => op), ...flow.builtins('selfdestruct'), ...delegated]]
  const roles = privilegedState(flow.contractFlow)
  const isRight = (variable: VariableModel | null): boolean =>
    variable !== null && (roles.has(variable) || tested.has(variable))
  yield ['rights', flow.stateStores().filter(({ location }) => isRight(location.variable))]
  yield ['accounting', entriesOf(flow).map(({ op }) => op)]
  yield ['state', flow.stateStores()]
}

const maxNames = 3

const listOf = (names: readonly string[]): string => {
  const shown = names.slice(0, maxNames).map((name) => `\`${name}\``)
  const more = names.length - shown.length
  if (more > 0) return `${shown.join(', ')} and ${more} more`
  return shown.length === 1 ? shown[0]! : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}

interface Described {
  readonly message: string
  readonly trace?: readonly { readonly at: Span; readonly message: string }[]
}

/** A finding about a check that rejects nobody: as severe as what it leaves open, with the names of the functions that anyone can call. */
export const withOpenFunctions = <T extends Described>(
  guard: DisabledGuard | null,
  hit: T,
): T & Partial<Pick<DisabledGuard, 'severity'>> => {
  if (guard === null) return hit
  const { severity, functions, witness } = guard
  const message = `${hit.message} It leaves ${listOf(functions)} unprotected.`
  return { ...hit, severity, message, trace: [witness, ...(hit.trace ?? [])] }
}
