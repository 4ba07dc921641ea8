import { dependsOn, guardsAt, isProtected } from '../../facts/index.ts'
import { isHash, keysOf, outgoingOf, paysOut, witnessStep } from '../../idioms/index.ts'
import { type ContractFlow, type Flow, type Op, type StoreOp, stripCasts } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly payment: Op
  readonly moves: VariableModel
}

const isPassedNumber = (flow: Flow, store: StoreOp): boolean => {
  const value = stripCasts(store.args[0])
  return value.kind === 'param' && flow.typeOf(value)?.kind === 'int'
}

/** Lists of numbers that callers pass in, one after the other, and that everybody can read at once. */
const openMoves = ({ entryPoints }: ContractFlow): ReadonlySet<VariableModel> => {
  const found = new Set<VariableModel>()
  for (const flow of entryPoints)
    for (const store of flow.stateStores()) {
      const { variable } = store.location
      if (variable !== null && isPassedNumber(flow, store) && keysOf(store.location).length > 0) found.add(variable)
    }
  return found
}

/** `(number[0] + number[1]) % 2`: several of them together decide. */
const isMixed = (flow: Flow, index: Op, moves: ReadonlySet<VariableModel>): VariableModel | null => {
  const isMove = (op: Op): boolean =>
    op.kind === 'load' && op.location.variable !== null && moves.has(op.location.variable)
  const mix = [index, ...flow.ops('bin')].find(
    (op) =>
      op.kind === 'bin' &&
      dependsOn(flow, index, (part) => part === op) &&
      op.args.every((arg) => dependsOn(flow, arg, isMove)),
  )
  const found = mix === undefined ? undefined : flow.stateLoads().find((load) => isMove(load))
  return found === undefined ? null : found.location.variable
}

/** Wherever the numbers are noted, they are held against hashes that were committed before. */
const isCommitted = ({ flow, moves }: Candidate): boolean =>
  flow.contractFlow
    .writersOf(moves)
    .filter(({ flow: writer, op }) => isPassedNumber(writer, op))
    .every(({ flow: writer, op }) => guardsAt(writer, op).some(({ condition }) => dependsOn(writer, condition, isHash)))

export default defineDetector<Candidate>({
  id: 'open-move',
  swc: 'SWC-114',
  title: 'The second player sees the first one’s move',
  severity: 'high',
  confidence: 'medium',
  description:
    'Players pass in numbers one after the other, and the numbers together decide who is paid. Whatever stands in a transaction or in storage is public: whoever comes last chooses the number that wins.',
  recommendation:
    'Let everybody first commit to a hash of their number and a secret, and reveal both when all have committed.',
  references: ['https://swcregistry.io/docs/SWC-114'],
  cwe: ['CWE-362'],

  needs: [paysOut],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) {
      if (outgoingOf(flow).length === 0) continue
      const moves = flow.contractFlow.answer(openMoves)
      for (const { op: payment, to } of outgoingOf(flow)) {
        const paid = to === null ? null : stripCasts(to)
        if (paid?.kind !== 'load' || moves.size === 0) continue
        for (const key of keysOf(paid.location)) {
          const variable = isMixed(flow, key, moves)
          if (variable !== null) yield { flow, payment, moves: variable }
        }
      }
    }
  },
  excuses: [
    excuse('committed', 'the numbers are held against hashes that were committed before', isCommitted),
    excuse('known-players', 'who plays is decided by a role', ({ flow, payment }) => isProtected(flow, payment)),
  ],
  finding: ({ flow, payment, moves }) => ({
    at: payment,
    message: `The numbers in \`${moves.name}\` decide who is paid, and whoever comes last has seen the others.`,
    trace: [
      witnessStep(flow, payment, 'whoever moves last reads what the others chose, and takes what they put in'),
      ...flow.trace(payment),
    ],
  }),
})
