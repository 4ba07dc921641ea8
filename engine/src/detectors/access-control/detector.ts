import { dependsOn, guardRestingOn, guardsAt, isSender, runsOnce, senderGuardsAt } from '../../facts/index.ts'
import { type ContractFlow, type Flow, type Op, stripCasts } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: Op
  readonly message: string
  /** Whose consent is missing, if it is one account's. */
  readonly account: Op | null
}

/** State that names the deployer, or that the constructor is told: somebody in particular. */
const appointed = ({ flows }: ContractFlow): ReadonlySet<VariableModel> => {
  const found = new Set<VariableModel>()
  for (const flow of flows)
    if (flow.isConstructor)
      for (const { location, args } of flow.stateStores())
        if (location!.depth === 0 && location!.variable !== null && isSender(args[0]!)) found.add(location!.variable)
  return found
}

/** Who may do what is decided by this: the sender is compared with it somewhere, or the deployer was noted there. */
function* takenOver(flow: Flow): Iterable<Candidate> {
  for (const op of flow.stateStores()) {
    const { variable, depth } = op.location!
    if (variable === null || depth > 0 || !flow.whole.answer(appointed).has(variable)) continue
    const value = stripCasts(op.args[0]!)
    if (value.kind === 'param' || isSender(value))
      yield { flow, op, account: null, message: `Anyone can put an account of their own into \`${variable.name}\`.` }
  }
}

const moves: ReadonlyMap<string, { readonly count: number; readonly from: number }> = new Map([
  ['_transfer', { count: 3, from: 0 }],
  ['_safeTransfer', { count: 4, from: 0 }],
  ['_burn', { count: 2, from: 0 }],
])

/** The inner functions of a token, which move without asking, told to move what belongs to an account of the caller's choice. */
function* movedForOthers(flow: Flow): Iterable<Candidate> {
  for (const op of flow.ops('call')) {
    const info = op.call!
    const move = info.kind === 'internal' ? moves.get(info.name) : undefined
    if (move === undefined || op.args.length !== move.count || op.site !== null) continue
    const account = stripCasts(op.args[move.from]!)
    if (account.kind !== 'param') continue
    if (flow.typeOf(account)?.kind === 'address')
      yield { flow, op, account, message: `The caller of \`${flow.name}\` chooses whose tokens are moved here.` }
  }
}

/** `require(IVault(msg.sender).owner() == address(this))`: the caller is asked about itself, and answers what it likes. */
function* selfVouched(flow: Flow): Iterable<Candidate> {
  for (const op of flow.stateStores()) {
    if (op.location!.space === 'memory') continue
    if (guardRestingOn(flow, op, asksSender) !== null && !isKeyedBySender(op))
      yield {
        flow,
        op,
        account: null,
        message: 'Only the caller’s own answers say that it may do this: any contract can give them.',
      }
  }
}

const asksSender = ({ kind, call }: Op): boolean =>
  kind === 'call' && call!.kind === 'external' && call!.target !== null && isSender(call!.target)

const isKeyedBySender = ({ location }: Op): boolean => {
  for (let at = location; at !== null; at = at.parent) if (at.index !== null && isSender(at.index)) return true
  return false
}

/** A condition, a record or a call on the way speaks of the account and of the caller: an approval, an allowance, an equality. */
const isConsented = ({ flow, op, account }: Candidate): boolean => {
  if (account === null) return false
  const isAccount = (value: Op): boolean => stripCasts(value) === account
  if (guardsAt(flow, op).some(({ condition }) => dependsOn(flow, condition, isAccount, { keys: true }))) return true
  return flow
    .ops('call')
    .some((call) => call !== op && call.args.some(isAccount) && call.args.some((arg) => isSender(arg)))
}

export default defineDetector<Candidate>({
  id: 'access-control',
  swc: null,
  title: 'Anyone can take what belongs to others',
  severity: 'critical',
  confidence: 'medium',
  description:
    'A function that everybody can call changes who is in charge, moves what belongs to an account that the caller names, or believes a caller who vouches for itself.',
  recommendation:
    'Demand that the caller holds the right: compare the sender with state that only the right holders can change, or ask for an approval of the account whose tokens move.',
  references: ['https://owasp.org/www-project-smart-contract-top-10/'],
  cwe: ['CWE-862', 'CWE-284'],
  yieldsTo: [
    'unprotected-ether-withdrawal',
    'unprotected-selfdestruct',
    'unprotected-initializer',
    'arbitrary-transfer-from',
  ],

  *candidates({ entryPoints }) {
    for (const flow of entryPoints) {
      yield* takenOver(flow)
      yield* movedForOthers(flow)
      yield* selfVouched(flow)
    }
  },
  excuses: [
    excuse(
      'asks-who-calls',
      'the sender is compared with state, a list or a signature before',
      ({ flow, op, account }) =>
        account === null
          ? senderGuardsAt(flow, op).some(({ against }) => against !== 'external')
          : senderGuardsAt(flow, op).length > 0,
    ),
    excuse('runs-once', 'it works only as long as nothing is set', ({ flow, op }) => runsOnce(flow, op)),
    excuse('account-consented', 'the account whose tokens move approved the caller, or is the caller', isConsented),
  ],
  finding: ({ flow, op, message }) => ({ at: op, message, trace: flow.trace(op) }),
})
