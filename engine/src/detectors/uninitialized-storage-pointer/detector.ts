import type { Model, SourceFile, VariableModel } from '../../model/index.ts'
import { collect, type Identifier, nodesOf, type VariableStatement } from '../../syntax/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly file: SourceFile
  readonly statement: VariableStatement
  readonly variable: VariableModel
  readonly firstUse: Identifier
}

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

const findFirstUse = (model: Model, file: SourceFile, variable: VariableModel): Identifier | undefined => {
  const { start, end } = variable.node
  const within = (model.functionAt(start) ?? model.modifierAt(start))?.node ?? file.unit
  return collect(within, 'Identifier').find(
    (identifier) =>
      identifier.name === variable.name && identifier.start >= end && model.declarationOf(identifier) === variable,
  )
}

/** The variable of a declaration without value that refers to storage. */
const pointerOf = (model: Model, { value, declarations, ...statement }: VariableStatement): VariableModel | null => {
  if (value !== null || declarations.length !== 1) return null
  const type = declarations[0]?.type
  // Numbers and the like are copied: no need to ask for the variable.
  if (type?.kind === 'ElementaryType' && type.name !== 'bytes' && type.name !== 'string') return null
  const variable = model.variablesOf({ value, declarations, ...statement })[0] ?? null
  return variable !== null && variable.location === 'storage' ? variable : null
}

export default defineDetector<Candidate>({
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

  *candidatesInModel(model) {
    for (const file of model.files)
      for (const statement of nodesOf(file.unit, 'VariableStatement')) {
        const variable = pointerOf(model, statement)
        const firstUse = variable === null ? undefined : findFirstUse(model, file, variable)
        if (variable !== null && firstUse !== undefined) yield { file, statement, variable, firstUse }
      }
  },

  excuses: [
    excuse('refused-by-the-compiler', 'the compiler, from 0.5.0 on, refuses it', ({ file }) =>
      file.versions.isAtLeast(5),
    ),
    excuse('set-first', 'it is given a place before it is used', ({ file, firstUse }) =>
      assignedNames(file).has(firstUse),
    ),
  ],

  finding: ({ statement, variable, firstUse }) => ({
    at: statement,
    message: `\`${variable.name}\` points at the first storage slot: what is written through it overwrites the contract's first variables.`,
    trace: [
      { at: statement, message: 'Whoever calls this writes over the first variables, such as an owner or a total.' },
      { at: firstUse, message: 'It is used here before it was given a place.' },
    ],
  }),
})
