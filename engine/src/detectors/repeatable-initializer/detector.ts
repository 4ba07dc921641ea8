import { guardsAt } from '../../facts/index.ts'
import { describeCaller } from '../../idioms/index.ts'
import { type ContractFlow, type Flow, holding, type Op, stripCasts } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly store: Op
  readonly flag: VariableModel
}

const isTrue = (value: Op): boolean => {
  const op = stripCasts(value)
  return op.kind === 'const' && op.constant === 1n
}

/** Flags that functions demand to be set before they work. */
const demanded = ({ entryPoints }: ContractFlow): ReadonlySet<VariableModel> => {
  const found = new Set<VariableModel>()
  for (const flow of entryPoints)
    for (const op of [...flow.stateStores(), ...flow.externalCalls()])
      for (const { condition, polarity } of guardsAt(flow, op)) {
        const load = stripCasts(condition)
        if (polarity && load.kind === 'load' && load.location.depth === 0 && load.location.variable !== null)
          found.add(load.location.variable)
      }
  return found
}

/** It is set for good: nothing ever takes it back. */
const isForGood = (flow: Flow, flag: VariableModel): boolean =>
  flow.contractFlow.writersOf(flag).every(({ op }) => isTrue(op.args[0]))

const setsParameters = (flow: Flow): boolean =>
  flow.stateStores().filter(({ args, location }) => location.depth === 0 && stripCasts(args[0]).kind === 'param')
    .length > 1

export default defineDetector<Candidate>({
  id: 'repeatable-initializer',
  swc: null,
  title: 'Initializer can be called again',
  aliases: {
    aderyn: ['unprotected-initializer'],
    owasp: ['SC01:2025'],
    words: ['reinitialization', 'initialize twice'],
  },
  severity: 'medium',
  confidence: 'medium',
  description:
    'A function initializes the contract and sets a flag that other functions require, but does not check the flag itself. Calling it again changes limits, prices or tokens after users have paid.',
  recommendation: 'Require at the start that the flag is not set, or use the `initializer` modifier.',
  references: ['https://docs.openzeppelin.com/upgrades-plugins/writing-upgradeable#initializers'],
  cwe: ['CWE-665'],
  yieldsTo: ['unprotected-initializer'],

  needs: [holding.severalWrites, holding.rootWrite],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) {
      if (!setsParameters(flow)) continue
      for (const store of flow.stateStores()) {
        const flag = store.location.depth === 0 ? store.location.variable : null
        if (flag === null || flag.type.kind !== 'bool' || !isTrue(store.args[0])) continue
        if (flow.contractFlow.answer(demanded).has(flag) && isForGood(flow, flag)) yield { flow, store, flag }
      }
    }
  },
  excuses: [
    excuse('tested', 'the function checks the flag itself', ({ flow, flag }) =>
      flow.stateLoads().some(({ location }) => location.variable === flag),
    ),
  ],
  finding: ({ flow, store, flag }) => ({
    at: store,
    message: `\`${flow.name}()\` sets \`${flag.name}\` without checking it first, so ${describeCaller(flow, store)} can call it again and replace the settings after users rely on them.`,
    trace: flow.trace(store),
  }),
})
