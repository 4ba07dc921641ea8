import { dependsOn, isProtected, isSender, resultUse, senderGuardAt, writesState } from '../../facts/index.ts'
import { tokenCallOf, tokenCalls } from '../../idioms/index.ts'
import {
  type BasicBlock,
  type CallInfo,
  type Context,
  type Flow,
  type Op,
  oncePerPlace,
  sameValue,
  stripCasts,
} from '../../ir/index.ts'
import type { ContractModel, FunctionModel, VariableModel } from '../../model/index.ts'
import type { Span } from '../../syntax/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

const words: Readonly<Record<string, string>> = {
  lowlevel: 'call',
  delegate: 'delegatecall',
  callcode: 'callcode',
  static: 'staticcall',
  send: 'send',
}

/** Blocks that run only when a branch went this way. */
const regionOf = (flow: Flow, successor: number): readonly Op[] => {
  if (flow.blocks[successor]!.preds.length !== 1) return []
  return flow.blocks.filter((block) => flow.blockDominates(successor, block.id)).flatMap((block) => block.ops)
}

const hasEffect = (op: Op): boolean =>
  op.kind === 'emit' ||
  op.kind === 'opaque' ||
  (op.kind === 'call' && !op.call!.inlined) ||
  op.kind === 'store' ||
  (op.kind === 'return' && op.args.length > 0)

/** `if (!x.send(1)) {}`: looked at, and then nothing differs but that success may be refused. */
const isIgnoredAfterTest = (flow: Flow, op: Op): boolean => {
  const isOutcome = (value: Op): boolean => {
    const bare = value.kind === 'un' && value.operator === '!' ? value.args[0]! : value
    return bare === op || (bare.kind === 'extract' && bare.args[0] === op && bare.constant === 0n)
  }
  const tests = flow.blocks.filter((block) => block.condition !== null && isOutcome(block.condition))
  if (tests.length !== 1 || flow.ops('assume').some((check) => isOutcome(check.args[0]!))) return false
  const [yes, no] = tests[0]!.succs as [number, number]
  const isNegated = tests[0]!.condition!.kind === 'un'
  const onFailure = regionOf(flow, isNegated ? yes : no)
  const onSuccess = regionOf(flow, isNegated ? no : yes)
  if (onFailure.some((other) => hasEffect(other) || other.kind === 'revert') || onSuccess.some(hasEffect)) return false
  // A value that differs afterwards and that somebody uses is a reaction too.
  return !flow.blocks.some(
    (block) => block.phis.some((phi) => flow.usersOf(phi).length > 0) && isJoinOf(flow, block, tests[0]!),
  )
}

/** The two ways from a branch come together here, at once or each after more branches. */
const isJoinOf = (flow: Flow, { id, preds }: BasicBlock, branch: BasicBlock): boolean => {
  if (flow.idom[id] === branch.id) return true
  const [yes, no] = branch.succs as [number, number]
  return preds.some((pred) => flow.blockDominates(yes, pred)) && preds.some((pred) => flow.blockDominates(no, pred))
}

/**
 * `pop(staticcall(…))`: nothing is changed elsewhere, and what came back is read from memory. Of `pop(call(…))` the
 * outcome shows in what came back, in a balance that is compared afterwards, or in the next call of the same contract.
 */
const isSettledInAssembly = (flow: Flow, op: Op): boolean => {
  if ((op.node as { kind?: string } | null)?.kind !== 'YulCall') return false
  return op.call!.kind === 'static' || isReadFromReturnData(flow, op) || isMeasured(flow, op) || isTriedAgain(flow, op)
}

/** A balance is read after the call and decides how it goes on. */
const isMeasured = (flow: Flow, op: Op): boolean =>
  op.call!.value !== null &&
  flow
    .builtins('balance')
    .some(
      (balance) =>
        balance.id > op.id &&
        flow.dominates(op, balance) &&
        flow.usersOf(balance).some((test) => test.kind === 'bin' && resultUse(flow, test) === 'checked'),
    )

/** `approve(0)` before `approve(n)`: without ether, and the next call of the same contract must work. */
const isTriedAgain = (flow: Flow, op: Op): boolean => {
  const { target, value } = op.call!
  if (target === null || (value !== null && value.constant !== 0n)) return false
  return flow
    .externalCalls()
    .some(
      (next) =>
        next.id > op.id &&
        next.call!.target !== null &&
        sameValue(next.call!.target, target) &&
        flow.dominates(op, next) &&
        resultUse(flow, next) === 'checked',
    )
}

/**
 * What came back is looked at, and nothing was to be done by it: a `staticcall`, or a call without ether where no books are
 * kept. Or nothing but a revert follows, which tells the outcome and undoes the rest.
 */
