import type { ContractModel, FunctionModel } from '../../model/index.ts'
import { collect } from '../../syntax/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

const isInitializer = (fn: FunctionModel): boolean =>
  fn.node.modifiers.length > 0 &&
  !fn.isStub &&
  fn.role === 'function' &&
  (fn.visibility === 'public' || fn.visibility === 'external') &&
  fn.modifiers.some(
    ({ modifier, node }) =>
      modifier?.effect === 'initializer' || (modifier === null && node.name.names.at(-1)?.name === 'initializer'),
  )

/** The constructor uses up the initializer: by its modifier or by a call. */
const isClosed = (contract: ContractModel): boolean =>
  contract.linearization.some(({ constructor_ }) => {
    if (!constructor_) return false
    if (
      constructor_.modifiers.some(
        ({ modifier, node }) => modifier?.effect === 'initializer' || node.name.names.at(-1)?.name === 'initializer',
      )
    )
      return true
    if (!constructor_.node.body) return false
    return collect(constructor_.node.body, 'Call').some(
      ({ callee }) => callee.kind === 'Identifier' && callee.name === '_disableInitializers',
    )
  })

export default defineDetector({
  id: 'uninitialized-implementation',
  swc: null,
  title: 'Implementation behind a proxy can be initialized by anyone',
  severity: 'medium',
  confidence: 'medium',
  description:
    'The contract is set up by an initializer that a proxy calls. On the implementation itself nobody has called it: a stranger can, and becomes its owner, which is enough to destroy it where it can delegate or upgrade.',
  recommendation: 'Call `_disableInitializers()` in the constructor.',
  references: [
    'https://docs.openzeppelin.com/upgrades-plugins/writing-upgradeable#initializing_the_implementation_contract',
  ],
  cwe: ['CWE-665'],

  run({ part }) {
    const hits: Hit[] = []
    for (const contract of part.contracts) {
      if (contract.contractKind !== 'contract' || !contract.isMostDerived) continue
      const initializer = contract.allFunctions.find(isInitializer)
      if (!initializer || isClosed(contract)) continue
      hits.push({
        at: contract.node.name,
        message: `Nothing keeps strangers from calling \`${initializer.name}\` on the implementation of \`${contract.name}\` itself.`,
        trace: [{ at: initializer.node.name ?? initializer.node, message: 'The initializer.' }],
      })
    }
    return hits
  },
})
