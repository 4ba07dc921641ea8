import { isProtected, isReachable, senderGuardAt } from '../../facts/index.ts'
import { witnessStep } from '../../idioms/index.ts'
import { type Flow, holding, type Op } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: Op
}

export default defineDetector<Candidate>({
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

  needs: [holding.selfDestruct],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) for (const op of flow.builtins('selfdestruct')) yield { flow, op }
  },

  excuses: [
    excuse('protected', 'the caller is tested against somebody whom outsiders cannot replace', ({ flow, op }) =>
      isProtected(flow, op),
    ),
    excuse('unreachable', 'no path leads there', ({ flow, op }) => !isReachable(flow, op)),
  ],

  finding({ flow, op }) {
    const guard = senderGuardAt(flow, op)
    const because =
      guard === null
        ? 'and nothing on the way tests who is calling'
        : `because the caller is tested against \`${guard.variables[0]?.name}\`, which anyone can set`
    return {
      at: op,
      message: `Anyone can destroy the contract through \`${flow.name}\`, ${because}.`,
      trace: [
        witnessStep(flow, op, 'the contract and what it holds are gone for everybody'),
        ...flow.trace(op),
        ...(guard === null
          ? []
          : [{ at: { start: guard.op.start, end: guard.op.end }, message: 'This test can be passed by anyone.' }]),
      ],
    }
  },
})
