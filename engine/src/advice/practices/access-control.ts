import { comparisonsOf, isOrigin, isPendingRight, isSender, senderGuardsAt } from '../../facts/index.ts'
import { type ContractFlow, type Flow, holding, isZero, type Op, type StoreOp, stripCasts } from '../../ir/index.ts'
import type { FunctionModel } from '../../model/index.ts'
import { definePractice, namesOf, type Practice, type Subject } from '../practice.ts'
import { isPrivileged, isRestricted, isWriter } from '../privileges.ts'
import { functionsThat, subjectOf, writerOf } from '../subjects.ts'

const category = 'Access control'

const restrictedCallers = definePractice({
  id: 'restricted-callers',
  category,
  needs: [holding.stateWrite],
  *subjects({ entryPoints }) {
    for (const flow of entryPoints) {
      const subject = isWriter(flow) ? subjectOf(flow, isRestricted(flow)) : null
      if (subject !== null) yield subject
    }
  },
  isCheck: true,
  advice: (open) =>
    open.length > 0
      ? `Anyone can call ${namesOf(open)} and change state; confirm that this is intended.`
      : 'Every function that changes state checks its caller; confirm who holds these roles.',
})

/** Whether a right moves at once or in two steps where an address is stored; null: no right moves. */
const handOver = (flow: Flow, store: StoreOp): 'at once' | 'in two steps' | null => {
  const { part, variable } = store.location
  if (part !== 'root' || variable?.type.kind !== 'address') return null
  // Which account hands over, not whether one is required.
  const guards = senderGuardsAt(flow, store).filter(({ against }) => against === 'state')
  const value = stripCasts(store.args[0])
  if (value.kind === 'param')
    return guards.some(({ places }) => places.some((place) => place.variable === variable)) &&
      !isPendingRight(flow.contractFlow, variable)
      ? 'at once'
      : null
  // Anyone who was named before takes it now.
  const named = guards
    .flatMap(({ places }) => places.map((place) => place.variable!))
    .filter((each) => each !== variable)
  const isTaken = isSender(value) || (value.kind === 'load' && named.some((each) => each === value.location.variable))
  return named.length > 0 && isTaken ? 'in two steps' : null
}

const handOverOf = (flow: Flow): 'at once' | 'in two steps' | null => {
  let found: 'in two steps' | null = null
  for (const store of flow.stateStores()) {
    const moved = handOver(flow, store)
    if (moved === 'at once') return moved
    found ??= moved
  }
  return found
}

/** Of a known library that keeps an address: it may be one that holds rights. */
const mayMoveRights = ({ isStub, isImplemented, mutability, contract }: FunctionModel): boolean =>
  isStub &&
  isImplemented &&
  mutability !== 'view' &&
  mutability !== 'pure' &&
  contract?.stateVariables.some(({ type }) => type.kind === 'address') === true

/** What outsiders can call, also what the contract inherits from known libraries. */
const withInherited = (contractFlow: ContractFlow): readonly Flow[] => {
  const { contract, entryPoints } = contractFlow
  if (contract === null || !contract.linearization.some(({ isStub }) => isStub)) return entryPoints
  const inherited = contract.entryPoints.filter(mayMoveRights).map((fn) => contractFlow.follow(fn, contract))
  return [...entryPoints, ...inherited]
}

/** An inherited function is named where the contract is. */
const placed = (contractFlow: ContractFlow, flow: Flow, isKept: boolean): Subject => ({
  at: flow.fn === null || flow.fn.isStub ? contractFlow.contract!.node : flow.fn.node,
  name: flow.name,
  isKept,
})

const twoStepHandOver = definePractice({
  id: 'two-step-hand-over',
  category,
  *subjects({ contracts }) {
    for (const contractFlow of contracts)
      for (const flow of withInherited(contractFlow)) {
        const moved = handOverOf(flow)
        if (moved !== null) yield placed(contractFlow, flow, moved === 'in two steps')
      }
  },
  kept: 'Roles are transferred in two steps.',
  advice: (open) =>
    `Transfer roles in two steps (propose, accept). ${namesOf(open)} does it in one, so a mistyped address locks everyone out.`,
  isUrgent: true,
})

/** An address that the caller hands in is kept, and no condition looks whether it is zero. */
const storesUnseenAddress = (flow: Flow): boolean =>
  flow.stateStores().some((store) => {
    const { part, variable } = store.location
    const value = stripCasts(store.args[0])
    if (part !== 'root' || variable === null || value.kind !== 'param') return false
    if (flow.typeOf(value)?.kind !== 'address' || isPendingRight(flow.contractFlow, variable)) return false
    return !comparisonsOf(flow, value).some(({ args }) => args.some(isZero))
  })

const zeroAddress = definePractice({
  id: 'zero-address',
  category,
  needs: [holding.stateWrite],
  *subjects({ functions }) {
    yield* functionsThat(
      functions,
      (flow) => (flow.isEntryPoint || flow.isConstructor) && flow.params.length > 0 && storesUnseenAddress(flow),
    )
  },
  advice: (open) => `Reject the zero address before storing it: ${namesOf(open)}.`,
  isUrgent: true,
})

const sharedRights = definePractice({
  id: 'shared-rights',
  category,
  needs: [holding.stateWrite],
  subjects: ({ entryPoints }) => functionsThat(entryPoints, isPrivileged),
  isCheck: true,
  advice: (_, all) => `Put a multisig or a timelock behind the roles that call ${namesOf(all)}.`,
})

/** Compared with the caller it only asks whether a contract is in between; in an event it decides nothing. */
const takesForCaller = (user: Op): boolean =>
  user.kind !== 'emit' && !(user.kind === 'bin' && user.args.some((arg) => !isOrigin(arg) && isSender(arg)))

const senderNotOrigin = definePractice({
  id: 'sender-not-origin',
  category,
  needs: [holding.origin],
  *subjects({ functions }) {
    for (const flow of functions) {
      if (!flow.usesEnvironment('tx.origin')) continue
      for (const origin of flow.ir.ops.filter(isOrigin))
        for (const user of flow.usersOf(origin)) {
          const subject = takesForCaller(user) ? writerOf(flow, user) : null
          if (subject !== null) yield subject
        }
    }
  },
  advice: () => 'Use `msg.sender`, never `tx.origin`, to identify the caller.',
  isUrgent: true,
})

export const accessControl: readonly Practice[] = [
  restrictedCallers,
  twoStepHandOver,
  zeroAddress,
  sharedRights,
  senderNotOrigin,
]
