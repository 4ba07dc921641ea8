/** Who acts, what they call and what comes of it: what makes a finding at critical a weakness, and stands first in its trace. */
import { type Authority, authorityAt, isRuledOut } from '../facts/index.ts'
import type { Flow, Op } from '../ir/index.ts'
import type { Span } from '../syntax/index.ts'

/** Of those whose will it takes; anybody else opens a record, settles a debt or comes before the set-up has ended. */
const words: { readonly [authority in Authority]?: string } = {
  role: 'Whoever holds the role calls',
  consent: 'Whoever brings the signature that is asked for calls',
  granted: 'Whoever was granted the right calls',
  unread: 'Whoever a function that is not there to be read lets pass calls',
}

const whoComes = (flow: Flow, authority: Authority | null): string => {
  const known = authority === null ? undefined : words[authority]
  if (known !== undefined) return known
  if (flow.kind === 'fallback' || flow.kind === 'receive')
    return 'Anybody sends ether or data that no function knows to'
  return flow.isEntryPoint ? 'Anybody calls' : 'Whoever gets there comes through'
}

export interface WitnessStep {
  readonly at: Span
  readonly message: string
  /** Nobody is kept from this way, and no two conditions on it exclude each other: of several ways it says most. */
  readonly isOpen: boolean
}

/** The first step of a trace: who calls what, and `loss`, what they gain or others lose, as the end of the sentence. */
export const witnessStep = (flow: Flow, op: Op, loss: string): WitnessStep => {
  const node = flow.fn?.node
  const authority = authorityAt(flow, op)
  return {
    at: node === undefined ? op : { start: node.start, end: node.headEnd },
    message: `${whoComes(flow, authority)} \`${flow.name}\`: ${loss}.`,
    isOpen: (authority === null || words[authority] === undefined) && !isRuledOut(flow, op),
  }
}