const isAnswerRead = (flow: Flow, op: Op): boolean => {
  const { kind, value } = op.call!
  const isData = (part: Op): boolean => part.kind === 'extract' && part.constant === 1n && flow.usersOf(part).length > 0
  if (flow.usersOf(op).some(isData) && (kind === 'static' || (value === null && !writesState(flow)))) return true
  return kind === 'delegate' && !flow.ops('return').some((end) => flow.canFollow(op, end))
}

/** The transfer of a token that answers with true or false. NFTs move by the same signature and return nothing. */
const reportsSuccess = (flow: Flow, op: Op): boolean => {
  const { kind, definition, isTried } = op.call!
  if (kind !== 'external' || isTried) return false
  const token = tokenCallOf(op)
  if (token === null || token.isSafe || token.name === 'approve' || isFixedToken(token.token, op.call!)) return false
  if (definition !== null) return definition.returns[0]?.type.kind === 'bool'
  return token.name === 'transfer' || isPaidOutElsewhere(flow, token.token)
}

/**
 * The one token that this contract was written for: how it answers was known then. Of one that is declared in a missing
 * file nobody knows, not even that it is a token.
 */
const isFixedToken = (token: Op | null, { contract, definition }: CallInfo): boolean => {
  if (token === null) return false
  const { kind } = behindConversion(stripCasts(token))
  if (kind === 'unknown' || kind === 'const') return true
  const variable = variableOf(token)
  if (variable === null || variable.isConstant) return variable !== null
  return variable.isImmutable && isParticular(contract ?? definition?.contract ?? null)
}

/** `Comp(address)` with a name that nothing here declares is a conversion. */
const behindConversion = (op: Op): Op => {
  const isConversion = op.kind === 'call' && op.call!.kind === 'internal' && op.call!.definition === null
  return isConversion && op.args.length === 1 ? stripCasts(op.args[0]!) : op
}

/** Not any token: it is asked for what the standards do not have, as wrapped ether is. */
const isParticular = (token: ContractModel | null): boolean =>
  token?.allFunctions.some(({ name, isImplemented }) => !isImplemented && !standardNames.has(name)) === true

const standardNames = new Set([
  'totalSupply',
  'balanceOf',
  'transfer',
  'transferFrom',
  'approve',
  'allowance',
  'increaseAllowance',
  'decreaseAllowance',
  'name',
  'symbol',
  'decimals',
  'permit',
  'nonces',
  'DOMAIN_SEPARATOR',
  'mint',
  'burn',
  'burnFrom',
])

/** The contract also tells the same token to `transfer(to, amount)`, which NFTs do not know. */
const isPaidOutElsewhere = ({ whole }: Flow, token: Op | null): boolean => {
  const variable = variableOf(token)
  if (variable === null) return false
  for (const flow of whole.flows)
    for (const other of tokenCalls(flow))
      if (other.name === 'transfer' && !other.isSafe && variableOf(other.token) === variable) return true
  return false
}

const variableOf = (token: Op | null): VariableModel | null => {
  const value = token === null ? null : stripCasts(token)
  return value?.kind === 'load' ? value.location!.variable : null
}

/**
 * Nothing is written or announced as if the tokens had moved. What is owed stays on the books, or anybody can ask once more
 * for what is still there.
 */
const isRepeatable = (flow: Flow, op: Op): boolean => {
  const { name, amount } = tokenCallOf(op)!
  const rest = stripCasts(amount)
  if (rest.kind === 'const' && rest.constant === 0n) return true
  if (writesState(flow) || flow.ops('emit').some((event) => flow.canFollow(op, event))) return false
  if (name !== 'transfer') return false
  if (rest.kind === 'load') return rest.location!.space === 'state'
  return rest.kind === 'call' && flow.isEntryPoint && senderGuardAt(flow, op) === null
}

/** `switch returndatasize()`: what the token answered, if anything, is looked at in assembly. */
const isReadFromReturnData = (flow: Flow, op: Op): boolean =>
  flow.has('builtin') && flow.builtins('returndatasize').some((size) => size.id > op.id && flow.dominates(op, size))

/** The same contract is asked afterwards what came of it, and its answer is required to be enough. */
const isVerifiedLater = (flow: Flow, op: Op): boolean => {
  const { target } = op.call!
  if (isReadFromReturnData(flow, op)) return true
  return (
    target !== null &&
    flow
      .externalCalls()
      .some(
        (later) =>
          later.id > op.id &&
          later.call!.target !== null &&
          tokenCallOf(later) === null &&
          sameValue(later.call!.target, target) &&
          flow.dominates(op, later) &&
          flow
            .ops('assume')
            .some((check) => check.id > later.id && dependsOn(flow, check.args[0]!, (part) => part === later)),
      )
  )
}

