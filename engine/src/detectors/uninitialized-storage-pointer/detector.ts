import type { Model, SourceFile, VariableModel } from '../../model/index.ts'
import { collect, type Identifier, nodesOf, type VariableStatement } from '../../syntax/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

/** Names of the file that are set as a whole: `x = …`. */
const assignedNames = ({ unit }: SourceFile): Set<Identifier> => {
  const assigned = new Set<Identifier>()
  for (const { target, operator } of nodesOf(unit, 'Assignment')) {
    if (operator !== '=') continue
    if (target.kind === 'Identifier') assigned.add(target)
    if (target.kind === 'Tuple')
      for (const element of target.elements) if (element?.kind === 'Identifier') assigned.add(element)
  }
  return assigned
}

const firstUse = (model: Model, file: SourceFile, variable: VariableModel): Identifier | undefined => {
  const { start, end } = variable.node
  const within = (model.functionAt(start) ?? model.modifierAt(start))?.node ?? file.unit
  return collect(within, 'Identifier').find(
    (identifier) =>
      identifier.name === variable.name && identifier.start >= end && model.declarationOf(identifier) === variable,
  )
}

const findPointers = (model: Model, file: SourceFile, hits: Hit[]): void => {
  let assigned: Set<Identifier> | null = null
  for (const statement of nodesOf(file.unit, 'VariableStatement')) {
    const variable = pointerOf(model, statement)
    if (variable === null) continue
    assigned ??= assignedNames(file)
    const use = firstUse(model, file, variable)
    if (use === undefined || assigned.has(use)) continue
    hits.push({
      at: statement,
      message: `\`${variable.name}\` points at the first storage slot: what is written through it overwrites the contract's first variables.`,
      trace: [{ at: use, message: 'It is used here before it was given a place.' }],
    })
  }
}

/** The variable of a declaration without value that refers to storage. */
const pointerOf = (model: Model, statement: VariableStatement): VariableModel | null => {
  const { value, declarations } = statement
  if (value !== null || declarations.length !== 1) return null
  const type = declarations[0]?.type
  // Numbers and the like are copied: no need to ask for the variable.
  if (type?.kind === 'ElementaryType' && type.name !== 'bytes' && type.name !== 'string') return null
  const variable = model.variablesOf(statement)[0] ?? null
  return variable !== null && variable.location === 'storage' ? variable : null
}

export default defineDetector({
  id: 'uninitialized-storage-pointer',
  swc: 'SWC-109',
  title: 'Storage pointer without a place',
  severity: 'high',
  confidence: 'high',
  description:
    'Before 0.5.0 a local struct, array or mapping refers to storage unless told otherwise. Without an initial value it refers to slot zero, and writing to it overwrites the state variables that lie there.',
  recommendation: 'Declare the variable as `memory`, or let it refer to a state variable at once.',
  references: ['https://swcregistry.io/docs/SWC-109'],
  cwe: ['CWE-824'],

  run({ model, part }) {
    const hits: Hit[] = []
    // From 0.5.0 on the compiler refuses it.
    for (const file of part.files) if (!file.versions.isAtLeast(5)) findPointers(model, file, hits)
    return hits
  },
})
