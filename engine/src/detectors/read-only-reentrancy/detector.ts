import { dependsOn, lockedAt, writesAfter } from '../../facts/index.ts'
import { type Context, type ContractFlow, type Flow, type Op, oncePerPlace } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { defineDetector, type Hit, noHits } from '../define-detector.ts'

interface Gap {
  readonly flow: Flow
  readonly call: Op
  readonly write: { readonly start: number; readonly end: number }
  readonly variable: VariableModel
}

/** State that is written after a call that was made under a lock: in between it is out of date. */
const findGaps = (whole: ContractFlow): Gap[] => {
  const gaps: Gap[] = []
  for (const flow of whole.entryPoints) for (const call of flow.externalCalls()) addGaps(flow, call, gaps)
  return gaps
}

const addGaps = (flow: Flow, call: Op, gaps: Gap[]): void => {
  const info = call.call!
  if (info.gasKind === 'stipend' || info.isStatic || info.kind === 'static') return
  const writes = writesAfter(flow, call).filter(({ variable }) => variable?.type.kind === 'int')
  const lock = writes.length > 0 ? lockedAt(flow, call) : null
  if (!lock) return
  for (const write of writes) {
    const { variable } = write
    if (variable === null || variable === lock.variable || flow.dominates(write.op, call)) continue
    gaps.push({ flow, call, write, variable })
  }
}

/** A public view that divides by or with this state: a price, and it does not look at the lock. */
const findPrice = (whole: ContractFlow, { flow, call, variable }: Gap): Flow | undefined => {
  const lock = lockedAt(flow, call)?.variable ?? null
  return whole.entryPoints.find((view) => {
    if (view.fn?.mutability !== 'view' || view.fn.node.body === null) return false
    if (lock !== null && view.stateLoads().some(({ location }) => location!.variable === lock)) return false
    return view
      .ops('bin')
      .some(
        (op) =>
          op.operator === '/' &&
          dependsOn(view, op, (part) => part.kind === 'load' && part.location!.variable === variable),
      )
  })
}

/** One way to see a wrong value is enough. */
const onePerVariable = (gaps: readonly Gap[]): Iterable<Gap> => {
  const first = new Map<VariableModel, Gap>()
  for (const gap of gaps) if (!first.has(gap.variable)) first.set(gap.variable, gap)
  return first.values()
}

const isPriced = (whole: ContractFlow): boolean =>
  whole.entryPoints.some(
    (flow) => flow.fn?.mutability === 'view' && flow.ops('bin').some(({ operator }) => operator === '/'),
  )

const findViews = ({ contracts }: Context): Hit[] => {
  const hits: Hit[] = []
  for (const whole of contracts) {
    if (!isPriced(whole)) continue
    for (const gap of onePerVariable(findGaps(whole))) {
      const view = findPrice(whole, gap)
      const at = view?.fn?.node.name
      if (!view || !at) continue
      hits.push({
        at,
        message: `\`${view.name}\` can be read in the middle of \`${gap.flow.name}\`, while \`${gap.variable.name}\` is out of date.`,
        trace: [
          { at: gap.call, message: 'Control leaves the contract here, under a lock that views do not look at.' },
          { at: gap.write, message: `\`${gap.variable.name}\` is brought up to date only here.` },
        ],
      })
    }
  }
  return hits
}

/** Prices of pools that pay out ether before their books are right, and what makes such a pool show its lock. */
const prices = new Set(['get_virtual_price', 'getRate'])
const lockProbes = new Set([
  'withdraw_admin_fees',
  'claim_admin_fees',
  'remove_liquidity',
  'ensureNotInVaultContext',
  'manageUserBalance',
])

/** The other side: a price of such a pool is counted with, and nothing makes sure that the pool is not in the middle of a call. */
const findVictims = ({ functions }: Context): Hit[] => {
  const hits: Hit[] = []
  for (const flow of functions)
    for (const call of flow.externalCalls()) {
      if (!prices.has(call.call!.name) || call.args.length > 0) continue
      if (!flow.usersOf(call).some(({ kind, operator }) => kind === 'bin' && (operator === '*' || operator === '/')))
        continue
      if (flow.externalCalls().some((probe) => lockProbes.has(probe.call!.name) && flow.dominates(probe, call)))
        continue
      hits.push({
        at: call,
        message: 'This price is wrong while the pool is paying out, and whoever is paid can ask for it then.',
        trace: flow.trace(call),
      })
    }
  return hits
}

export default defineDetector({
  id: 'read-only-reentrancy',
  swc: null,
  title: 'View returns a wrong value during an external call',
  severity: 'medium',
  confidence: 'medium',
  description:
    'A locked function calls out before all of its state is up to date. The lock keeps callers from entering again, but a view function still answers, with a price that is wrong for that moment, and contracts that rely on it can be robbed.',
  recommendation: 'Bring all state up to date before the call, or let the view revert while the lock is held.',
  references: ['https://docs.soliditylang.org/en/latest/security-considerations.html#reentrancy'],
  cwe: ['CWE-841'],
  yieldsTo: ['reentrancy'],

  // A value that is out of date during a call, and a view that divides by it.
  run: (context) => (context.has('bin') ? oncePerPlace([...findViews(context), ...findVictims(context)]) : noHits),
})
