/** Balances in another contract of the scan that trusts this one to say whose: `token.burn(account)`. */
import { implementedBy, isProtected, isSender } from '../../facts/index.ts'
import { hasIncomingPayment, isNamedAccount, keysOf, loweredBy, type UnprotectedOp } from '../../idioms/index.ts'
import { type CallOp, type Context, describeCall, type Flow, stripCasts } from '../../ir/index.ts'

export function* takenThroughTrusted(context: Context, flow: Flow): Iterable<UnprotectedOp> {
  // Who pays for it may say whose debt falls.
  if (hasIncomingPayment(flow)) return
  for (const op of flow.externalCalls())
    for (const indexes of debitedArguments(context, flow, op)) {
      const keys = indexes.flatMap((index) => (op.args[index] === undefined ? [] : [stripCasts(op.args[index])]))
      const account = keys.find((key) => isNamedAccount(flow, key))
      // `ledger.debit(token, msg.sender, amount)`: the caller's own entry, whatever else it is kept under.
      if (account === undefined || keys.some(isSender)) continue
      const callee = `\`${describeCall(flow.model, op)}\``
      const message = `Anyone can call \`${flow.name}()\` for any account without its approval: ${callee} trusts this contract and reduces the balance of that account.`
      yield {
        flow,
        op,
        account,
        amount: null,
        message,
        gain: 'burns the tokens of another account',
      }
    }
}

const debitedArguments = (context: Context, flow: Flow, { call }: CallOp): readonly (readonly number[])[] => {
  const { definition } = call
  if (call.kind !== 'external' || call.isStatic || definition === null) return []
  const behind = definition.isImplemented ? [definition] : implementedBy(flow, definition, call.contract)
  return behind.flatMap((fn) =>
    fn.contract === flow.contract ? [] : (context.flowOf(fn)?.answer(debitedParameters) ?? []),
  )
}

/** Of each balance that falls the parameters it is kept under, where the function lets in nobody but those that it trusts. */
const debitedParameters = (callee: Flow): readonly (readonly number[])[] =>
  callee.stateStores().flatMap((store) => {
    if (loweredBy(store) === null || !isProtected(callee, store)) return []
    const keys = keysOf(store.location).map((key) => callee.params.indexOf(stripCasts(key)))
    return [keys.filter((index) => index >= 0)]
  })
