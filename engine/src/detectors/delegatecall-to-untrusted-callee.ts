import { type Context, describeValue, type Flow, type Op, oncePerPlace, stripCasts } from '../flow/index.ts'
import { defineDetector, type Hit } from './detector.ts'

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

const outcomeOf = (value: Op): Op => (value.kind === 'extract' && value.constant === 0n ? value.args[0]! : value)

function* findUntrusted({ entryPoints, model }: Context): Generator<Hit> {
  for (const flow of entryPoints) {
    for (const op of flow.externalCalls()) {
      const { kind, target } = op.call!
      if ((kind !== 'delegate' && kind !== 'callcode') || target === null) continue
      if (flow.isProtected(op) || !flow.isUntrusted(target, op) || isAlwaysUndone(flow, op)) continue
      yield {
        at: op,
        message: `Foreign code runs here with the storage and the ether of this contract: ${reasonFor(target, describeValue(model, target))}.`,
        trace: flow.trace(op),
      }
    }
  }
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

  *run(context) {
    yield* oncePerPlace(findUntrusted(context))
  },
})
