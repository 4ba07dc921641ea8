import { isProtected, isUndone, isUntrusted, runsElsewhere, runsOnce } from '../../facts/index.ts'
import { type Context, describeValue, type Flow, type Op, oncePerPlace, stripCasts } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

const reasonFor = (target: Op, name: string): string => {
  const op = stripCasts(target)
  if (op.kind === 'param') return `the caller chooses \`${name}\``
  if (op.kind === 'load') return `anyone can set \`${name}\``
  return `\`${name}\` comes from outside`
}

/** `require(!target.delegatecall(data))`: whatever it did is undone when it worked. */
const isAlwaysUndone = (flow: Flow, call: Op): boolean =>
  flow
    .ops('assume')
    .some(
      (check) =>
        flow.isFollowedBy(call, check) &&
        check.args[0]!.kind === 'un' &&
        check.args[0]!.operator === '!' &&
        outcomeOf(check.args[0]!.args[0]!) === call,
    )

/** Declared in a missing file: nothing says that a stranger has a hand in it. */
const isUnseen = (target: Op): boolean => stripCasts(target).kind === 'unknown'

const outcomeOf = (value: Op): Op => (value.kind === 'extract' && value.constant === 0n ? value.args[0]! : value)

/** The state variable or constant that says where to; null for anything else. */
const variableOf = (target: Op): VariableModel | null => {
  const op = stripCasts(target)
  if (op.kind === 'load' && op.location!.part === 'root') return op.location!.variable
  return null
}

/**
 * A library for good, not a proxy that somebody can point elsewhere: its code is fixed, but the caller chooses the
 * function, its set-up too, and all of them write to what this contract keeps.
 */
const forwardsAnything = (flow: Flow, call: Op, target: Op): boolean => {
  const data = call.args.length === 1 ? stripCasts(call.args[0]!) : undefined
  if (flow.kind !== 'fallback' || data?.kind !== 'env' || data.operator !== 'msg.data') return false
  const variable = variableOf(target)
  const isFixed =
    stripCasts(target).kind === 'const' ||
    (variable !== null && flow.whole.writersOf(variable).every((write) => write.flow.isConstructor))
  if (!isFixed || flow.contract === null) return false
  return flow.contract.allStateVariables.some(
    (other) => other !== variable && !other.isConstant && !other.isImmutable && !other.contract?.isStub,
  )
}

/** Some fallback lets the caller run any function of the library on this storage, and with it replace the library's address. */
const isReplaceable = ({ whole }: Flow, target: Op): boolean => {
  const variable = variableOf(target)
  if (variable === null || variable.isConstant || variable.isImmutable) return false
  return whole.entryPoints.some(
    (other) =>
      other.kind === 'fallback' &&
      other.externalCalls().some((op) => {
        const open = op.call!.kind === 'delegate' ? op.call!.target : null
        return (
          open !== null && variableOf(open) === variable && forwardsAnything(other, op, open) && !isProtected(other, op)
        )
      }),
  )
}

const findUntrusted = ({ entryPoints, model }: Context): Hit[] => {
  const hits: Hit[] = []
  for (const flow of entryPoints) {
    if (!flow.hasCall('delegate') && !flow.hasCall('callcode')) continue
    for (const op of flow.externalCalls()) {
      const { kind, target } = op.call!
      if ((kind !== 'delegate' && kind !== 'callcode') || target === null) continue
      if (!isProtected(flow, op) && forwardsAnything(flow, op, target)) {
        hits.push({
          at: op,
          message: `The caller chooses which function of \`${describeValue(model, target)}\` runs on the storage of this contract, its set-up functions too.`,
          trace: flow.trace(op),
          confidence: 'medium',
        })
        continue
      }
      if (isProtected(flow, op) || isAlwaysUndone(flow, op) || isUnseen(target)) continue
      if (isUndone(flow, op) || runsElsewhere(flow, op) || runsOnce(flow, op)) continue
      if (!isUntrusted(flow, target, op)) {
        if (!isReplaceable(flow, target)) continue
        hits.push({
          at: op,
          message: `What the fallback lets the caller run on this storage can replace \`${describeValue(model, target)}\`, whose code runs here.`,
          trace: flow.trace(op),
          confidence: 'medium',
        })
        continue
      }
      hits.push({
        at: op,
        message: `Foreign code runs here with the storage and the ether of this contract: ${reasonFor(target, describeValue(model, target))}.`,
        trace: flow.trace(op),
      })
    }
  }
  return hits
}

export default defineDetector({
  id: 'delegatecall-to-untrusted-callee',
  swc: 'SWC-112',
  title: 'Delegatecall to untrusted callee',
  severity: 'critical',
  confidence: 'high',
  description:
    '`delegatecall` runs the code of another contract as if it were written here. When a stranger decides which contract that is, they own everything this one holds.',
  recommendation:
    'Delegate only to an address that is fixed, or that only a privileged account can change; never to one that the caller names.',
  references: [
    'https://swcregistry.io/docs/SWC-112',
    'https://docs.soliditylang.org/en/latest/introduction-to-smart-contracts.html#delegatecall-and-libraries',
  ],
  cwe: ['CWE-829'],

  run: (context) => oncePerPlace(findUntrusted(context)),
})
