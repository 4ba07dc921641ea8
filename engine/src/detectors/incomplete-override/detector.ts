import { dependsOn, type Fact, fromFactsAt, isProtected } from '../../facts/index.ts'
import { type Column, columnOf, entriesOf, isInColumn, witnessStep } from '../../idioms/index.ts'
import { type ContractFlow, type Flow, holding, type Op, type StoreOp } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import type { Span } from '../../syntax/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  /** The way that is barred. */
  readonly barred: Flow
  readonly bar: Op
  /** What is asked there. */
  readonly asked: VariableModel
  /** The other way, on which it is not asked. */
  readonly open: Flow
  readonly move: StoreOp
}

/** The two ways by which ERC-20 lets tokens leave an account. The second asks more by itself: for the owner's consent. */
const ways = ['transfer(address,uint256)', 'transferFrom(address,address,uint256)']

interface Way {
  readonly flow: Flow
  readonly moves: readonly StoreOp[]
}

const waysOf = (contractFlow: ContractFlow): readonly Way[] =>
  ways.flatMap((signature) => {
    const flow =
      contractFlow.entryPoints.find(({ fn }) => fn?.signature === signature) ?? inherited(contractFlow, signature)
    if (flow === undefined) return []
    return [{ flow, moves: entriesOf(flow).flatMap(({ op, isRaised }) => (isRaised ? [] : [op])) }]
  })

/** What a known library brings along is not followed for its own sake; here it is the other way. */
const inherited = (contractFlow: ContractFlow, signature: string): Flow | undefined => {
  const fn = contractFlow.contract?.entryPoints.find((each) => each.isStub && each.signature === signature)
  return fn?.isImplemented ? contractFlow.follow(fn, contractFlow.contract) : undefined
}

/** One of the two is the contract's own: where both come from a library there is nothing that could be forgotten. */
const hasOwnWay = ({ entryPoints }: ContractFlow): boolean =>
  entryPoints.some(({ fn }) => fn !== null && ways.includes(fn.signature))

interface Question {
  readonly condition: Op
  readonly variable: VariableModel
}

/** State that is asked on the way: a time, a switch, a list. */
const questionsIn = (flow: Flow, { condition }: Fact): readonly Question[] => {
  const found: Question[] = []
  dependsOn(flow, condition, (op) => {
    if (op.kind === 'load' && op.location.space === 'state' && op.location.variable !== null)
      found.push({ condition, variable: op.location.variable })
    return false
  })
  return found
}

const questionsOf = ({ flow, moves }: Way): readonly Question[] =>
  moves.flatMap((move) => fromFactsAt(flow, move, questionsIn))

/** Balances and allowances, which each way keeps by itself. */
const writtenBy = ({ flow }: Way): ReadonlySet<VariableModel | null> =>
  new Set(flow.stateStores().map(({ location }) => location.variable))

/** An entry of the same column is lowered: `balanceOf[from] -= amount`. */
const isOfColumn = ({ moves }: Way, column: Column | null): boolean =>
  column !== null && moves.some(({ location }) => isInColumn(location, column))

function* unasked(barred: Way, open: Way): Iterable<Candidate> {
  const move = open.moves.find(({ location }) => isOfColumn(barred, columnOf(location)))
  if (move === undefined) return
  const asked = new Set(questionsOf(open).map(({ variable }) => variable))
  const [own, others] = [writtenBy(barred), writtenBy(open)]
  for (const { condition, variable } of questionsOf(barred))
    if (!asked.has(variable) && !own.has(variable) && !others.has(variable))
      yield { barred: barred.flow, bar: condition, asked: variable, open: open.flow, move }
}

/** The other way where the contract has it itself, else the one that was overridden. */
const placeOf = (open: Flow, barred: Flow): Span => (open.contract === open.fn!.contract ? open : barred).fn!.node.name!

/** What the way itself lowers is an allowance, not a role. */
const isUsedUp = (flow: Flow, variable: VariableModel): boolean =>
  flow.stateStores().some(({ location }) => location.variable === variable)

export default defineDetector<Candidate>({
  id: 'incomplete-override',
  swc: null,
  title: 'A bar that stands on one of two ways',
  severity: 'high',
  confidence: 'medium',
  description:
    'Tokens leave an account by `transfer` and by `transferFrom`. One of the two asks for something, a time, a list, a switch, and the other moves the same balances without asking: mostly it comes from a base and was not overridden.',
  recommendation:
    'Ask in the one function through which both ways go (`_update`, `_beforeTokenTransfer`), or override both.',
  references: ['https://eips.ethereum.org/EIPS/eip-20'],
  cwe: ['CWE-288', 'CWE-424'],

  needs: [holding.entryWrite],
  *candidates({ contracts }) {
    for (const contractFlow of contracts) {
      const [one, two] = hasOwnWay(contractFlow) ? waysOf(contractFlow) : []
      if (one === undefined || two === undefined) continue
      yield* unasked(one, two)
    }
  },
  excuses: [
    excuse('only-roles', 'only holders of a role can go the other way', ({ open, move }) =>
      isProtected(open, move, ({ variables }) => !variables.some((variable) => isUsedUp(open, variable))),
    ),
  ],
  finding: ({ barred, bar, asked, open, move }) => ({
    at: placeOf(open, barred),
    message: `\`${barred.name}\` asks \`${asked.name}\` before tokens leave an account, and \`${open.name}\` does not.`,
    cause: barred.fn!.node,
    trace: [
      {
        ...witnessStep(open, move, 'they approve an account of their own and move what was to stay'),
        at: placeOf(open, barred),
      },
      { at: bar, message: 'Here it is asked.' },
    ],
  }),
})
