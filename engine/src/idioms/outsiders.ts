import { isProtected, isSender, outsiderCanFillPlace } from '../facts/index.ts'
import { type ContractFlow, type Flow, type Op, stripCasts } from '../ir/index.ts'

/** In words, the account that an address names, if any outsider can be that: the caller, one of the caller's choice, or one that anyone can set. */
export const outsiderNamedBy = (flow: Flow, address: Op): string | null => {
  const op = stripCasts(address)
  if (isSender(op)) return 'the caller'
  if (op.kind === 'param') return 'an address the caller chooses'
  if (op.kind !== 'load' || op.location.part !== 'root' || op.location.variable === null) return null
  return outsiderCanFillPlace(flow.contractFlow, op.location)
    ? `\`${op.location.variable.name}\`, which anyone can set`
    : null
}

/**
 * All that outsiders can do is ask, and what is answered rests on what the privileged have set: a list of prices, a feed. Its answers
 * are what it is there for, and other contracts act on them; elsewhere a view shows someone something.
 */
export const isReadOnlyService = (contractFlow: ContractFlow): boolean => contractFlow.answer(findReadOnlyService)

const findReadOnlyService = ({ entryPoints }: ContractFlow): boolean => {
  const changing = entryPoints.filter(({ fn }) => fn?.mutability !== 'view' && fn?.mutability !== 'pure')
  return (
    changing.some((flow) => flow.stateStores().length > 0) &&
    changing.every((flow) =>
      [...flow.stateStores(), ...flow.externalCalls()].every((effect) => isProtected(flow, effect)),
    )
  )
}

/**
 * An address that nobody has a key to and nobody can put code at: zero, the built-in contracts, the one that tokens are burnt at, one
 * digit forty times. Above the built-in ones, chains have contracts of their own at small addresses.
 */
export const isUnownedAddress = (value: Op): boolean => {
  const op = stripCasts(value)
  if (op.kind !== 'const' || op.constant === null) return false
  return (op.constant >= 0n && op.constant < afterBuiltIn) || op.constant === burnt || op.constant % oneDigit === 0n
}

/** A contract that belongs to the chain itself, `0x8008` of a rollup: what a call of it means is a rule of that chain. */
export const isSystemAddress = (value: Op): boolean => {
  const { kind, constant } = stripCasts(value)
  return kind === 'const' && constant !== null && constant >= afterBuiltIn && constant < afterSystem
}

const afterBuiltIn = 0x100n

const afterSystem = 0x10000n

const burnt = 0xdeadn

/** `0x1111…`, of which `0x2222…` and the others are multiples. */
const oneDigit = 0x1111111111111111111111111111111111111111n
