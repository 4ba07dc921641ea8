import { grownBy, isProtected, type Loop, loopsOf } from '../../facts/index.ts'
import { firstThatFits, listFunctions } from '../../idioms/index.ts'
import { type Flow, isZero, type Op, type StoreOp, stripCasts } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import type { Span } from '../../syntax/index.ts'
import { defineDetector } from '../define-detector.ts'

interface Candidate {
  readonly at: Span
  readonly message: string
  /** The list that has no limit: every loop over it is one more place. */
  readonly cause?: Span
}

/** The head of the loop stands for the whole: a finding over a long body would say little. */
const headEnd = (flow: Flow, start: number, condition: Op | null): number => {
  const end = condition === null ? start + 3 : condition.end
  return end > start && flow.model.fileAt(start) === flow.model.fileAt(end) ? end : start + 3
}

/** So many elements that clearing them, some 5,000 gas each, still takes a small part of a block. */
const clearable = 512n

/** `delete list` and `list = new T[](0)` write every element to zero. */
const isClearedList = (flow: Flow, store: StoreOp): boolean => {
  const { variable, part } = store.location
  if (variable === null || part !== 'root' || variable.type.kind !== 'array' || variable.type.length !== null)
    return false
  const value = store.args[0]
  const clears = store.flag || (value.kind === 'make' && value.operator === 'new')
  return clears && grownBy(flow.contractFlow, variable, true, '.length', clearable) === 'anyone'
}

/** A loop may grow, and so may a list that is written as a whole. */
const mayCost = (flow: Flow): boolean =>
  flow.ir.loops.length > 0 || flow.stateStores().some(({ location }) => location.variable?.type.kind === 'array')

/** `list.pop()`, `list.length--`, `delete list` */
const isShortened = ({ flag, args }: StoreOp): boolean => flag || stripCasts(args[0]).operator === '-'

/** Functions by which anyone can make the list longer, in words. */
const growersOf = ({ contractFlow }: Flow, variable: VariableModel): string => {
  const growers = contractFlow
    .writersOf(variable)
    .filter(
      ({ flow, op }) =>
        flow.isEntryPoint && op.location.part === 'length' && !isProtected(flow, op) && !isShortened(op),
    )
    .map(({ flow }) => flow)
  return growers.length === 0 ? '' : ` through ${listFunctions(growers)}`
}

/** Of lists that a mapping or a record holds, the loop runs over one. */
const nameOfList = ({ name, type }: VariableModel, path = ''): string =>
  type.kind === 'array' || path !== '' ? `\`${name}${path}\`` : `a list in \`${name}\``

const loopMessage = (flow: Flow, { variable, path, bound, boundKind }: Loop): string => {
  const name = `\`${flow.name}()\``
  const number = boundKind === 'storage' && bound?.kind === 'load' ? bound.location : null
  const [act, size] = number === null ? ['loops over', 'long'] : ['repeats a loop', 'large']
  const list = variable === null ? 'a list' : nameOfList(variable, path)
  const subject = number === null ? list : `\`${flow.describe(number)}\` times`
  const end = `once it is too ${size}, the loop exceeds the block gas limit and ${name} always reverts.`
  return firstThatFits(
    `${name} ${act} ${subject}, which anyone can grow${variable === null ? '' : growersOf(flow, variable)}: ${end}`,
    `${name} ${act} ${subject}, which anyone can grow: ${end}`,
  )
}

const clearMessage = (flow: Flow, { flag, args, location: { variable } }: StoreOp): string => {
  const name = `\`${flow.name}()\``
  const act = flag || args[0].args.some(isZero) ? 'clears' : 'overwrites'
  const start = `${name} ${act} ${nameOfList(variable!)}, which anyone can grow`
  const end = `gas is paid per element, so once it is too long, ${name} exceeds the block gas limit and reverts.`
  return firstThatFits(`${start}${growersOf(flow, variable!)}: ${end}`, `${start}: ${end}`)
}

export default defineDetector<Candidate>({
  id: 'dos-block-gas-limit',
  swc: 'SWC-128',
  title: 'Unbounded loop: block gas limit DoS',
  aliases: {
    slither: ['costly-loop', 'calls-loop'],
    aderyn: ['costly-loop'],
    owasp: ['SC10:2025'],
    scwe: ['SCWE-058'],
    words: ['unbounded loop', 'out of gas', 'gas limit'],
  },
  severity: 'low',
  confidence: 'medium',
  description:
    'The gas cost of this function grows with a list that anyone can extend. Once it exceeds the block gas limit, the function always reverts.',
  recommendation:
    'Bound the list, process it in pages of a size the caller chooses, or let each member act for themselves.',
  references: [
    'https://swcregistry.io/docs/SWC-128',
    'https://docs.soliditylang.org/en/latest/security-considerations.html#gas-limit-and-loops',
  ],
  cwe: ['CWE-400'],

  needs: [mayCost],
  *candidates({ functions }) {
    for (const flow of functions) {
      if (flow.isConstructor) continue
      for (const loop of loopsOf(flow))
        if (loop.grownBy === 'anyone')
          yield {
            at: { start: loop.start, end: headEnd(flow, loop.start, loop.condition) },
            message: loopMessage(flow, loop),
            ...(loop.variable !== null && { cause: loop.variable.span }),
          }
      for (const store of flow.stateStores())
        if (isClearedList(flow, store))
          yield {
            at: store,
            message: clearMessage(flow, store),
          }
    }
  },

  finding: (candidate) => candidate,
})
