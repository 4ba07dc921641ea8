/** The first step of a trace: who calls which function, and what they gain or others lose. */
import {
  isOpenPath,
  isReachable,
  isRolePrincipal,
  isWithoutProof,
  type Principal,
  principalAt,
  roleAt,
  type SenderGuard,
  senderGuardsAt,
} from '../facts/index.ts'
import type { Flow, Location, Op } from '../ir/index.ts'
import type { Span } from '../syntax/index.ts'
import { hasAssetsOfUsers } from './custody.ts'
import { keysOf } from './entries.ts'

/** Callers who need a permission; everyone else is `actor`. */
const permitted: { readonly [principal in Principal]?: string } = {
  one: 'A privileged account calls',
  role: 'A privileged account calls',
  consent: 'A signature holder calls',
  granted: 'An approved caller calls',
  unread: 'A user (some checks are in missing files) calls',
}

/** What the protocol gives to those it trusts. */
const permissions: ReadonlySet<Principal> = new Set<Principal>(['one', 'role', 'consent'])

/** Accounts that state names: of the others, only a signature or a missing file says who they are. */
const isNamed = (principal: Principal): boolean => isRolePrincipal(principal) || principal === 'granted'

const namedAccounts: ReadonlySet<SenderGuard['against']> = new Set(['state', 'keyed'])

/** `owner` of `msg.sender == owner`, `operators` of `operators[msg.sender]`: the one variable that names who may call. */
const nameOfRole = (flow: Flow, op: Op): { name: string; isList: boolean } | null => {
  const role = roleAt(flow, op) ?? senderGuardsAt(flow, op).find(({ against }) => against === 'keyed') ?? null
  if (role === null || !namedAccounts.has(role.against) || role.places.length !== 1) return null
  const [place] = role.places as [Location]
  const { variable, part, name } = place
  if (variable === null) return null
  // One account in a struct is named by its field.
  return part === 'field' && keysOf(place).length === 0
    ? { name, isList: false }
    : { name: variable.name, isList: part !== 'root' }
}

/** Who can get to `op`, for a message: "anyone", "the `owner` account". */
export const describeCaller = (flow: Flow, op: Op): string => {
  const principal = principalAt(flow, op)
  const role = isNamed(principal) ? nameOfRole(flow, op) : null
  if (role !== null) return role.isList ? `an account listed in \`${role.name}\`` : `the \`${role.name}\` account`
  const [article, ...words] = (permitted[principal] ?? 'Anyone calls').split(' ').slice(0, -1)
  return [article!.toLowerCase(), ...words].join(' ')
}

const subjectOf = (flow: Flow, op: Op, principal: Principal, actor: string): string => {
  const role = isNamed(principal) ? nameOfRole(flow, op) : null
  if (role !== null && principal !== 'granted')
    return role.isList ? `An account listed in \`${role.name}\` calls` : `The \`${role.name}\` account calls`
  const known = permitted[principal]
  if (known !== undefined) return known
  if (flow.kind === 'fallback' || flow.kind === 'receive') return `${actor} triggers`
  return flow.isEntryPoint ? `${actor} calls` : `${actor} reaches`
}

export interface WitnessStep {
  readonly at: Span
  readonly message: string
  /** Any caller can take this path and its conditions do not contradict each other: of several paths it is the best witness. */
  readonly isOpen: boolean
  /** A transaction can start there; an inner function of a library runs only for contracts that are not in the scan. */
  readonly isEntry: boolean
  /** No check asks for what an outsider cannot bring, or users have assets here that can be lost. */
  readonly hasEvidence: boolean
  /**
   * No check on the path asks for what an outsider cannot bring, or only for a record that users come by when they pay in. Not computed where the
   * caller is the one who loses.
   */
  readonly hasOpenPath: boolean
}

const attacker = 'An attacker'

/**
 * The first step of a trace: who calls what, and `consequence`, what they gain or others lose. It continues the sentence after "and": "An
 * attacker calls `withdraw()` and re-enters it before the balance is updated." `actor` is "A user" where the caller is the victim.
 */
export const witnessStep = (flow: Flow, op: Op, consequence: string, actor = attacker): WitnessStep => {
  const node = flow.fn?.node
  const principal = principalAt(flow, op)
  const hasAssets = hasAssetsOfUsers(flow)
  const isForAll = (): boolean =>
    (principal === 'holder' && hasAssets) || isWithoutProof(flow, op) || isOpenPath(flow, op)
  return {
    at: node === undefined ? op : { start: node.start, end: node.headEnd },
    message: `${subjectOf(flow, op, principal, actor)} \`${flow.name}()\` and ${consequence}.`,
    isOpen: permitted[principal] === undefined && isReachable(flow, op),
    isEntry: flow.kind !== 'library' || flow.fn === null || isExternal(flow.fn.visibility),
    hasEvidence: hasAssets || isOpenPath(flow, op),
    hasOpenPath: actor !== attacker || (!permissions.has(principal) && isForAll()),
  }
}

/** The same of a claim that a check is missing: one on the path that was not understood may be that check, whatever could be lost. */
export const uncheckedStep = (...of: Parameters<typeof witnessStep>): WitnessStep => ({
  ...witnessStep(...of),
  hasEvidence: isOpenPath(of[0], of[1]),
})

/** The same of a claim whose attacker has what the checks ask for, such as a signature that was on chain before, or a place on a list. */
export const provenStep = (...of: Parameters<typeof witnessStep>): WitnessStep => ({
  ...witnessStep(...of),
  hasOpenPath: true,
})

const isExternal = (visibility: string): boolean => visibility === 'public' || visibility === 'external'

/** The first of several wordings that a message has room for, the longest one first. */
export const firstThatFits = (...texts: readonly [string, ...string[]]): string =>
  texts.find((text) => text.length <= maxMessageLength) ?? texts.at(-1)!

const maxMessageLength = 240

/** A function by name, for a message; beside others of the same name with the types of its parameters. */
export const nameFunction = ({ name, fn }: Flow, others: readonly Flow[]): string => {
  const isOverloaded = others.some((other) => other.name === name && other.fn?.signature !== fn?.signature)
  return `\`${isOverloaded && fn !== null ? fn.signature : `${name}()`}\``
}

/** Functions by name, for a message that also names `beside`; of more than three the first two and how many others. */
export const listFunctions = (flows: readonly Flow[], beside: readonly Flow[] = []): string => {
  const names = [...new Set(flows.map((flow) => nameFunction(flow, [...flows, ...beside])))]
  if (names.length <= 3) return `${names.slice(0, -1).join(', ')}${names.length > 1 ? ' and ' : ''}${names.at(-1)}`
  return `${names.slice(0, 2).join(', ')} and ${names.length - 2} other functions`
}
