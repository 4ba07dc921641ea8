import type { Model, SourceFile, VariableModel } from '../../model/index.ts'
import { collect, type Identifier, nodesOf, type VariableStatement } from '../../syntax/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly file: SourceFile
  readonly statement: VariableStatement
  readonly variable: VariableModel
  readonly firstUse: Identifier
  /** The state variables that come first in storage, in words. */
  readonly overwritten: string
  /** Names of the file that are set as a whole. */
  readonly assigned: ReadonlySet<Identifier>
}

/** `x = …`, also in a tuple, and `x_slot := …` or `x.slot := …` in assembly. */
const assignedNames = ({ unit }: SourceFile): Set<Identifier> => {
  const assigned = new Set<Identifier>()
  for (const { target, operator } of nodesOf(unit, 'Assignment')) {
    if (operator !== '=') continue
    if (target.kind === 'Identifier') assigned.add(target)
    if (target.kind === 'Tuple')
      for (const element of target.elements) if (element?.kind === 'Identifier') assigned.add(element)
  }
  for (const { targets } of nodesOf(unit, 'YulAssignment')) for (const { names } of targets) assigned.add(names[0]!)
  return assigned
}

/** Where each variable is named first after its declaration. */
const findFirstUses = (
  model: Model,
  { unit }: SourceFile,
  variables: ReadonlySet<VariableModel>,
): ReadonlyMap<VariableModel, Identifier> => {
  const names = new Set(Array.from(variables, ({ name }) => [name, `${name}_slot`]).flat())
  const first = new Map<VariableModel, Identifier>()
  for (const identifier of collect(unit, 'Identifier')) {
    if (!names.has(identifier.name)) continue
    const variable = model.declarationOf(identifier)
    if (variable?.kind !== 'variable' || first.has(variable) || identifier.start < variable.node.end) continue
    if (variables.has(variable)) first.set(variable, identifier)
  }
  return first
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

const firstInStorage = (model: Model, { node }: VariableModel): string => {
  const first = model
    .contractAt(node.start)
    ?.allStateVariables.find(({ isConstant, isImmutable }) => !isConstant && !isImmutable)
  return first === undefined ? 'the first state variables' : `\`${first.name}\` and the variables after it`
}

export default defineDetector<Candidate>({
  id: 'uninitialized-storage-pointer',
  swc: 'SWC-109',
  title: 'Uninitialized storage pointer',
  aliases: { slither: ['uninitialized-storage'], scwe: ['SCWE-071'], words: ['storage pointer', 'slot 0'] },
  severity: 'high',
  confidence: 'high',
  description:
    'Before Solidity 0.5.0 a local struct, array or mapping refers to storage by default. Without an initial value it points to slot 0, so writing to it overwrites state variables.',
  recommendation: 'Declare the variable as `memory`, or assign a state variable at once.',
  references: ['https://swcregistry.io/docs/SWC-109'],
  cwe: ['CWE-824'],

  *candidatesInFile(file, model) {
    const pointers = new Map<VariableModel, VariableStatement>()
    for (const statement of nodesOf(file.unit, 'VariableStatement')) {
      const variable = pointerOf(model, statement)
      if (variable !== null) pointers.set(variable, statement)
    }
    if (pointers.size === 0) return
    const assigned = assignedNames(file)
    for (const [variable, firstUse] of findFirstUses(model, file, new Set(pointers.keys())))
      yield {
        file,
        statement: pointers.get(variable)!,
        variable,
        firstUse,
        assigned,
        overwritten: firstInStorage(model, variable),
      }
  },

  excuses: [
    excuse('refused-by-the-compiler', 'compilers from 0.5.0 on reject it', ({ file }) => file.versions.isAtLeast(5)),
    excuse('set-first', 'it is assigned before use', ({ firstUse, assigned }) => assigned.has(firstUse)),
  ],

  finding: ({ statement, variable, firstUse, overwritten }) => ({
    at: statement,
    message: `\`${variable.name}\` is an uninitialized storage pointer to slot 0, so a caller who writes through it overwrites ${overwritten}.`,
    trace: [
      { at: statement, message: `An attacker calls this function and overwrites ${overwritten}.` },
      { at: firstUse, message: 'The pointer is used here before it is assigned.' },
    ],
  }),
})
