import { dependsOn, guardsAt, runsOnce, Source, taintOf } from '../../facts/index.ts'
import { isForCaller, isReserved, outgoingOf, paysOut, witnessStep } from '../../idioms/index.ts'
import {
  type Access,
  type CallOp,
  type ContractFlow,
  type Flow,
  type Location,
  type Op,
  stripCasts,
} from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface ReplacedPrice {
  readonly flow: Flow
  readonly send: CallOp
  readonly price: Location
  readonly setters: Setters
}

/** Where other functions store what their callers say. */
interface Setters {
  readonly first: Access<'store'> | undefined
  /** The first that can do so again and again. */
  readonly lasting: Access<'store'> | undefined
}

const settersOf = (contractFlow: ContractFlow, { variable }: Location): Setters => {
  const setters = variable === null ? [] : contractFlow.writersOf(variable).filter(replaces)
  return { first: setters[0], lasting: setters.find(({ flow, op }) => !runsOnce(flow, op)) }
}

/** The amount itself, or a factor of it, that lies in a variable of its own. */
const priceIn = (value: Op): Location | null => {
  const op = stripCasts(value)
  if (op.kind === 'load') return op.location.space === 'state' && op.location.part === 'root' ? op.location : null
  if (op.kind !== 'bin') return null
  if (op.operator === '*') return priceIn(op.args[0]) ?? priceIn(op.args[1])
  return op.operator === '/' ? priceIn(op.args[0]) : null
}

/** A function that callers see stores a number of its caller there, whatever was there before. */
const replaces = ({ flow, op }: Access<'store'>): boolean => {
  const bits = taintOf(flow, op.args[0])
  return flow.isEntryPoint && (bits & (Source.param | Source.value)) !== 0 && (bits & Source.state) === 0
}

/** A condition holds the price, or what follows from it, against something that the caller said. */
const isExpected = ({ flow, send, price }: ReplacedPrice): boolean =>
  guardsAt(flow, send).some(
    ({ condition }) =>
      condition.kind === 'bin' &&
      (taintOf(flow, condition) & (Source.param | Source.value)) !== 0 &&
      dependsOn(flow, condition, (op) => op.kind === 'load' && op.location === price),
  )

export default defineDetector<ReplacedPrice>({
  id: 'replaced-price',
  formerly: 'transaction-order',
  swc: 'SWC-114',
  title: 'A price can be replaced just before it is paid',
  severity: 'high',
  confidence: 'low',
  description:
    'What the caller gets is worked out from a price that another function replaces. Whoever may set the price sees the sale pending and lowers it first; the caller cannot say which price they expect.',
  recommendation: 'Let callers pass the least amount they accept, and revert when they would get less.',
  references: [
    'https://swcregistry.io/docs/SWC-114',
    'https://docs.soliditylang.org/en/latest/security-considerations.html',
  ],
  cwe: ['CWE-362'],
  yieldsTo: ['tx-origin-authorization'],

  needs: [paysOut],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const { op: send, amount } of outgoingOf(flow).filter(isForCaller)) {
        const price = priceIn(amount)
        const setters = price === null ? null : flow.contractFlow.answerAt(price, settersOf)
        if (price !== null && setters?.first !== undefined) yield { flow, send, price, setters }
      }
  },

  excuses: [
    excuse('reserved', 'only known accounts get there, who know the price', ({ flow, send }) => isReserved(flow, send)),
    excuse('expected', 'the caller says what is expected, and less reverts', isExpected),
    excuse('set-once', 'the price is set up once and stays', ({ setters }) => setters.lasting === undefined),
  ],

  finding: ({ flow, send, price, setters: { first, lasting } }) => {
    const setter = lasting ?? first!
    return {
      at: send,
      message: `\`${price.variable!.name}\` decides what the caller gets here, and \`${setter.flow.name}\` can replace it just before.`,
      trace: [
        witnessStep(
          flow,
          send,
          'whoever can replace the price does so just before, and the caller gets less than was shown',
        ),
        { at: setter.op, message: 'It is replaced here.' },
      ],
    }
  },
})
