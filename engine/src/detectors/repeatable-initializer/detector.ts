import { guardsAt, principalAt, runsOnce } from '../../facts/index.ts'
import { describeCaller, hasIncomingPayment, nameOfColumn, witnessStep } from '../../idioms/index.ts'
import { type ContractFlow, type Flow, holding, type Op, stripCasts } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'
import { isCalled, type Replaced, settingsReplacedBy } from './settings.ts'

interface Candidate {
  readonly flow: Flow
  readonly store: Op
  /** The flag that is set without being checked; null where the settings themselves show it. */
  readonly flag: VariableModel | null
  readonly settings: readonly Replaced[]
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

function* unheededFlags(flow: Flow): Iterable<Candidate> {
  if (!setsParameters(flow)) return
  for (const store of flow.stateStores()) {
    const flag = store.location.depth === 0 ? store.location.variable : null
    if (flag === null || flag.type.kind !== 'bool' || !isTrue(store.args[0])) continue
    if (flow.contractFlow.answer(demanded).has(flag) && isForGood(flow, flag)) yield { flow, store, flag, settings: [] }
  }
}

function* openSetups(flow: Flow): Iterable<Candidate> {
  const settings = settingsReplacedBy(flow)
  const first = settings[0]
  if (first !== undefined && principalAt(flow, first.store) === 'anyone')
    yield { flow, store: first.store, flag: null, settings }
}

const open = {
  title: 'Unprotected initializer or setter',
  recommendation: 'Restrict the function to the owner, or let it run only once with the `initializer` modifier.',
}

/** The first two: a list is no explanation. */
const listOf = (settings: readonly Replaced[]): string =>
  [...new Set(settings.map(({ column }) => `\`${nameOfColumn(column)}\``))].slice(0, 2).join(' and ')

/** What an attacker gains: a contract that is called answers as they like. */
const replacedBy = (flow: Flow, settings: readonly Replaced[]): string => {
  const isContract = settings.some((setting) => isCalled(flow, setting))
  const gain = isContract
    ? 'so an attacker has the contract call one of their own'
    : 'so an attacker changes the terms for all users'
  return `Anyone can call \`${flow.name}()\` at any time and replace ${listOf(settings)}, which other functions use, ${gain}.`
}

export default defineDetector<Candidate>({
  id: 'repeatable-initializer',
  swc: null,
  title: 'Initializer can be called again',
  aliases: {
    slither: ['unprotected-upgrade'],
    aderyn: ['unprotected-initializer'],
    owasp: ['SC01:2025'],
    words: ['reinitialization', 'initialize twice', 'missing initializer modifier'],
  },
  severity: 'medium',
  confidence: 'medium',
  description:
    'A function sets up the contract and can be called again: it sets a flag that other functions require without checking it, or anyone can call it at any time and replace the addresses and limits that other functions work with. Calling it again changes limits, prices or tokens after users have paid.',
  recommendation: 'Require at the start that the flag is not set, or use the `initializer` modifier.',
  references: ['https://docs.openzeppelin.com/upgrades-plugins/writing-upgradeable#initializers'],
  cwe: ['CWE-665', 'CWE-284'],
  yieldsTo: ['access-control', 'inconsistent-access-control', 'unprotected-initializer'],

  needs: [holding.effect],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) {
      yield* unheededFlags(flow)
      yield* openSetups(flow)
    }
  },
  excuses: [
    excuse(
      'tested',
      'the function checks the flag itself',
      ({ flow, flag }) => flag !== null && flow.stateLoads().some(({ location }) => location.variable === flag),
    ),
    excuse(
      'runs-once',
      'the function only works until the value is set once',
      ({ flow, store, flag }) => flag === null && runsOnce(flow, store),
    ),
    excuse('paid-for', 'the caller pays for it', ({ flow, flag }) => flag === null && hasIncomingPayment(flow)),
  ],
  finding: ({ flow, store, flag, settings }) => ({
    at: flow.inEntry(store),
    message:
      flag === null
        ? replacedBy(flow, settings)
        : `\`${flow.name}()\` sets \`${flag.name}\` without checking it first, so ${describeCaller(flow, store)} can call it again and replace the settings after users rely on them.`,
    trace:
      flag === null
        ? [witnessStep(flow, store, 'replaces the settings of the contract'), ...flow.trace(store)]
        : flow.trace(store),
    ...(flag === null ? open : {}),
    ...(settings.some((setting) => isCalled(flow, setting)) ? { severity: 'high' as const } : {}),
    // A role that may set the contract up is trusted with its settings.
    ...(flag !== null && principalAt(flow, store) !== 'anyone' ? { severity: 'low' as const } : {}),
  }),
})
