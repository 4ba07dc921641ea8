import { dependsOn, guardsAt, senderGuardsAt } from '../../facts/index.ts'
import { describeCaller } from '../../idioms/index.ts'
import { type Flow, holding, isOrdering, type Op, type StoreOp, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  /** Where the total grows. */
  readonly supply: Op
  readonly amount: Op
}

/** `x += amount` on a state place: the amount, if it is one of the caller's choosing. */
const addedAmount = (store: StoreOp): Op | null => {
  const sum = stripCasts(store.args[0])
  if (sum.kind !== 'bin' || sum.operator !== '+') return null
  const left = stripCasts(sum.args[0])
  const right = stripCasts(sum.args[1])
  const isOld = (part: Op): boolean => part.kind === 'load' && part.location === store.location
  if (!isOld(left) && !isOld(right)) return null
  return left.kind === 'param' ? left : right.kind === 'param' ? right : null
}

/** One amount is added to a total and to a user's entry. */
const findMint = (flow: Flow): Candidate | null => {
  const added = flow.stateStores().flatMap((store) => {
    const amount = addedAmount(store)
    return amount === null ? [] : [{ store, amount }]
  })
  for (const total of added) {
    if (total.store.location.part !== 'root') continue
    const entry = added.find(({ store, amount }) => amount === total.amount && store.location.part === 'index')
    if (entry) return { flow, supply: total.store, amount: total.amount }
  }
  return null
}

/** A comparison on the path speaks of the amount or of the total, and not only to find a wrap-around. */
const isCapped = ({ flow, supply, amount }: Candidate): boolean => {
  const concerns = (op: Op): boolean =>
    stripCasts(op) === amount || (op.kind === 'load' && op.location === supply.location)
  const tests = [
    ...guardsAt(flow, supply).map(({ condition }) => condition),
    ...flow.ops('assume').flatMap(({ args }) => args),
  ]
  return tests.some((test) => {
    const op = stripCasts(test)
    if (op.kind !== 'bin' || !isOrdering(op.operator)) return false
    const isOverflowTest = op.args.every((arg) => concerns(stripCasts(arg)) || stripCasts(arg).kind === 'bin')
    return !isOverflowTest && op.args.some((arg) => dependsOn(flow, arg, concerns))
  })
}

/** A contract of the protocol has no key: what its code lets through is minted. */
const riskOf = (flow: Flow, supply: Op): string => {
  const places = senderGuardsAt(flow, supply).flatMap((guard) => guard.places)
  return places.some(({ type }) => type?.kind === 'contract') ? 'a fault in that contract' : 'a stolen key'
}

export default defineDetector<Candidate>({
  id: 'unlimited-mint',
  swc: null,
  title: 'Unlimited minting by one address',
  aliases: {
    aderyn: ['centralization-risk'],
    owasp: ['SC01:2025'],
    scwe: ['SCWE-116'],
    words: ['infinite mint', 'uncapped mint', 'minter role', 'rug pull'],
  },
  severity: 'low',
  confidence: 'medium',
  description:
    'A single privileged address can mint tokens without a cap. If its key is stolen or misused, all other holders are diluted.',
  recommendation: 'Cap the supply or the rate, and put a timelock or a multisig behind the role.',
  references: ['https://docs.openzeppelin.com/contracts/5.x/api/token/erc20#ERC20Capped'],
  cwe: ['CWE-269'],

  needs: [holding.severalWrites, holding.rootWrite],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) {
      const mint = flow.fn?.node.name ? findMint(flow) : null
      if (mint === null) continue
      // Which kind of test there is: of several ways to pass it, one may be a single account's.
      const guards = senderGuardsAt(flow, mint.supply)
      if (guards.some(({ against }) => against === 'state' || against === 'known')) yield mint
    }
  },

  excuses: [excuse('capped', 'a condition checks the amount or the total', isCapped)],

  finding: ({ flow, supply }) => ({
    at: flow.fn!.node.name!,
    message: `\`${flow.name}()\` lets ${describeCaller(flow, supply)} mint any amount without a cap, so ${riskOf(flow, supply)} dilutes all holders.`,
    trace: [{ at: supply, message: 'The total supply increases here.' }],
  }),
})
