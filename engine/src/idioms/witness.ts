/** The first step of a trace: who calls which function, and what they gain or others lose. */
import { type Authority, authorityAt, isRuledOut } from '../facts/index.ts'
import type { Flow, Op } from '../ir/index.ts'
import type { Span } from '../syntax/index.ts'

/** Callers who need a permission; everyone else is `actor`. */
const permitted: { readonly [authority in Authority]?: string } = {
  role: 'A privileged account calls',
  consent: 'A signature holder calls',
  granted: 'An approved caller calls',
  unread: 'A caller (access check in missing source) calls',
}

const subjectOf = (flow: Flow, authority: Authority | null, actor: string): string => {
  const known = authority === null ? undefined : permitted[authority]
  if (known !== undefined) return known
  if (flow.kind === 'fallback' || flow.kind === 'receive') return `${actor} triggers`
  return flow.isEntryPoint ? `${actor} calls` : `${actor} reaches`
}

export interface WitnessStep {
  readonly at: Span
  readonly message: string
  /** Any caller can take this path and its conditions do not contradict each other: of several paths it is the best witness. */
  readonly isOpen: boolean
}

/**
 * The first step of a trace: who calls what, and `consequence`, what they gain or others lose. It continues the sentence after "and": "An
 * attacker calls `withdraw()` and re-enters it before the balance is updated." `actor` is "A user" where the caller is the victim.
 */
export const witnessStep = (flow: Flow, op: Op, consequence: string, actor = 'An attacker'): WitnessStep => {
  const node = flow.fn?.node
  const authority = authorityAt(flow, op)
  return {
    at: node === undefined ? op : { start: node.start, end: node.headEnd },
    message: `${subjectOf(flow, authority, actor)} \`${flow.name}()\` and ${consequence}.`,
    isOpen: (authority === null || permitted[authority] === undefined) && !isRuledOut(flow, op),
  }
}
