import { dependsOn, type Fact, guardsAt, guardsAtEnd, isProtected, stateReadsOf } from '../../facts/index.ts'
import {
  type Column,
  columnOf,
  isHash,
  isInColumn,
  keysOf,
  nameOfColumn,
  outgoingOf,
  type Payment,
  paysOut,
  witnessStep,
} from '../../idioms/index.ts'
import {
  type ContractFlow,
  type Flow,
  isOrdering,
  type LoadOp,
  type Op,
  type StoreOp,
  sameValue,
  stripCasts,
} from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

/** A number that a caller passes in, kept beside those of others where everybody can read it at once. */
interface Move {
  readonly flow: Flow
  readonly store: StoreOp
  readonly column: Column
}

interface Candidate {
  readonly move: Move
  readonly payer: Flow
  readonly payment: Op
}

const isPassedNumber = (flow: Flow, value: Op): boolean => {
  const op = stripCasts(value)
  const kind = op.kind === 'param' ? flow.typeOf(op)?.kind : undefined
  return kind === 'int' || kind === 'enum'
}

const openMoves = ({ entryPoints }: ContractFlow): readonly Move[] =>
  entryPoints.flatMap((flow) => flow.stateStores().flatMap((store) => movesBy(flow, store)))

/** `numbers[seat] = number`, `players[seat].number = number`, `players[seat] = Player(msg.sender, number)`. */
const movesBy = (flow: Flow, store: StoreOp): readonly Move[] => {
  const whole = columnOf(store.location)
  if (whole === null || keysOf(store.location).length === 0) return []
  const value = stripCasts(store.args[0])
  const { type } = store.location
  if (value.kind !== 'make' || type?.kind !== 'struct')
    return isPassedNumber(flow, value) ? [{ flow, store, column: whole }] : []
  return type.struct.fields.flatMap(({ name }, i) => {
    const part = value.args[i]
    if (part === undefined || !isPassedNumber(flow, part)) return []
    return [{ flow, store, column: { variable: whole.variable, path: `${whole.path}.${name}` } }]
  })
}

/** What decides who is paid: which of the players stands at the place, and conditions that leave the others another way on. */
const decidersOf = (flow: Flow, { op, to, amount }: Payment): readonly Op[] => {
  const tests = guardsAt(flow, op).filter((fact) => isChoice(flow, fact))
  const chosen = to === null ? [] : choicesIn(flow, stripCasts(to), new Set())
  return [...chosen, ...tests.map(({ condition }) => condition)].filter((value) => !isPrice(value, amount))
}

/** More or less of something is a price, not a move, and so is whether there is anything to pay. */
const isPrice = (value: Op, amount: Op): boolean =>
  value.kind === 'bin' && (isOrdering(value.operator) || value.args.some((side) => sameValue(side, amount)))

/** By what one of several is chosen: the place in a list, or the fork whose ways give different values. */
const choicesIn = (flow: Flow, value: Op, seen: Set<Op>): readonly Op[] => {
  if (seen.has(value)) return []
  seen.add(value)
  if (value.kind === 'load') return keysOf(value.location)
  if (value.kind === 'select') return value.args
  if (value.kind !== 'phi') return []
  const fork = flow.blocks[flow.idom[value.block]!]!.condition
  const inner = value.args.flatMap((arg) => choicesIn(flow, stripCasts(arg), seen))
  return fork === null ? inner : [fork, ...inner]
}

/** Nobody is turned away by it. */
const isChoice = (flow: Flow, { condition, polarity }: Fact): boolean =>
  flow.ir.exits.some(
    (exit) => !guardsAtEnd(flow, exit).some((known) => known.condition === condition && known.polarity === polarity),
  )

/** Numbers of several players have a say in it. */
const isDecidedBy = (deciding: readonly LoadOp[], column: Column): boolean => {
  const reads = deciding.filter(({ location }) => isInColumn(location, column))
  return new Set(reads.map(({ location }) => location)).size > 1
}

/** The number is held against a hash that was committed before. */
const isCommitted = ({ move: { flow, store } }: Candidate): boolean =>
  guardsAt(flow, store).some(({ condition }) => dependsOn(flow, condition, isHash))

export default defineDetector<Candidate>({
  id: 'open-move',
  swc: 'SWC-114',
  title: 'Missing commit-reveal: visible moves in a game',
  aliases: { scwe: ['SCWE-037'], words: ['commit reveal', 'rock paper scissors', 'visible move', 'front-running'] },
  severity: 'high',
  confidence: 'medium',
  description:
    'Players submit numbers one after another, and together they decide who is paid. Transactions and storage are public, so the last player chooses the winning number.',
  recommendation:
    'Use commit-reveal: all players first commit a hash of their number and a secret, and reveal when all have committed.',
  references: ['https://swcregistry.io/docs/SWC-114'],
  cwe: ['CWE-362'],

  needs: [paysOut],
  *candidates({ entryPoints }) {
    for (const payer of entryPoints) {
      const payments = outgoingOf(payer)
      const moves = payments.length === 0 ? [] : payer.contractFlow.answer(openMoves)
      if (moves.length === 0) continue
      for (const payment of payments) {
        const deciding = [...new Set(decidersOf(payer, payment).flatMap((value) => stateReadsOf(payer, value)))]
        for (const move of deciding.length === 0 ? [] : moves)
          if (isDecidedBy(deciding, move.column)) yield { move, payer, payment: payment.op }
      }
    }
  },
  excuses: [
    excuse('committed', 'the number is checked against an earlier commitment hash', isCommitted),
    excuse(
      'known-players',
      'a privileged account selects the players',
      ({ move: { flow, store }, payer, payment }) => isProtected(flow, store) || isProtected(payer, payment),
    ),
  ],
  finding: ({ move: { flow, store, column }, payer, payment }) => ({
    at: store,
    message: `\`${flow.name}()\` stores each player’s number in \`${nameOfColumn(column)}\`, which is public and decides who is paid, so the last player picks the winning number and takes the stakes of the others.`,
    trace: [
      witnessStep(flow, store, 'reads the other moves and wins their stakes'),
      ...payer.trace(payment),
      { at: payment, message: 'The winner is decided here.' },
    ],
  }),
})
