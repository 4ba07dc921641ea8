import { dependsOn, findDependency } from '../../facts/index.ts'
import { isOwnTokenBalance, isSelf, tokenCalls } from '../../idioms/index.ts'
import { type Flow, type Op, oncePerPlace, stripCasts } from '../../ir/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

/** The divisor is the bare token balance: nothing virtual is added to it. */
const isBareBalance = (value: Op, depth = 0): boolean => {
  const op = stripCasts(value)
  if (isOwnTokenBalance(op)) return true
  if (depth > 6) return false
  if (op.kind === 'phi') return op.args.some((arg) => isBareBalance(arg, depth + 1))
  return op.kind === 'bin' && op.operator === '-' && isBareBalance(op.args[0]!, depth + 1)
}

/** The state variable in the dividend: the shares that exist. */
const sharesIn = (flow: Flow, dividend: Op) => {
  const load = findDependency(
    flow,
    dividend,
    (op) =>
      op.kind === 'load' &&
      op.location!.space === 'state' &&
      op.location!.part === 'root' &&
      op.location!.variable?.type.kind === 'int',
  )
  return load?.location?.variable ?? null
}

/** These shares grow in the same function, by what was computed. */
const isMinted = (flow: Flow, quotient: Op, dividend: Op): boolean => {
  const shares = sharesIn(flow, dividend)
  if (!shares) return false
  return flow
    .stateStores()
    .some(({ location, args }) => location!.variable === shares && dependsOn(flow, args[0]!, (op) => op === quotient))
}

/** Refusing a deposit that yields nothing, or burning the first shares, takes the profit out of it. */
const isDefended = (flow: Flow, quotient: Op): boolean => {
  const depends = (op: Op): boolean => dependsOn(flow, op, (part) => part === quotient)
  return (
    flow.ops('assume').some(({ args }) => depends(args[0]!)) ||
    flow.blocks.some(({ condition }) => condition !== null && depends(condition))
  )
}

const checkQuotient = (flow: Flow, quotient: Op, hits: Hit[]): void => {
  if (!isMinted(flow, quotient, quotient.args[0]!) || isDefended(flow, quotient)) return
  if (!tokenCalls(flow).some(({ from, to }) => from !== null && isSelf(to))) return
  hits.push({
    at: quotient,
    message:
      'The first depositor can send tokens here directly and make the next deposit round down to no shares at all.',
    trace: flow.trace(quotient),
  })
}

export default defineDetector({
  id: 'vault-share-inflation',
  swc: null,
  title: 'Share price can be inflated by a donation',
  severity: 'medium',
  confidence: 'medium',
  description:
    'Shares are computed from the bare token balance of the vault, which anyone can raise by sending tokens. The first depositor mints one unit, donates a large sum, and every later deposit rounds down in their favour, to zero if they like.',
  recommendation:
    'Add virtual shares and assets to both sides (as ERC-4626 implementations with a decimals offset do), keep the total in a variable of your own, or demand a least number of shares.',
  references: ['https://docs.openzeppelin.com/contracts/5.x/erc4626'],
  cwe: ['CWE-682'],

  run(context) {
    const hits: Hit[] = []
    for (const flow of context.entryPoints)
      for (const op of flow.ops('bin'))
        if (op.operator === '/' && isBareBalance(op.args[1]!)) checkQuotient(flow, op, hits)
    return oncePerPlace(hits)
  },
})
