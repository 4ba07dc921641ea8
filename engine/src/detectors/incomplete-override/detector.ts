import { dependsOn, type Fact, fromFactsAt, isSender } from '../../facts/index.ts'
import { type Column, columnOf, entriesOf, isInColumn, keysOf, witnessStep } from '../../idioms/index.ts'
import {
  bothOrders,
  type ContractFlow,
  type Flow,
  holding,
  isEquality,
  type LoadOp,
  type Op,
  type StoreOp,
  stripCasts,
} from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import type { Span } from '../../syntax/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  /** The way that is barred. */
  readonly barred: Flow
  /** What is checked there. */
  readonly question: Question
  /** The other way, on which it is not checked. */
  readonly open: Flow
  readonly move: StoreOp
  /** The other function checks it for the account that only moves the tokens. */
  readonly checksSpender: boolean
}

/** The two ways by which ERC-20 lets tokens leave an account. */
const transferSignatures = ['transfer(address,uint256)', 'transferFrom(address,address,uint256)']

interface Transfer {
  readonly flow: Flow
  readonly moves: readonly StoreOp[]
}

const transfersOf = (contractFlow: ContractFlow): readonly Transfer[] =>
  transferSignatures.flatMap((signature) => {
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
const hasOwnTransfer = ({ entryPoints }: ContractFlow): boolean =>
  entryPoints.some(({ fn }) => fn !== null && transferSignatures.includes(fn.signature))

/** Whom something is kept about: whose tokens leave, or who only moves them for the owner; null: anyone else, or all. */
type Party = 'owner' | 'spender' | null

interface Question {
  readonly condition: Op
  readonly polarity: boolean
  readonly variable: VariableModel
  readonly of: Party
}

/** State that is checked on the path: a time, a switch, a list. */
const questionsIn = (flow: Flow, { condition, polarity }: Fact): readonly Question[] => {
  const found: Question[] = []
  dependsOn(flow, condition, (op) => {
    if (op.kind === 'load' && op.location.space === 'state' && op.location.variable !== null)
      found.push({ condition, polarity, variable: op.location.variable, of: partyOf(flow, op) })
    return false
  })
  return found
}

const partyOf = (flow: Flow, { location }: LoadOp): Party => {
  const keys = keysOf(location)
  if (!isForOthers(flow)) return keys.some(isSender) ? 'owner' : null
  if (keys.includes(flow.params[0]!)) return 'owner'
  return keys.some(isSender) ? 'spender' : null
}

const isForOthers = ({ fn }: Flow): boolean => fn?.signature === transferSignatures[1]

const questionsOf = ({ flow, moves }: Transfer): readonly Question[] =>
  moves.flatMap((move) => fromFactsAt(flow, move, questionsIn))

/** Checked wherever tokens leave by this path, and always with the same answer: what decides on a fee bars nobody. */
const barsOf = ({ flow, moves }: Transfer, column: Column): readonly Question[] => {
  const [first = [], ...others] = moves
    .filter(({ location }) => isInColumn(location, column))
    .map((move) => fromFactsAt(flow, move, questionsIn))
  const known = others.map((questions) => ({
    true: conditionsIn(questions, true),
    false: conditionsIn(questions, false),
  }))
  return first.filter(({ condition, polarity }) => known.every((held) => held[`${polarity}`].has(condition)))
}

const conditionsIn = (questions: readonly Question[], comesOut: boolean): ReadonlySet<Op> =>
  new Set(questions.flatMap(({ condition, polarity }) => (polarity === comesOut ? [condition] : [])))

/** Of anyone who moves them for the owner more is checked already: the owner's consent. */
const isAboutSpender = ({ flow }: Transfer, { condition }: Question): boolean =>
  isForOthers(flow) && dependsOn(flow, condition, isSender, { keys: true })

/** Balances and allowances, which each way keeps by itself. */
const writtenBy = ({ flow }: Transfer): ReadonlySet<VariableModel | null> =>
  new Set(flow.stateStores().map(({ location }) => location.variable))

/** An entry of the same column is lowered: `balanceOf[from] -= amount`. */
const isOfColumn = ({ moves }: Transfer, column: Column | null): boolean =>
  column !== null && moves.some(({ location }) => isInColumn(location, column))

function* uncheckedMoves(barred: Transfer, open: Transfer): Iterable<Candidate> {
  const move = open.moves.find(({ location }) => isOfColumn(barred, columnOf(location)))
  const column = move === undefined ? null : columnOf(move.location)
  if (move === undefined || column === null) return
  const questions = questionsOf(open)
  const checkedVariables = new Set(questions.map(({ variable }) => variable))
  // Of the owner it is not enough to ask it of the spender, who may be anyone.
  const checkedOfOwner = new Set(questions.flatMap(({ variable, of }) => (of === 'spender' ? [] : [variable])))
  const [own, others] = [writtenBy(barred), writtenBy(open)]
  for (const question of barsOf(barred, column)) {
    const { variable, of } = question
    if (own.has(variable) || others.has(variable) || (of === 'owner' ? checkedOfOwner : checkedVariables).has(variable))
      continue
    if (!isAboutSpender(barred, question))
      yield {
        barred: barred.flow,
        question,
        open: open.flow,
        move,
        checksSpender: of === 'owner' && checkedVariables.has(variable),
      }
  }
}

/** `require(to != market)`: it spares a receiver that could do nothing with them, and keeps them in no account. */
const sparesReceiver = ({ barred, question: { condition: bar } }: Candidate): boolean => {
  const receiver = barred.params[isForOthers(barred) ? 1 : 0]
  if (bar.kind !== 'bin' || !isEquality(bar.operator)) return false
  return bothOrders(bar).some(([to, other]) => {
    const spared = stripCasts(other)
    return stripCasts(to) === receiver && spared.kind === 'load' && spared.location.depth === 0
  })
}

/** The other way where the contract has it itself, else the one that was overridden. */
const placeOf = (open: Flow, barred: Flow): Span => (open.contract === open.fn!.contract ? open : barred).fn!.node.name!

/** The parameter that names whose tokens leave. */
const holderIn = (open: Flow): string => {
  const name = isForOthers(open) ? open.params[0]?.operator : undefined
  return name ? ` \`${name}\`` : ''
}

export default defineDetector<Candidate>({
  id: 'incomplete-override',
  swc: null,
  title: 'Inconsistent access control between functions',
  aliases: {
    owasp: ['SC01:2025'],
    words: ['missing override', 'blocklist bypass', 'pause bypass', 'transferFrom bypass'],
  },
  severity: 'high',
  confidence: 'medium',
  description:
    'Tokens leave an account through `transfer` and `transferFrom`. One of the two checks a lock, a list or a pause and the other does not, usually because it is inherited and not overridden.',
  recommendation: 'Check in the one function that both use (in OpenZeppelin `_update`), or override both.',
  references: ['https://eips.ethereum.org/EIPS/eip-20'],
  cwe: ['CWE-288', 'CWE-424'],

  needs: [holding.entryWrite],
  *candidates({ contracts }) {
    for (const contractFlow of contracts) {
      const [one, two] = hasOwnTransfer(contractFlow) ? transfersOf(contractFlow) : []
      if (one === undefined || two === undefined) continue
      yield* uncheckedMoves(one, two)
      yield* uncheckedMoves(two, one)
    }
  },
  excuses: [excuse('spares-receiver', 'it only excludes one account that could not use the tokens', sparesReceiver)],
  finding: ({ barred, question: { condition, variable, of }, open, move, checksSpender }) => ({
    at: placeOf(open, barred),
    ...(checksSpender
      ? {
          title: 'Transfer restriction checks spender instead of holder',
          recommendation:
            'Check the account whose tokens move (`from`), not `msg.sender`, best in the one function that both use (`_update`, `_beforeTokenTransfer`).',
          message: `\`${open.name}()\` checks \`${variable.name}\` for \`msg.sender\`, here the spender, not for the holder${holderIn(open)}, so a restricted holder can approve another account that moves the tokens.`,
        }
      : {
          title: `Transfer restriction bypass through ${open.name}()`,
          message: `\`${barred.name}()\` checks \`${variable.name}\` before tokens leave an account but \`${open.name}()\` does not${of === 'owner' ? ` check it for the holder${holderIn(open)}` : ''}, so the restriction can be bypassed.`,
        }),
    cause: barred.fn!.node,
    trace: [
      {
        ...witnessStep(
          open,
          move,
          isForOthers(open)
            ? 'moves tokens of a restricted holder who approved them'
            : 'moves tokens that should be restricted',
        ),
        at: placeOf(open, barred),
      },
      { at: condition, message: `\`${barred.name}()\` checks \`${variable.name}\` here.` },
    ],
  }),
})
