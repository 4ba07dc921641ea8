import { dependsOn, isProtected, isUntrusted, type Lock, lockedAt, type Write, writesAfter } from '../../facts/index.ts'
import { tokenCallOf } from '../../idioms/index.ts'
import {
  type CallOp,
  type ContractFlow,
  describeCall,
  type Flow,
  holding,
  type Op,
  type Site,
  stripCasts,
} from '../../ir/index.ts'
import { isLockProbe, readingOf } from '../../knowledge/index.ts'
import type { VariableModel } from '../../model/index.ts'
import type { Identifier, Span } from '../../syntax/index.ts'
import { defineDetector, excuse, type TraceStep } from '../define-detector.ts'

interface Candidate {
  readonly at: Span
  readonly message: string
  readonly recommendation?: string
  readonly trace: readonly TraceStep[]
  readonly gap?: Gap
  /** Of a price that another contract returns. */
  readonly query?: { readonly flow: Flow; readonly op: CallOp }
}

/** State that is written after a call that was made under a lock: in between it is out of date. */
interface Gap {
  readonly flow: Flow
  readonly call: CallOp
  readonly lock: Lock
  readonly write: Span
  readonly variable: VariableModel
}

function* gapsOf(flow: Flow): Iterable<Gap> {
  for (const call of flow.externalCalls()) {
    if (call.call.gasKind === 'stipend' || call.call.isStatic) continue
    const lock = lockedAt(flow, call)
    for (const write of lock === null ? [] : writesAfter(flow, call)) {
      const { variable } = write
      if (variable?.type.kind === 'int' && variable !== lock!.variable && !isDoneBefore(flow, write, call))
        yield { flow, call, lock: lock!, write, variable }
    }
  }
}

/** The same statement has run before the call, as that of a modifier which two functions in one call share. */
const isDoneBefore = (flow: Flow, { op, variable }: Write, call: CallOp): boolean =>
  flow.dominates(op, call) ||
  flow
    .stateStores()
    .some((other) => other.location.variable === variable && other.start === op.start && flow.dominates(other, call))

/** A public view that divides by or with this state: a price, and it does not look at the lock. */
const findPrice = ({ entryPoints }: ContractFlow, gap: Gap): Flow | undefined =>
  entryPoints.find((view) => {
    const { lock, variable } = gap
    if (view.fn?.mutability !== 'view' || view.stateLoads().some(({ location }) => location.variable === lock.variable))
      return false
    return mixesIn(view, gap) && (isDivided(view, variable) || isAnsweredBeside(view, variable))
  })

const isOf =
  (variable: VariableModel) =>
  (op: Op): boolean =>
    op.kind === 'load' && op.location.variable === variable

const isDivided = (view: Flow, variable: VariableModel): boolean =>
  view.ops('bin').some((op) => op.operator === '/' && dependsOn(view, op, isOf(variable)))

/** `return (reserve, supply)`: a contract that reads both divides the one by the other. */
const isAnsweredBeside = (view: Flow, variable: VariableModel): boolean =>
  view
    .ops('return')
    .some(
      ({ args }) =>
        args.filter((arg) => view.typeOf(arg)?.kind === 'int').length > 1 &&
        args.some((arg) => isOf(variable)(stripCasts(arg))),
    )

/** Beside the old number it reads one that has changed before the call, or that others hold: old numbers alone agree with each other. */
const mixesIn = (view: Flow, { flow, call, variable }: Gap): boolean => {
  if (view.externalCalls().length > 0 || view.builtins('balance').length > 0) return true
  const changed = new Set(
    flow
      .stateStores()
      .filter(
        (store) =>
          store.location.variable !== variable && flow.canFollow(store, call) && !isWholeUpdate(flow, store, call),
      )
      .map(({ location }) => location.variable),
  )
  return view.stateLoads().some(({ location }) => changed.has(location.variable))
}

/** A step that anyone can also take by itself, `accrue()`, has ended before the call: it leaves numbers that agree. */
const isWholeUpdate = (flow: Flow, store: Op, call: CallOp): boolean => {
  for (let site = store.site; site !== null; site = site.parent) {
    const step = site.fn
    if (step.kind !== 'function' || step === flow.fn || isWithin(call, site)) continue
    if (step.visibility === 'public' || step.visibility === 'external') return true
  }
  return false
}

const isWithin = (call: CallOp, site: Site): boolean => {
  for (let at = call.site; at !== null; at = at.parent) if (at === site) return true
  return false
}

