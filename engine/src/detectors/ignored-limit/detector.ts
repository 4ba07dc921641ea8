import { isProtected, recoveriesOf } from '../../facts/index.ts'
import { entriesOf, isKeyed, paymentsOf, tradeOf, witnessStep } from '../../idioms/index.ts'
import { type Flow, holding, type LoadOp, type Op, stripCasts } from '../../ir/index.ts'
import type { FunctionModel, VariableModel } from '../../model/index.ts'
import type { Span } from '../../syntax/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  /** What moves value. */
  readonly op: Op
  readonly limit: Limit
}

interface Limit {
  readonly name: string
  readonly at: Span
}

/** An unread parameter says nothing but its name: the words by which callers state a limit. */
const limitWords =
  /(^|_)(min|max|minimum|maximum|least|limit|deadline|slippage|expiry)(?![a-z])|(Min|Max|Minimum|Maximum|Limit|Deadline|Slippage|Expiry)(?![a-z])/

/** Structs hold settings too, such as a gas limit: of their fields only those that bound a trade. */
const fieldWords = /deadline|expiry|slippage|(^min|^max|Min|Max)\w*(Amount|Out|In|Received|Price|Shares)(?![a-z])/

const isLimit = ({ name, type, role }: VariableModel): boolean =>
  role === 'parameter' && type.kind === 'int' && limitWords.test(name)

/** The function and those inside the contract that it calls. */
const functionsIn = (flow: Flow): ReadonlySet<FunctionModel> => {
  const found = new Set<FunctionModel>(flow.fn === null ? [] : [flow.fn])
  for (const { call } of flow.ops('call'))
    if (call.inlined && call.definition !== null && !call.definition.isStub) found.add(call.definition)
  return found
}

const unreadLimitsIn = (flow: Flow, fn: FunctionModel): readonly Limit[] => {
  const unnamed = new Set(flow.model.unnamedVariables(fn.file))
  return fn.params
    .filter(
      (param, place) => isLimit(param) && unnamed.has(param) && (fn === flow.fn || isPassedUnread(flow, fn, place)),
    )
    .map(({ name, node }) => ({ name, at: node }))
}

/** What uses a value by itself, not only hands it to a function of the contract. */
const usersOf = (flow: Flow, value: Op): readonly Op[] => flow.usersOf(value).filter(({ call }) => !call?.inlined)

/** The caller's limit comes to an inner function, and none of the functions on the path reads it. */
const isPassedUnread = (flow: Flow, fn: FunctionModel, place: number): boolean =>
  flow.ops('call').some(({ call, args }) => {
    const given = call.inlined && call.definition === fn ? args[args.length - fn.params.length + place] : undefined
    const value = given === undefined ? null : stripCasts(given)
    return value?.kind === 'param' && usersOf(flow, value).length === 0
  })

/** `order.deadline`: a field of a struct that comes in with the call and of which other fields are read; signing the whole checks none. */
const unreadFieldsIn = (flow: Flow): readonly Limit[] =>
  flow.params.flatMap((param) => {
    const { decl } = param
    if (decl?.kind !== 'variable' || decl.type.kind !== 'struct' || !isAtMostSigned(flow, usersOf(flow, param)))
      return []
    const read = new Set(readsOf(flow, param).map(({ location }) => location.name))
    if (read.size === 0) return []
    return decl.type.struct.fields
      .filter((field) => field.type.kind === 'int' && fieldWords.test(field.name) && !read.has(field.name))
      .map(({ name }) => ({ name, at: decl.node }))
  })

const readsOf = (flow: Flow, param: Op): readonly LoadOp[] =>
  flow.ops('load').filter(({ location }) => location.part === 'field' && location.parent?.base === param)

/** `keccak256(abi.encode(TYPEHASH, …, deadline))` alone does not make a signature expire. */
const isAtMostSigned = (flow: Flow, users: readonly Op[]): boolean =>
  users.length === 0 ||
  (recoveriesOf(flow).length > 0 &&
    users.every(({ kind, operator }) => kind === 'builtin' && /^abi\.encode/.test(operator)))

/** Signed and never compared. */
const signedLimitsIn = (flow: Flow): readonly Limit[] =>
  flow.params.flatMap((param) => {
    const { decl } = param
    const users = usersOf(flow, param)
    if (decl?.kind !== 'variable' || !isLimit(decl) || users.length === 0) return []
    return isAtMostSigned(flow, users) ? [{ name: decl.name, at: decl.node }] : []
  })

/** The first place where assets or shares change hands. */
const valueMoveIn = (flow: Flow): Op | undefined =>
  flow.ops('call').find((op) => tradeOf(flow, op) !== null) ?? paymentsOf(flow)[0]?.op ?? entriesOf(flow)[0]?.op

/** A right that is given, or another contract that moves the value. */
const effectIn = (flow: Flow): Op | undefined =>
  flow.stateStores().find(({ location }) => isKeyed(location)) ??
  flow.externalCalls().find(({ call }) => !call.isStatic)

/** What the caller wanted to be protected against. */
const harmOf = ({ name }: Limit): string =>
  /deadline|expiry/i.test(name)
    ? 'so a transaction or signature that is executed much later still goes through, at prices the caller no longer wants.'
    : 'so the caller has no protection: the call goes through however bad the price, and a sandwich attack takes the difference.'

export default defineDetector<Candidate>({
  id: 'ignored-limit',
  swc: null,
  title: 'Slippage limit or deadline is ignored',
  aliases: {
    owasp: ['SC03:2025'],
    words: ['unused minAmountOut', 'unused deadline', 'slippage parameter not checked', 'amountOutMin ignored'],
  },
  severity: 'medium',
  confidence: 'high',
  description:
    'A function that trades or pays takes a limit from its caller, such as a minimum amount or a deadline, and never reads it. The caller believes to be protected against sandwich attacks and late execution, and is not.',
  recommendation:
    'Check the amount against the limit and `block.timestamp` against the deadline, and revert otherwise.',
  references: ['https://cwe.mitre.org/data/definitions/1284.html'],
  cwe: ['CWE-1284'],

  needs: [holding.effect],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) {
      const moved = valueMoveIn(flow)
      const unread = moved === undefined ? [] : [...functionsIn(flow)].flatMap((fn) => unreadLimitsIn(flow, fn))
      const op = moved ?? effectIn(flow)
      if (op !== undefined)
        for (const limit of [...unread, ...unreadFieldsIn(flow), ...signedLimitsIn(flow)]) yield { flow, op, limit }
    }
  },
  excuses: [excuse('protected', 'only privileged accounts get there', ({ flow, op }) => isProtected(flow, op))],

  finding: ({ flow, op, limit }) => ({
    at: limit.at,
    message: `\`${flow.name}()\` takes \`${limit.name}\` but never checks it, ${harmOf(limit)}`,
    trace: [
      witnessStep(flow, op, `is not protected by \`${limit.name}\``, 'A user'),
      { at: op, message: `Value moves here without a check of \`${limit.name}\`.` },
    ],
  }),
})