const isDropped = (flow: Flow, op: Op): boolean => {
  if (reportsCode(op)) return resultUse(flow, op) === 'unused'
  if (reportsSuccess(flow, op)) {
    const isIgnored = resultUse(flow, op) === 'unused' || (writesState(flow) && isOnlyTold(flow, op))
    return isIgnored && !isRepeatable(flow, op) && !isVerifiedLater(flow, op)
  }
  if (words[op.call!.kind] === undefined || isSettledInAssembly(flow, op) || isAnswerRead(flow, op)) return false
  const use = resultUse(flow, op)
  if (use === 'unused') return true
  if (use === 'checked') return isIgnoredAfterTest(flow, op)
  return (op.call!.value !== null || writesState(flow)) && isOnlyTold(flow, op)
}

/** The outcome appears in an event and nowhere else: whoever called is not stopped by it. */
const isOnlyTold = (flow: Flow, op: Op): boolean => {
  if (!flow.has('emit')) return false
  const users = flow.usersOf(flow.usersOf(op).find(isSuccess) ?? op)
  return (
    users.length > 0 &&
    users.every(({ kind, call }) => kind === 'emit' || (kind === 'call' && call!.inlined)) &&
    users.some(({ kind }) => kind === 'emit')
  )
}

const isSuccess = ({ kind, constant }: Op): boolean => kind === 'extract' && constant === 0n

/** What a money market answers: zero, or the number of what went wrong, in which case nothing was done. */
const answersWithCode = new Set([
  'mint(uint256)',
  'redeem(uint256)',
  'redeemUnderlying(uint256)',
  'borrow(uint256)',
  'repayBorrow(uint256)',
  'repayBorrowBehalf(address,uint256)',
])

/** One such function alone may be anything; a contract that has two of them, each with one number as answer, is a money market. */
const reportsCode = (op: Op): boolean => {
  const { kind, definition, isTried } = op.call!
  if (kind !== 'external' || isTried || definition === null || !isCoded(definition)) return false
  let count = 0
  for (const fn of definition.contract?.functions ?? []) if (isCoded(fn)) count++
  return count > 1
}

const isCoded = ({ signature, returns }: FunctionModel): boolean =>
  returns.length === 1 && answersWithCode.has(signature) && returns[0]!.type.kind === 'int'

/**
 * The one account that may call gets its own ether back, and no bookkeeping rests on it: the caller sees for itself what
 * arrived.
 */
const isSeenByCaller = (flow: Flow, op: Op): boolean =>
  op.call!.kind === 'lowlevel' &&
  op.call!.value !== null &&
  op.call!.target !== null &&
  isSender(op.call!.target) &&
  !writesState(flow) &&
  isProtected(flow, op)

/** The helper hands the outcome on and this caller of it drops it: the mistake is made at the call of the helper. */
const placeOf = (op: Op, used: ReadonlySet<number>): Span => {
  if (op.site === null || (!used.has(op.start) && !isHandedOn(op))) return op
  return op.site.at
}

/** `success := call(…)` of a helper that answers with true or false. */
const isHandedOn = ({ node, site }: Op): boolean =>
  (node as { kind?: string } | null)?.kind === 'YulCall' &&
  site!.fn.kind === 'function' &&
  site!.fn.returns.some(({ type }) => type.kind === 'bool')

const findDropped = ({ functions }: Context): Hit[] => {
  const kept: { flow: Flow; op: Op }[] = []
  const dropped: { flow: Flow; op: Op }[] = []
  for (const flow of functions) {
    for (const op of flow.externalCalls()) {
      if (isDropped(flow, op) && !isSeenByCaller(flow, op)) dropped.push({ flow, op })
      else kept.push({ flow, op })
    }
  }
  if (dropped.length === 0) return []
  const used = new Set<number>()
  for (const { flow, op } of kept) if (resultUse(flow, op) !== 'unused') used.add(op.start)
  return toHits(dropped, used)
}

const toHits = (dropped: readonly { flow: Flow; op: Op }[], used: ReadonlySet<number>): Hit[] =>
  dropped.map(({ flow, op }) => {
    const loss = op.call!.value === null ? 'goes on as if it had worked' : 'goes on as if the ether had been paid'
    const word = words[op.call!.kind] ?? op.call!.name
    return {
      at: placeOf(op, used),
      ...(resultUse(flow, op) === 'used' ? { confidence: 'medium' as const } : {}),
      message: `Nobody looks at the result of this \`${word}\`: when it fails, execution ${loss}.`,
      trace: flow.trace(op),
    }
  })

export default defineDetector({
  id: 'unchecked-call-return-value',
  swc: 'SWC-104',
  title: 'Unchecked call return value',
  severity: 'high',
  confidence: 'high',
  description:
    'Low-level calls and `send` do not revert when they fail; they return false, and so do many tokens; money markets answer with the number of an error. When that is ignored, or only told in an event, the bookkeeping goes on although nothing was called, paid or moved.',
  recommendation:
    'Require the success flag, or handle the failure (keep what is owed for a later withdrawal). `Address.sendValue`, `functionCall` and `SafeERC20` do so.',
  references: ['https://swcregistry.io/docs/SWC-104'],
  cwe: ['CWE-252'],

  run: (context) => oncePerPlace(findDropped(context)),
})
