import { type Flow, isReachable, oncePerPlace } from '../../facts/index.ts'
import type { Op } from '../../ir/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

const checkDestruction = (flow: Flow, op: Op, hits: Hit[]): void => {
  const guard = flow.senderGuardAt(op)
  if ((guard !== null && !flow.whole.isBroken(guard)) || !isReachable(flow, op)) return
  const because =
    guard === null
      ? 'and nothing on the way tests who is calling'
      : `because the caller is tested against \`${guard.variables[0]?.name}\`, which anyone can set`
  hits.push({
    at: op,
    message: `Anyone can destroy the contract through \`${flow.name}\`, ${because}.`,
    trace: [
      ...flow.trace(op),
      ...(guard === null
        ? []
        : [{ at: { start: guard.op.start, end: guard.op.end }, message: 'This test can be passed by anyone.' }]),
    ],
  })
}

export default defineDetector({
  id: 'unprotected-selfdestruct',
  swc: 'SWC-106',
  title: 'Unprotected selfdestruct',
  severity: 'critical',
  confidence: 'high',
  description:
    'A stranger can reach `selfdestruct`: the code is gone for good (before the Cancun upgrade, and in the transaction of its creation since), and all ether goes where the call says.',
  recommendation:
    'Remove it, or let only an account reach it that is fixed at construction or handed over by its present holder.',
  references: ['https://swcregistry.io/docs/SWC-106', 'https://eips.ethereum.org/EIPS/eip-6780'],
  cwe: ['CWE-284'],

  run(context) {
    const hits: Hit[] = []
    for (const flow of context.entryPoints)
      for (const op of flow.builtins('selfdestruct')) checkDestruction(flow, op, hits)
    return oncePerPlace(hits)
  },
})
