import { guardsAt } from '../../facts/index.ts'
import { firstThatFits, keysOf, raisedBy } from '../../idioms/index.ts'
import {
  budget,
  type Flow,
  holding,
  isBefore,
  isZero,
  type Location,
  type Op,
  type StoreOp,
  stripCasts,
} from '../../ir/index.ts'
import type { Type } from '../../model/index.ts'
import { collect, type Expression } from '../../syntax/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: Op
  readonly node: Expression
  readonly mapping: Left
}

/** The mapping that a deletion leaves behind. */
interface Left {
  /** Its path inside the type. */
  readonly path: string
  /** By number, with a number beside it that may say how many entries count and is cleared. */
  readonly isCountedList: boolean
}

const findMapping = (type: Type, path: string, depth = 0): Left | null => {
  if (depth > budget.depth.structs) return null
  if (type.kind === 'mapping') return depth === 0 ? null : { path, isCountedList: false }
  if (type.kind === 'array') return findMapping(type.base, `${path}[…]`, depth + 1)
  if (type.kind !== 'struct') return null
  const { fields } = type.struct
  for (const { name, type: inner } of fields) {
    const at = path ? `${path}.${name}` : name
    if (inner.kind === 'mapping')
      return { path: at, isCountedList: inner.key.kind === 'int' && fields.some((field) => field.type.kind === 'int') }
    const found = findMapping(inner, at, depth + 1)
    if (found) return found
  }
  return null
}

const isClearing = ({ flag, args }: StoreOp): boolean => flag || (args[0].kind === 'const' && args[0].constant === 0n)

const isInside = (place: Location | null, whole: Location | null): boolean => {
  for (let at = place?.parent ?? null; at !== null; at = at.parent) if (at === whole) return true
  return false
}

/** Functions of the contract that use the mapping, in words. */
const readersOf = ({ contract }: Flow, mapping: string): string => {
  const name = mapping.split('.').at(-1)
  const names = (contract?.functions ?? [])
    .filter((fn) => collect(fn.node, 'Member').some((member) => member.name.name === name))
    .map((fn) => `\`${fn.name}()\``)
  return names.length === 0 ? '' : `, which ${names.slice(0, 2).join(' and ')} use${names.length === 1 ? 's' : ''}`
}

/** `records[count++]`: every record is created under a number that the contract counts up. */
const isCounted = ({ flow, op }: Candidate): boolean => {
  const { variable } = op.location ?? { variable: null }
  const created =
    variable === null
      ? []
      : flow.contractFlow
          .writersOf(variable)
          .filter(({ flow: writer, op: store }) => !store.flag && !isChange(writer, store))
  return (
    created.length > 0 &&
    created.every(({ flow: writer, op: store }) => isCounter(writer, keysOf(store.location).at(-1)))
  )
}

/** Something of the record was read before: it is there. */
const isChange = (flow: Flow, store: StoreOp): boolean => {
  const key = keysOf(store.location).at(-1)
  return flow
    .stateLoads()
    .some(
      (load) =>
        load.location.variable === store.location.variable &&
        key !== undefined &&
        keysOf(load.location).at(-1) === key &&
        isBefore(load, store),
    )
}

const isCounter = (flow: Flow, key: Op | undefined): boolean => {
  const value = key === undefined ? null : stripCasts(key)
  const from =
    value?.kind === 'bin' && value.operator === '+' ? value.args.map(stripCasts) : value === null ? [] : [value]
  return from.some(
    (load) =>
      load.kind === 'load' &&
      load.location.part === 'root' &&
      flow.stateStores().some((store) => store.location === load.location && raisedBy(store) !== null),
  )
}

/** `require(groups[id].members.count == 0)` */
const isEmptied = ({ flow, op }: Candidate): boolean =>
  guardsAt(flow, op).some(({ condition, polarity }) => {
    const test = stripCasts(condition)
    if (test.kind !== 'bin' || test.operator !== (polarity ? '==' : '!=') || !test.args.some(isZero)) return false
    return test.args.some((arg) => {
      const load = stripCasts(arg)
      return load.kind === 'load' && isInside(load.location, op.location)
    })
  })

export default defineDetector<Candidate>({
  id: 'incomplete-struct-deletion',
  swc: null,
  title: 'Deleted struct keeps its mapping entries',
  aliases: {
    slither: ['mapping-deletion'],
    aderyn: ['delete-nested-mapping'],
    scwe: ['SCWE-053'],
    words: ['delete struct with mapping'],
  },
  severity: 'medium',
  confidence: 'medium',
  description:
    '`delete` on a struct or array clears every field except mappings. Old mapping entries become valid again when the same slot is reused.',
  recommendation:
    'Clear the mapping entries one by one, or use a new key (a counter) for every struct and never reuse one.',
  references: ['https://docs.soliditylang.org/en/latest/types.html#delete'],
  cwe: ['CWE-459'],

  needs: [holding.deletion],
  *candidates({ model, functions }) {
    for (const flow of functions)
      for (const op of flow.ops('store')) {
        const node = op.flag ? (op.node as Expression | null) : null
        if (node?.kind !== 'Unary' || node.operator !== 'delete') continue
        const mapping = findMapping(model.typeOf(node.operand), '')
        if (mapping) yield { flow, op, node, mapping }
      }
  },

  excuses: [
    excuse('new-key', 'records are created under a counter, so a deleted key never comes back', isCounted),
    excuse('emptied', 'a count inside the record must be zero before', isEmptied),
    excuse('entries-cleared', 'entries of the mapping are cleared in the same call', ({ flow, op }) =>
      flow.stateStores().some((store) => store !== op && isClearing(store) && isInside(store.location, op.location)),
    ),
  ],

  finding: ({ flow, node, mapping: { path, isCountedList } }) => ({
    at: node,
    factors: {
      counterEvidence: isCountedList ? ['the struct has a counter that may hide old entries'] : [],
    },
    message: firstThatFits(
      `\`delete\` does not clear the nested mapping \`${path}\`: a record that is created again under the same key still has the old entries${readersOf(flow, path)}.`,
      `\`delete\` does not clear the nested mapping \`${path}\`: a record that is created again under the same key still has the old entries.`,
    ),
  }),
})
