import { comparisonsOf, isPendingRight, privilegedState } from '../../facts/index.ts'
import { type Context, type Flow, type Op, oncePerPlace, stripCasts } from '../../ir/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

const isZero = (value: Op): boolean => {
  const op = stripCasts(value)
  return op.kind === 'const' && op.constant === 0n
}

/** Some condition before or after looks whether it is zero. */
const isTested = (flow: Flow, value: Op): boolean => comparisonsOf(flow, value).some(({ args }) => args.some(isZero))

const findStores = ({ contracts }: Context): Hit[] => {
  const hits: Hit[] = []
  for (const whole of contracts) {
    for (const flow of whole.flows) {
      if (!flow.isConstructor && !flow.isEntryPoint) continue
      for (const store of flow.stateStores()) {
        const { location } = store
        if (location?.variable?.type.kind !== 'address' || location.part !== 'root') continue
        const value = stripCasts(store.args[0]!)
        if (value.kind !== 'param') continue
        if (!privilegedState(whole).has(location.variable) || isPendingRight(whole, location.variable)) continue
        if (isTested(flow, value)) continue
        hits.push({
          at: store,
          message: `\`${location.variable.name}\` can become the zero address, and then nobody holds its rights any more.`,
          trace: flow.trace(store),
        })
      }
    }
  }
  return hits
}

export default defineDetector({
  id: 'missing-zero-address-check',
  swc: null,
  title: 'Rights can go to the zero address',
  severity: 'low',
  confidence: 'high',
  description:
    'An address that decides who is privileged is set from a parameter without a look at zero. A forgotten argument locks everyone out for good.',
  recommendation: 'Refuse `address(0)` with a `require` or a custom error before it is stored.',
  references: ['https://github.com/crytic/slither/wiki/Detector-Documentation#missing-zero-address-validation'],
  cwe: ['CWE-20'],

  run: (context) => oncePerPlace(findStores(context)),
})
