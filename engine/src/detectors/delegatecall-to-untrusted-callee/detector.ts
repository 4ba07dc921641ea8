import { dependsOn, isFreelyDone, isProtected, isUntrusted, privilegedState } from '../../facts/index.ts'
import { holdingsOfUsers, initializer, lossAt, runsForOthers, uncheckedStep } from '../../idioms/index.ts'
import {
  type CallOp,
  type Context,
  describeValue,
  type Flow,
  holding,
  type Location,
  type Op,
  stripCasts,
} from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { type ConfidenceFactors, defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: CallOp
  readonly target: Op
  /** Why an outsider decides what runs here, and how sure that is. */
  readonly why: Why
}

interface Why {
  readonly message: string
  readonly factors: ConfidenceFactors
  /** What follows, after "calls `f()` and". */
  readonly gain: string
  readonly actor?: string
}

/** Who decides what code runs, if it is an outsider: by the callee, by its function, or by replacing the callee. */
const findWhy = ({ model }: Context, flow: Flow, op: CallOp, target: Op): Why | null => {
  const name = `\`${describeValue(model, target)}\``
  if (forwardsAnything(flow, op, target)) {
    const message = `The fallback forwards every call to ${name} by \`delegatecall\`, so anyone can run each of its functions, such as an initializer, on the storage of this contract.`
    const gain = 'runs any function of the target on this contract’s storage'
    return { message, gain, factors: { counterEvidence: ['the target code is fixed'] } }
  }
  if (isUntrusted(flow, target, op)) {
    const chooser = chooserOf(flow, target, name)
    const message = `\`${flow.name}()\` runs \`delegatecall\` to an address that ${chooser ?? 'another contract returns'}, so its code can change every variable and take the ETH of this contract.`
    const gain =
      chooser === null ? 'runs code that another contract chose' : 'runs their own code on this contract’s storage'
    if (chooser === null) return { message, gain, factors: { controlledBy: 'unknown' }, actor: 'A user' }
    const factors: ConfidenceFactors = isNameless(target)
      ? { controlledBy: 'unknown' }
      : { controlledBy: 'outsider', loss: lossOf(flow, op, target) }
    return { message, gain, factors }
  }
  if (!isReplaceable(flow, target)) return null
  const message = `The fallback also delegates to code that can overwrite ${name}, the target of this \`delegatecall\`: an attacker who can make that code change ${name} takes over the contract.`
  const gain = `runs the code that ${name} then names`
  return { message, gain, actor: 'A user', factors: { counterEvidence: ['the delegated code must replace it first'] } }
}

/** What the code of another can take here, where the caller names it, or where anyone can put it on record. */
const lossOf = (flow: Flow, op: CallOp, target: Op): string | undefined => {
  const named = stripCasts(target)
  const isChosen = named.kind === 'param' || (named.kind === 'load' && isSetOpenly(flow, named.location))
  return isChosen ? lossAt(flow, op, holdingsOfUsers(flow) ?? controlOf(flow)) : undefined
}

const isSetOpenly = ({ contractFlow }: Flow, { variable }: Location): boolean =>
  variable !== null &&
  contractFlow.writersOf(variable).some((write) => write.flow.isEntryPoint && isFreelyDone(write.flow, write.op))

const controlOf = ({ contractFlow }: Flow): string | null => {
  const [right] = privilegedState(contractFlow)
  return right === undefined ? null : `control of the contract (\`${right.name}\`)`
}

/** Who says where to, where it is the caller; null where another contract does. */
const chooserOf = (flow: Flow, target: Op, name: string): string | null => {
  const op = stripCasts(target)
  if (op.kind === 'param') return `the caller chooses (${name})`
  if (op.kind === 'load' && op.location.space !== 'memory') return `anyone can set (${name})`
  return dependsOn(flow, target, ({ kind }) => kind === 'param') ? 'the caller chooses' : null
}

/** A place of computed storage: the functions that set it may be in another contract, which delegates here. */
const isNameless = (target: Op): boolean => {
  const op = stripCasts(target)
  return op.kind === 'load' && op.location.variable === null && op.location.space === 'slot'
}

