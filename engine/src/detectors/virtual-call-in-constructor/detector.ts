import { type Flow, type Op, oncePerPlace } from '../../ir/index.ts'
import type { ContractModel } from '../../model/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

const checkCall = (flow: Flow, op: Op, order: readonly ContractModel[], hits: Hit[]): void => {
  const { definition, kind } = op.call!
  const caller = flow.writtenIn(op)
  if (kind !== 'internal' || !definition?.contract || caller?.kind !== 'function' || caller.role !== 'constructor')
    return
  if (definition.isStub || caller.isStub || !caller.contract) return
  const from = order.indexOf(caller.contract)
  const to = order.indexOf(definition.contract)
  // Lower is more derived: that contract's constructor has not run yet.
  if (from === -1 || to === -1 || to >= from) return
  const own = new Set(definition.contract.stateVariables)
  const reads = flow.stateLoads().some(({ site, location }) => {
    const variable = location!.variable
    return site?.fn === definition && variable !== null && own.has(variable) && !variable.value
  })
  if (!reads) return
  hits.push({
    at: op,
    message: `\`${definition.name}\` runs the version of \`${definition.contract.name}\`, whose constructor has not run yet.`,
    trace: [
      { at: definition.node.name ?? definition.node, message: 'This version reads variables that are still zero.' },
    ],
  })
}

export default defineDetector({
  id: 'virtual-call-in-constructor',
  swc: null,
  title: 'Constructor calls a function of a contract not yet constructed',
  severity: 'low',
  confidence: 'high',
  description:
    'The constructor of a base calls a virtual function, and the version that runs belongs to a derived contract whose constructor comes later. It reads variables that are still zero.',
  recommendation:
    'Pass what the base needs as a constructor argument instead of asking for it through a virtual function.',
  references: ['https://docs.soliditylang.org/en/latest/contracts.html#constructors'],
  cwe: ['CWE-665'],

  run({ functions }) {
    const hits: Hit[] = []
    for (const flow of functions) {
      const order = flow.isConstructor ? flow.contract?.linearization : undefined
      // Alone, a contract has no version of a function that comes too early.
      if (order !== undefined && order.length > 1) for (const op of flow.ops('call')) checkCall(flow, op, order, hits)
    }
    return oncePerPlace(hits)
  },
})
