import { type Context, oncePerPlace } from '../flow/index.ts'
import { defineDetector, type Hit } from './detector.ts'

function* findCalls({ functions }: Context): Generator<Hit> {
  for (const flow of functions) {
    if (!flow.isConstructor || !flow.contract) continue
    const order = flow.contract.linearization
    for (const op of flow.ops('call')) {
      const { definition, kind } = op.call!
      const caller = flow.writtenIn(op)
      if (kind !== 'internal' || !definition?.contract || caller?.kind !== 'function' || caller.role !== 'constructor')
        continue
      if (definition.isStub || caller.isStub || !caller.contract) continue
      const from = order.indexOf(caller.contract)
      const to = order.indexOf(definition.contract)
      // Lower is more derived: that contract's constructor has not run yet.
      if (from === -1 || to === -1 || to >= from) continue
      const own = new Set(definition.contract.stateVariables)
      const reads = flow
        .stateLoads()
        .some(
          (load) =>
            load.site?.fn === definition &&
            load.location!.variable &&
            own.has(load.location!.variable) &&
            !load.location!.variable.value,
        )
      if (!reads) continue
      yield {
        at: op,
        message: `\`${definition.name}\` runs the version of \`${definition.contract.name}\`, whose constructor has not run yet.`,
        trace: [
          { at: definition.node.name ?? definition.node, message: 'This version reads variables that are still zero.' },
        ],
      }
    }
  }
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

  *run(context) {
    yield* oncePerPlace(findCalls(context))
  },
})
