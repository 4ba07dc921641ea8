/** Who may do what, and what others rely on, is decided by anyone who calls. */
import { dependsOn, guardRestingOn, guardsAt, isSender, privilegedState, queriesCaller } from '../../facts/index.ts'
import { isNow, keysOf } from '../../idioms/index.ts'
import { type ContractFlow, type Flow, isZero, type StoreOp, stripCasts } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { attestedPayments } from './attested.ts'
import type { Candidate } from './candidate.ts'
import { enlisted } from './enlisted.ts'
import { openSettings } from './open-settings.ts'

/** State that names the deployer: someone in particular. */
const appointed = ({ flows }: ContractFlow): ReadonlySet<VariableModel> => {
  const found = new Set<VariableModel>()
  for (const flow of flows)
    if (flow.isConstructor)
      for (const { location, args } of flow.stateStores())
        if (location.depth === 0 && location.variable !== null && isSender(args[0])) found.add(location.variable)
  return found
}

/** Who may do what is decided by this: the deployer was noted there. */
export function* takenOver(flow: Flow): Iterable<Candidate> {
  for (const op of flow.stateStores()) {
    const { variable, depth } = op.location
    if (variable === null || depth > 0 || !flow.contractFlow.answer(appointed).has(variable)) continue
    const value = stripCasts(op.args[0])
    const message = `Anyone can call \`${flow.name}()\` and set \`${variable.name}\` to their own address, and so take over its rights.`
    const gain = `becomes \`${variable.name}\``
    if (value.kind === 'param' || isSender(value))
      yield { flow, op, account: null, amount: null, message, gain, isTakeover: true }
  }
}

/** Who is checked elsewhere becomes another, or nobody, and nobody is asked: a nominee who never accepted, or an owner who never resigned. */
export function* replacedByAnyone(flow: Flow): Iterable<Candidate> {
  for (const op of flow.stateStores()) {
    const { variable, depth, type } = op.location
    if (variable === null || depth > 0 || type?.kind !== 'address') continue
    if (!privilegedState(flow.contractFlow).has(variable) || isAfterWaiting(flow, op)) continue
    const value = stripCasts(op.args[0])
    if (value.location === op.location) continue
    const isNominee = value.kind === 'load' && isNomination(value.location.variable) && value.location.depth === 0
    if (!isNominee && !isZero(value)) continue
    const name = `\`${variable.name}\``
    const by = isNominee ? `\`${flow.describe(value.location)}\`, which never accepted,` : 'the zero address'
    const message =
      `Anyone can call \`${flow.name}()\` and replace ${name}, whom other functions check, with ${by}.`.replace(
        ',.',
        '.',
      )
    const gain = isNominee ? `completes the transfer of ${name} for the nominee` : `removes ${name}`
    yield {
      flow,
      op,
      account: null,
      amount: null,
      message,
      gain,
      isTakeover: true,
      severity: isNominee ? 'medium' : 'high',
    }
  }
}

/** State that names who may come next; what was fixed from the beginning names nobody new. */
const isNomination = (variable: VariableModel | null): boolean =>
  variable !== null && !variable.isImmutable && !variable.isConstant

/** `require(block.timestamp >= readyAt)`: a change that was announced may be carried out by anyone. */
const isAfterWaiting = (flow: Flow, op: StoreOp): boolean =>
  guardsAt(flow, op).some(({ condition }) => dependsOn(flow, condition, isNow))

/** Who may do what is decided by a list, and the caller says who comes onto it. */
export function* enlistedByAnyone(flow: Flow): Iterable<Candidate> {
  for (const { op, list } of enlisted(flow)) {
    const message = `Anyone can call \`${flow.name}()\` and add their own account to \`${list}\`, whose members have privileged rights.`
    const gain = `becomes a member of \`${list}\``
    yield { flow, op, account: null, amount: null, message, gain, isMembership: true }
  }
}

/** What others rely on becomes what the caller says, and nothing at all is asked. */
export function* setByAnyone(flow: Flow): Iterable<Candidate> {
  for (const { op, message, gain } of openSettings(flow)) yield { flow, op, account: null, amount: null, message, gain }
}

/** `require(IVault(msg.sender).owner() == address(this))`: the caller is asked about itself, and answers what it likes. */
export function* selfAttested(flow: Flow): Iterable<Candidate> {
  const message = `\`${flow.name}()\` decides by values that \`msg.sender\` itself returns, so any attacker contract can pass the check.`
  const gain = 'passes the check with values that their contract returns'
  for (const op of flow.stateStores())
    if (guardRestingOn(flow, op, queriesCaller) !== null && !keysOf(op.location).some(isSender))
      yield { flow, op, account: null, amount: null, message, gain }
}

/** `require(feed.price() > n)`, and the caller says which feed: it answers what they like. */
export function* attestedByNamed(flow: Flow): Iterable<Candidate> {
  const message = `\`${flow.name}()\` pays by what a contract that the caller chooses returns, so an attacker passes the check with their own contract.`
  const gain = 'is paid by what their own contract returns'
  for (const { op, amount } of attestedPayments(flow)) {
    yield { flow, op, account: null, amount, message, gain }
  }
}
