import { dependsOn, isCleared, isProtected } from '../../facts/index.ts'
import {
  type Column,
  columnOf,
  type Entry,
  entriesOf,
  isInColumn,
  keysOf,
  nameOfColumn,
  outgoingOf,
  witnessStep,
} from '../../idioms/index.ts'
import {
  type BinaryOp,
  type ContractFlow,
  type Flow,
  holding,
  isOrdering,
  type LoadOp,
  type Op,
  type StoreOp,
  stripCasts,
} from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

/** Anyone who takes something must hold so much of something else. */
interface Rule {
  readonly debt: Column
  readonly security: Column
  readonly at: Op
}

interface Candidate {
  readonly flow: Flow
  readonly store: StoreOp
  readonly paid: Op
  readonly rule: Rule
}

/** Everything that is demanded anywhere in a flow, before something or after. */
const demandsOf = (flow: Flow): Op[] => [
  ...flow.ops('assume').map(({ args }) => args[0]),
  ...flow.blocks.flatMap(({ condition }) => condition ?? []),
]

const keptUnder = (flow: Flow, value: Op, account: Op): LoadOp[] => {
  const found: LoadOp[] = []
  dependsOn(flow, value, (op) => {
    if (op.kind === 'load' && op.location.space === 'state' && keysOf(op.location)[0] === account) found.push(op)
    return false
  })
  return found
}

const orderingsIn = (flow: Flow): readonly BinaryOp[] =>
  demandsOf(flow)
    .map(stripCasts)
    .filter((condition): condition is BinaryOp => condition.kind === 'bin' && isOrdering(condition.operator))

/** `require(debt[account] <= security[account] * …)`, where the debt is raised and something is paid for it. */
function* demandedFor(flow: Flow, { op, account }: Entry): Iterable<Rule> {
  const debt = columnOf(op.location)
  if (debt === null) return
  for (const condition of flow.answer(orderingsIn)) {
    const sides = condition.args.map((side) => keptUnder(flow, side, account))
    const owed = sides.findIndex((loads) => loads.some(({ location }) => isInColumn(location, debt)))
    if (owed < 0) continue
    for (const { location } of sides[1 - owed]!) {
      const security = columnOf(location)
      if (security !== null && !isInColumn(location, debt)) yield { debt, security, at: condition }
    }
  }
}

/** An account, or the id of a position that the caller passes. An entry under a token or an epoch is the debt of no account. */
const isBorrower = (flow: Flow, account: Op): boolean => {
  const kind = flow.typeOf(account)?.kind
  return kind === 'address' || (account.kind === 'param' && kind !== 'contract') || account.kind === 'env'
}

const rulesOf = ({ entryPoints }: ContractFlow): readonly Rule[] => {
  const rules: Rule[] = []
  for (const flow of entryPoints) {
    if (outgoingOf(flow).length === 0) continue
    for (const entry of entriesOf(flow))
      if (entry.isRaised && isBorrower(flow, entry.account)) rules.push(...demandedFor(flow, entry))
  }
  return rules
}

/** What someone holds as security becomes less, and something is paid out. */
function* released(flow: Flow): Iterable<Candidate> {
  const [paid] = outgoingOf(flow)
  if (paid === undefined) return
  const rules = flow.contractFlow.answer(rulesOf)
  if (rules.length === 0) return
  const lowered = new Set(entriesOf(flow).flatMap(({ op, isRaised }) => (isRaised ? [] : [op])))
  for (const store of flow.stateStores()) {
    if (!lowered.has(store) && !(isCleared(store) && keysOf(store.location).length > 0)) continue
    const rule = rules.find(({ security }) => isInColumn(store.location, security))
    if (rule !== undefined) yield { flow, store, paid: paid.op, rule }
  }
}

const hasCondition = ({ flow }: Candidate, predicate: (op: Op) => boolean): boolean =>
  demandsOf(flow).some((condition) => dependsOn(flow, condition, predicate))

export default defineDetector<Candidate>({
  id: 'withdrawn-security',
  swc: null,
  title: 'Collateral withdrawal without health check',
  aliases: {
    owasp: ['SC03:2025'],
    scwe: ['SCWE-125'],
    words: ['undercollateralized', 'health factor', 'collateral check', 'Euler'],
  },
  severity: 'high',
  confidence: 'medium',
  description:
    'Borrowing requires collateral, but another function pays out collateral without checking the debt. A borrower takes both, and lenders keep an unsecured debt.',
  recommendation: 'Check the debt against the remaining collateral wherever collateral decreases.',
  references: ['https://cwe.mitre.org/data/definitions/841.html'],
  cwe: ['CWE-841', 'CWE-754'],

  needs: [holding.entryWrite, holding.foreignCall],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) yield* released(flow)
  },
  excuses: [
    excuse('debt-checked', 'a condition reads the debt', (candidate) =>
      hasCondition(candidate, ({ kind, location }) => kind === 'load' && isInColumn(location, candidate.rule.debt)),
    ),
    excuse('checked-by-other-contract', 'another contract is queried and its result decides', (candidate) =>
      hasCondition(
        candidate,
        (op) => op.kind === 'call' && op.call.kind === 'external' && op.start !== candidate.paid.start,
      ),
    ),
    excuse('protected', 'only privileged accounts get there', ({ flow, store }) => isProtected(flow, store)),
  ],
  finding: ({ flow, store, paid, rule }) => ({
    at: store,
    message: `\`${flow.name}()\` pays out \`${nameOfColumn(rule.security)}\`, which another function requires to cover \`${nameOfColumn(rule.debt)}\`, without checking the latter, so a borrower can take the collateral back and keep the loan.`,
    trace: [
      witnessStep(flow, store, 'withdraws the collateral without paying the debt'),
      ...flow.trace(store),
      { at: rule.at, message: `\`${nameOfColumn(rule.security)}\` must cover \`${nameOfColumn(rule.debt)}\` here.` },
      { at: paid, message: 'The collateral is paid out here.' },
    ],
  }),
})
