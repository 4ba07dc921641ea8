import { isFreelyDone, isOpenPath, isProtected, isReachable, isSender, senderGuardAt } from '../../facts/index.ts'
import { witnessStep } from '../../idioms/index.ts'
import { type Flow, holding, type Op, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: Op
}

/** `selfdestruct(to)` for an argument, or for the caller. */
const isChosen = ({ args }: Op): boolean => {
  const to = stripCasts(args[0]!)
  return to.kind === 'param' || isSender(to)
}

export default defineDetector<Candidate>({
  id: 'unprotected-selfdestruct',
  swc: 'SWC-106',
  title: 'Unprotected selfdestruct',
  aliases: {
    slither: ['suicidal'],
    aderyn: ['selfdestruct'],
    owasp: ['SC01:2025'],
    scwe: ['SCWE-050', 'SCWE-038'],
    words: ['suicide', 'kill', 'Parity'],
  },
  severity: 'critical',
  confidence: 'high',
  description:
    'Anyone can reach `selfdestruct`. The code is destroyed (before the Cancun upgrade, or in the creation transaction since) and all ETH goes to the given address.',
  recommendation: 'Remove it, or restrict it to an owner that only the current owner can change.',
  references: ['https://swcregistry.io/docs/SWC-106', 'https://eips.ethereum.org/EIPS/eip-6780'],
  cwe: ['CWE-284'],

  needs: [holding.selfDestruct],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) for (const op of flow.builtins('selfdestruct')) yield { flow, op }
  },

  excuses: [
    excuse('protected', 'the caller is checked against an account that an attacker cannot replace', ({ flow, op }) =>
      isProtected(flow, op),
    ),
    excuse('unreachable', 'no path leads there', ({ flow, op }) => !isReachable(flow, op)),
  ],

  finding({ flow, op }) {
    const guard = senderGuardAt(flow, op)
    const setters = guard?.places.flatMap(({ variable }) => flow.contractFlow.writersOf(variable!)) ?? []
    const isOpen =
      guard === null
        ? isOpenPath(flow, op)
        : setters.some((write) => write.flow.isEntryPoint && isFreelyDone(write.flow, write.op))
    const because =
      guard === null
        ? 'and nothing checks the caller'
        : `because the caller is checked against \`${guard.places[0]?.variable?.name}\`, which anyone can set`
    return {
      at: op,
      factors: { loss: isOpen ? 'the contract and the ETH in it' : undefined },
      message: `Anyone can call \`${flow.name}()\` and delete the contract, which sends all its ETH to ${isChosen(op) ? 'an address that the caller chooses' : 'one address'}, ${because}.`,
      trace: [
        witnessStep(flow, op, 'destroys the contract'),
        ...flow.trace(op),
        ...(guard === null
          ? []
          : [{ at: { start: guard.op.start, end: guard.op.end }, message: 'Anyone can pass this check.' }]),
      ],
    }
  },
})
