import { type Flow, holding, type Op } from '../../ir/index.ts'
import type { ContractModel, FunctionModel } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: Op
  /** The version that runs, of a contract whose constructor has not run yet. */
  readonly version: FunctionModel & { readonly contract: ContractModel }
}

/** Lower in the order is more derived: that contract's constructor runs later. */
const isTooEarly = (order: readonly ContractModel[], caller: ContractModel, callee: ContractModel): boolean => {
  const from = order.indexOf(caller)
  const to = order.indexOf(callee)
  return from !== -1 && to !== -1 && to < from
}

const hasContract = (fn: FunctionModel | null): fn is Candidate['version'] => fn !== null && fn.contract !== null

export default defineDetector<Candidate>({
  id: 'virtual-call-in-constructor',
  swc: null,
  title: 'Virtual call in constructor',
  aliases: {
    aderyn: ['state-variable-init-order'],
    words: ['constructor order', 'virtual function'],
  },
  severity: 'low',
  confidence: 'high',
  description:
    'A base constructor calls a virtual function whose override belongs to a derived contract that is not constructed yet. It reads variables that are still zero.',
  recommendation: 'Pass the value as a constructor argument instead of calling a virtual function.',
  references: ['https://docs.soliditylang.org/en/latest/contracts.html#constructors'],
  cwe: ['CWE-665'],

  needs: [holding.construction, holding.internalCall],
  *candidates({ functions }) {
    for (const flow of functions) {
      const order = flow.isConstructor ? flow.contract?.linearization : undefined
      // Alone, a contract has no version of a function that comes too early.
      if (order === undefined || order.length < 2) continue
      for (const op of flow.ops('call')) {
        const { definition, kind } = op.call
        const caller = flow.writtenIn(op)
        if (kind !== 'internal' || caller?.kind !== 'function' || caller.role !== 'constructor') continue
        if (caller.isStub || !caller.contract || !hasContract(definition) || definition.isStub) continue
        if (isTooEarly(order, caller.contract, definition.contract)) yield { flow, op, version: definition }
      }
    }
  },

  excuses: [
    excuse(
      'reads-nothing-unset',
      'the override reads no variable that its own constructor sets',
      ({ flow, version }) => {
        const own = new Set(version.contract.stateVariables)
        return !flow.stateLoads().some(({ site, location }) => {
          const variable = location.variable
          return site?.fn === version && variable !== null && own.has(variable) && !variable.value
        })
      },
    ),
  ],

  finding: ({ op, version }) => ({
    at: op,
    message: `\`${version.name}()\` runs the override of \`${version.contract.name}\`, whose constructor has not run yet, so its variables are zero.`,
    trace: [{ at: version.node.name ?? version.node, message: 'This override reads variables that are still zero.' }],
  }),
})
