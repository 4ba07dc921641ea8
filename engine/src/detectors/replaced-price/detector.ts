import { dependsOn, guardsAt, isReserved, runsOnce, Source, taintOf } from '../../facts/index.ts'
import { describeCaller, isForCaller, outgoingOf, paysOut, witnessStep } from '../../idioms/index.ts'
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
  readonly setter: Access<'store'>
}

/** Where another function stores what its caller says. */
const setterOf = (contractFlow: ContractFlow, { variable }: Location): Access<'store'> | undefined =>
  variable === null ? undefined : contractFlow.writersOf(variable).find(replaces)

/** The amount itself, or a factor of it, that lies in a variable of its own. */
const priceIn = (value: Op): Location | null => {
  const op = stripCasts(value)
  if (op.kind === 'load') return op.location.space === 'state' && op.location.part === 'root' ? op.location : null
  if (op.kind !== 'bin') return null
  if (op.operator === '*') return priceIn(op.args[0]) ?? priceIn(op.args[1])
  return op.operator === '/' ? priceIn(op.args[0]) : null
}

/** A function that callers see stores a number of its caller there, whatever was there before, and can do so again. */
const replaces = ({ flow, op }: Access<'store'>): boolean => {
  const bits = taintOf(flow, op.args[0])
  if (!flow.isEntryPoint || (bits & (Source.param | Source.value)) === 0 || (bits & Source.state) !== 0) return false
  return !runsOnce(flow, op)
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
  title: 'Front-running: price changed before a sale',
  aliases: {
    scwe: ['SCWE-037', 'SCWE-052'],
    words: ['price front-running', 'transaction order dependence', 'slippage'],
  },
  severity: 'high',
  confidence: 'low',
  description:
    'What the caller receives depends on a price that another function can replace. The account that sets the price sees the sale in the mempool and changes it first; the caller cannot state the price they expect.',
  recommendation: 'Let callers pass a minimum amount (slippage limit) and revert if they would receive less.',
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
        const setter = price === null ? undefined : flow.contractFlow.answerAt(price, setterOf)
        if (price !== null && setter !== undefined) yield { flow, send, price, setter }
      }
  },

  excuses: [
    excuse('reserved', 'only privileged accounts, who know the price, get there', ({ flow, send }) =>
      isReserved(flow, send),
    ),
    excuse('expected', 'the caller states the expected amount, and less reverts', isExpected),
  ],

  finding: ({ flow, send, price, setter }) => ({
    at: send,
    message: `\`${price.variable!.name}\` decides what a caller of \`${flow.name}()\` receives, and ${describeCaller(setter.flow, setter.op)} can change it with \`${setter.flow.name}()\` just before (front-running).`,
    trace: [
      witnessStep(flow, send, 'receives less than quoted after a front-run price change', 'A user'),
      { at: setter.op, message: `\`${setter.flow.name}()\` replaces \`${price.variable!.name}\` here.` },
    ],
  }),
})