/** One way to see a wrong value is enough: first among those in which an outsider is called. */
function* pricesOutOfDate(contractFlow: ContractFlow): Iterable<Candidate> {
  const gaps = contractFlow.entryPoints.flatMap((flow) => [...gapsOf(flow)])
  const seen = new Set<VariableModel>()
  const ofOutsiders = gaps.filter(isOutsider)
  for (const gap of [...ofOutsiders.filter((each) => !isOfToken(each)), ...ofOutsiders, ...gaps]) {
    const view = seen.has(gap.variable) ? undefined : findPrice(contractFlow, gap)
    if (view === undefined) continue
    seen.add(gap.variable)
    yield describePrice(gap, view, view.fn!.node.name!)
  }
}

const describePrice = (gap: Gap, view: Flow, at: Identifier): Candidate => ({
  ...describeGap(gap, view),
  at,
  gap,
})

const describeGap = ({ flow, call, write, variable }: Gap, view: Flow): Pick<Candidate, 'message' | 'trace'> => ({
  message: `During the external call in \`${flow.name}()\`, \`${view.name}()\` still uses the outdated \`${variable.name}\`: an attacker who is called back then can exploit other contracts that read it.`,
  trace: [
    { at: call, message: 'The external call leaves the lock held, but views do not check it.' },
    { at: write, message: `\`${variable.name}\` is updated only here, after the call.` },
  ],
})

const poolFix =
  'Before reading the price call a function of the pool that reverts while its lock is held, such as Curve’s `withdraw_admin_fees()`.'

/** The other side: a price of such a pool is counted with. */
function* countedPrices(flow: Flow): Iterable<Candidate> {
  for (const op of flow.externalCalls()) {
    if (readingOf(op.call.name, op.args.length)?.movedBy !== 'exit') continue
    if (
      flow.ops('bin').some(({ operator, args }) => /[*/]/.test(operator) && args.some((arg) => stripCasts(arg) === op))
    )
      yield {
        at: op,
        message: `\`${flow.name}()\` uses \`${describeCall(flow.model, op)}\`, which is wrong while the pool pays out ETH, so an attacker who is called back then can act on the wrong price.`,
        recommendation: poolFix,
        trace: flow.trace(op),
        query: { flow, op },
      }
  }
}

/** A token calls nobody back, unless it has hooks. */
const isOfToken = ({ call }: Gap): boolean => tokenCallOf(call) !== null

/** The caller is called back, or an account or contract that they name. */
const isOutsider = ({ flow, call }: Gap): boolean =>
  call.call.target !== null && isUntrusted(flow, call.call.target, call)

export default defineDetector<Candidate>({
  id: 'read-only-reentrancy',
  swc: null,
  title: 'Read-only reentrancy',
  aliases: {
    owasp: ['SC05:2025'],
    scwe: ['SCWE-046'],
    words: ['view reentrancy', 'Curve virtual price', 'stale view'],
  },
  severity: 'medium',
  confidence: 'medium',
  description:
    'A locked function makes an external call before all its state is updated. The lock blocks reentry, but view functions still return outdated values, so contracts that rely on them can be drained.',
  recommendation: 'Update all state before the call, or make the view revert while the lock is held.',
  references: ['https://docs.soliditylang.org/en/latest/security-considerations.html#reentrancy'],
  cwe: ['CWE-841'],
  yieldsTo: ['reentrancy'],

  needs: [holding.openCall],
  *candidates({ contracts, functions }) {
    for (const contractFlow of contracts) yield* pricesOutOfDate(contractFlow)
    for (const flow of functions) yield* countedPrices(flow)
  },
  excuses: [
    excuse(
      'protected',
      'only privileged accounts make the call',
      ({ gap }) => gap !== undefined && isProtected(gap.flow, gap.call),
    ),
    excuse(
      'pool-lock-checked',
      'the pool’s reentrancy lock is checked first',
      ({ query }) =>
        query?.flow
          .externalCalls()
          .some((probe) => isLockProbe(probe.call.name) && query.flow.dominates(probe, query.op)) ?? false,
    ),
  ],
  finding: ({ at, message, trace, recommendation, gap }) => ({
    at,
    // Code of the contract's own choice rarely calls anyone back.
    factors: {
      controlledBy: gap === undefined || isOutsider(gap) ? 'outsider' : 'unknown',
      counterEvidence: gap !== undefined && isOfToken(gap) ? ['only a token with hooks (ERC-777) calls back'] : [],
    },
    message,
    trace,
    ...(recommendation === undefined ? {} : { recommendation }),
  }),
})
