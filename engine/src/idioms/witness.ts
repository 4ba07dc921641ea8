/** Who acts, what they call and what comes of it: what makes a finding at critical a weakness, and stands first in its trace. */
import { roleAt } from '../facts/index.ts'
import type { Flow, Op } from '../ir/index.ts'
import type { Span } from '../syntax/index.ts'

const whoComes = (flow: Flow, op: Op): string => {
  if (roleAt(flow, op) !== null) return 'Whoever holds the role calls'
  if (flow.kind === 'fallback' || flow.kind === 'receive')
    return 'Anybody sends ether or data that no function knows to'
  return flow.isEntryPoint ? 'Anybody calls' : 'Whoever gets there comes through'
}

/** The first step of a trace: who calls what, and `loss`, what they gain or others lose, as the end of the sentence. */
export const witnessStep = (flow: Flow, op: Op, loss: string): { at: Span; message: string } => {
  const node = flow.fn?.node
  return {
    at: node === undefined ? op : { start: node.start, end: node.headEnd },
    message: `${whoComes(flow, op)} \`${flow.name}\`: ${loss}.`,
  }
}