/** The state variable or constant that says where to; null for anything else. */
const variableOf = (target: Op): VariableModel | null => {
  const op = stripCasts(target)
  return op.kind === 'load' && op.location.part === 'root' ? op.location.variable : null
}

/**
 * A library for good, not a proxy that someone can point elsewhere: its code is fixed, but the caller chooses the
 * function, its set-up too, and all of them write to what this contract keeps.
 */
const forwardsAnything = (flow: Flow, call: CallOp, target: Op): boolean => {
  const data = call.args.length === 1 ? stripCasts(call.args[0]!) : undefined
  if (flow.kind !== 'fallback' || data?.kind !== 'env' || data.operator !== 'msg.data') return false
  const variable = variableOf(target)
  const isFixed =
    stripCasts(target).kind === 'const' ||
    (variable !== null && flow.contractFlow.writersOf(variable).every((write) => write.flow.isConstructor))
  if (!isFixed || flow.contract === null) return false
  return flow.contract.allStateVariables.some(
    (other) => other !== variable && !other.isConstant && !other.isImmutable && !other.contract?.isStub,
  )
}

/** Some fallback lets the caller run any function of the library on this storage, and with it replace the library's address. */
const isReplaceable = ({ contractFlow }: Flow, target: Op): boolean => {
  const variable = variableOf(target)
  if (variable === null || variable.isConstant || variable.isImmutable) return false
  return contractFlow.entryPoints.some((other) =>
    other.externalCalls().some((op) => {
      const open = op.call.kind === 'delegate' ? op.call.target : null
      if (open === null || variableOf(open) !== variable) return false
      return forwardsAnything(other, op, open) && !isProtected(other, op)
    }),
  )
}

/** `require(!target.delegatecall(data))`: whatever it did is undone when it worked. */
const mustFail = ({ flow, op }: Candidate): boolean =>
  flow.ops('assume').some((check) => {
    const [condition] = check.args
    if (condition.kind !== 'un' || condition.operator !== '!' || !flow.isFollowedBy(op, check)) return false
    return outcomeOf(condition.args[0]) === op
  })

const outcomeOf = (value: Op): Op => (value.kind === 'extract' && value.constant === 0n ? value.args[0] : value)

export default defineDetector<Candidate>({
  id: 'delegatecall-to-untrusted-callee',
  swc: 'SWC-112',
  title: 'Delegatecall to untrusted callee',
  aliases: {
    slither: ['controlled-delegatecall'],
    aderyn: ['delegate-call-unchecked-address'],
    owasp: ['SC01:2025', 'SC06:2025'],
    words: ['untrusted delegatecall', 'proxy takeover', 'Parity'],
  },
  severity: 'critical',
  confidence: 'high',
  description:
    '`delegatecall` runs the code of another contract on the storage of this one. If an attacker chooses the target, they take over the storage and all funds.',
  recommendation:
    'Delegate only to a fixed address or one that only a privileged role can change; never to an address from the caller.',
  references: [
    'https://swcregistry.io/docs/SWC-112',
    'https://docs.soliditylang.org/en/latest/introduction-to-smart-contracts.html#delegatecall-and-libraries',
  ],
  cwe: ['CWE-829'],

  needs: [holding.delegateCall],
  *candidates(context) {
    for (const flow of context.entryPoints)
      for (const op of flow.externalCalls()) {
        const { kind, target } = op.call
        if ((kind !== 'delegate' && kind !== 'callcode') || target === null || isProtected(flow, op)) continue
        const why = findWhy(context, flow, op, target)
        if (why !== null) yield { flow, op, target, why }
      }
  },
  excuses: [
    excuse('must-fail', 'it must revert, which undoes its effects', mustFail),
    excuse(
      'missing-file',
      'the target is declared in a missing file and nothing shows that an untrusted party controls it',
      ({ target }) => stripCasts(target).kind === 'unknown',
    ),
    runsForOthers,
    initializer,
  ],
  finding: ({ flow, op, why: { message, factors, gain, actor } }) => ({
    at: op,
    message,
    factors,
    trace: [uncheckedStep(flow, op, gain, actor), ...flow.trace(op)],
  }),
})
