import { dependsOn, findDependency, guardsAt, isSender } from '../../facts/index.ts'
import {
  hasIncomingPayment,
  isMessageValue,
  isOwnEther,
  isOwnTokenBalance,
  isUnownedAddress,
  keysOf,
  raisedBy,
  tokenCallOf,
  witnessStep,
} from '../../idioms/index.ts'
import {
  alternativesOf,
  type BinaryOp,
  budget,
  type ContractFlow,
  type Flow,
  holding,
  isBefore,
  isOrdering,
  isZero,
  type LoadOp,
  mayOverlap,
  mayOverlapAcross,
  type Op,
  type OpOf,
  sameValueOrPlace,
  stripCasts,
} from '../../ir/index.ts'
import type { Span } from '../../syntax/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  /** `amount * shares / assets` */
  readonly quotient: BinaryOp
  /** How the assets can grow beside the shares is not seen: they are counted in state, or by another contract. */
  readonly isCounted?: true
}

/** What the vault holds: its balance of tokens or ether, what others hold for it, or both, less what has just come in. */
const isHolding = (flow: Flow, value: Op, depth = 0): boolean => {
  const op = stripCasts(value)
  if (isOwnTokenBalance(op) || isOwnEther(op)) return true
  if (depth > budget.depth.holdings) return false
  if (alternativesOf(op).some((arg) => isBefore(arg, op) && isHolding(flow, arg, depth + 1))) return true
  if (op.kind !== 'bin') return false
  if (op.operator === '-') return isHolding(flow, op.args[0], depth + 1)
  return op.operator === '+' && op.args.some((arg) => isHolding(flow, arg, depth + 1))
}

/** What a share is worth: holdings divided by the shares that exist, each times what it is scaled by. */
const isSharePrice = (flow: Flow, value: Op, depth = 0): boolean => {
  const op = stripCasts(value)
  if (depth > budget.depth.holdings) return false
  if (alternativesOf(op).some((arg) => isBefore(arg, op) && isSharePrice(flow, arg, depth + 1))) return true
  if (op.kind !== 'bin' || op.operator !== '/') return false
  return findDependency(flow, op.args[1], isSupply) !== undefined && isScaledHolding(flow, op.args[0])
}

const isScaledHolding = (flow: Flow, value: Op): boolean => {
  const op = stripCasts(value)
  return (
    isHolding(flow, op) || (op.kind === 'bin' && op.operator === '*' && op.args.some((arg) => isHolding(flow, arg)))
  )
}

/** What the caller says that it brings, or what has come in since. */
const isDeposited = (op: Op): boolean => op.kind === 'param' || isOwnTokenBalance(op) || isMessageValue(op)

/** `amount * supply / holdings`, or the amount divided by what a share is worth. */
const isShareCount = (flow: Flow, { operator, args: [above, below] }: OpOf<'bin'>): boolean =>
  operator === '/' &&
  dependsOn(flow, above, isDeposited) &&
  (isSharePrice(flow, below) || (isHolding(flow, below) && findDependency(flow, above, isSupply) !== undefined))

/** Something is added that nobody can take out: `assets + 1`, `supply + 10 ** offset`. */
const isPadded = (value: Op): boolean => {
  const op = stripCasts(value)
  return op.kind === 'bin' && op.operator === '+' && op.args.some((arg) => isFixed(stripCasts(arg)))
}

const isFixed = ({ kind, args, location }: Op): boolean =>
  kind === 'const' ||
  (kind === 'bin' && args.every((arg) => isFixed(stripCasts(arg)))) ||
  (kind === 'load' && (location.variable?.isImmutable ?? false))

/** The shares that exist: a number of this contract, or what the token in which it keeps them answers. */
const isSupply = (op: Op): boolean =>
  (op.kind === 'load' &&
    op.location.space === 'state' &&
    op.location.part === 'root' &&
    op.location.variable?.type.kind === 'int') ||
  (op.kind === 'call' && op.call.name === 'totalSupply')

/** The number computed here is recorded, or another contract that keeps the shares is given it. */
const isMinted = (flow: Flow, quotient: Op): boolean => {
  const depends = (value: Op): boolean => dependsOn(flow, value, (op) => op === quotient)
  if (flow.stateStores().some(({ args }) => depends(args[0]))) return true
  return flow
    .externalCalls()
    .some((call) => !call.call.isStatic && tokenCallOf(call) === null && call.args.some(depends))
}

/**
 * `amount * shares / assets` is added to the shares that exist, and while there are none a deposit is worth what it says: the first one sets the price,
 * whatever the assets are counted by.
 */
function* pricedByFirst(flow: Flow): Iterable<Candidate> {
  for (const quotient of flow.ops('bin')) {
    if (quotient.operator !== '/') continue
    const supply = suppliesIn(flow, quotient.args[0]).find((each) => isRaisedBy(flow, each, quotient))
    if (
      supply === undefined ||
      !isAssetCount(flow, quotient.args[1], supply) ||
      !isComparedWithZero(flow, quotient, supply)
    )
      continue
    yield { flow, quotient, isCounted: true }
  }
}

/** The caller pays, here or to a contract that is given the payer. */
const takesIn = (flow: Flow): boolean =>
  hasIncomingPayment(flow) || flow.externalCalls().some(({ call, args }) => !call.isStatic && args.some(isSender))

/** Numbers by which `value` is multiplied: state, or what a token that keeps the shares answers. */
const suppliesIn = (flow: Flow, value: Op): readonly Op[] => {
  const op = stripCasts(value)
  if (op.kind !== 'bin' || op.operator !== '*') return []
  return op.args.map(stripCasts).filter((arg) => isShareTotal(arg) && flow.typeOf(arg)?.kind === 'int')
}

const isShareTotal = (op: Op): boolean =>
  (op.kind === 'load' && op.location.space === 'state') || (op.kind === 'call' && op.call.name === 'totalSupply')

/** The shares that exist become more by the quotient, here or in the token that keeps them. */
const isRaisedBy = (flow: Flow, supply: Op, quotient: Op): boolean => {
  const depends = (value: Op): boolean => dependsOn(flow, value, (op) => op === quotient)
  if (supply.kind === 'load')
    return flow.stateStores().some((store) => {
      const amount = mayOverlap(store.location, supply.location) ? raisedBy(store) : null
      return amount !== null && depends(amount)
    })
  return flow.externalCalls().some((call) => call.call.name === 'mint' && call.args.some(depends))
}

/** Another number than the shares: state that also changes while they stay the same, or what another contract answers. */
const isAssetCount = (flow: Flow, value: Op, supply: Op): boolean => {
  const changesAlone = ({ location }: LoadOp): boolean =>
    location.space === 'state' &&
    location !== supply.location &&
    flow.contractFlow
      .writersTo(location)
      .some(({ flow: writer }) => !writer.isConstructor && !writesShares(writer, supply))
  return dependsOn(flow, value, (op) =>
    op.kind === 'load' ? changesAlone(op) : op.kind === 'call' && op.call.target !== null,
  )
}

const writesShares = (flow: Flow, { location }: Op): boolean =>
  location !== null && flow.stateStores().some((store) => mayOverlapAcross(store.location, location))

/** `if (supply == 0)`, `if (assets == 0)`: which of the two prices holds. */
const isComparedWithZero = (flow: Flow, quotient: BinaryOp, supply: Op): boolean =>
  guardsAt(flow, quotient).some(({ condition }) => {
    const op = stripCasts(condition)
    if (op.kind !== 'bin' || !op.args.some((arg) => isZero(stripCasts(arg)))) return false
    return op.args.some((arg) => {
      const side = stripCasts(arg)
      return isSameNumber(side, supply) || isSameNumber(side, stripCasts(quotient.args[1]))
    })
  })

/** The same state or value, or the same question to another contract. */
const isSameNumber = (a: Op, b: Op): boolean =>
  sameValueOrPlace(a, b) || (a.kind === 'call' && b.kind === 'call' && a.call.name === b.call.name)

/** Where the shares that exist are read: a helper that only calculates is not to blame. */
const placeOf = (flow: Flow, quotient: BinaryOp): Span => {
  const supply = findDependency(flow, quotient.args[0], isShareTotal)
  return supply === undefined ? quotient : flow.inCommonCaller(quotient, supply)
}

/**
 * Refusing a deposit that yields too little takes the profit out of it. Refusing one that yields nothing does not: a deposit that is worth a
 * share and a half yields one, and half of what was rounded off is the attacker's.
 */
const isDefended = ({ flow, quotient }: Candidate): boolean =>
  flow.ops('bin').some(({ operator, args }) => {
    if (!isOrdering(operator) && operator !== '==' && operator !== '!=') return false
    return args.some((side, i) => isShares(side, quotient, 0) && isBound(stripCasts(args[1 - i]!)))
  })

/** Anyone who comes first leaves shares behind for good: what is donated is lost to these in the first place. */
const locksShares = ({ flows }: ContractFlow): boolean =>
  flows.some((flow) =>
    flow.stateStores().some(({ location, args: [value] }) => {
      const isLocked = keysOf(location).some(isUnownedAddress)
      return isLocked && !isZero(value)
    }),
  )

const isShares = (value: Op, quotient: Op, depth: number): boolean => {
  const op = stripCasts(value)
  if (op === quotient) return true
  if (depth >= budget.depth.shares) return false
  // `min(a, b)`: the one or the other is minted, what chooses between them is not.
  return alternativesOf(op).some((arg) => isBefore(arg, op) && isShares(arg, quotient, depth + 1))
}

const isBound = ({ kind, constant }: Op): boolean =>
  kind === 'param' || (kind === 'const' && constant !== null && constant > 1n)

export default defineDetector<Candidate>({
  id: 'vault-share-inflation',
  swc: null,
  title: 'Vault share inflation (first depositor attack)',
  aliases: { owasp: ['SC03:2025'], words: ['first depositor', 'donation attack', 'inflation attack', 'ERC-4626'] },
  severity: 'medium',
  confidence: 'medium',
  description:
    'Shares are computed from the vault’s balance, which anyone can increase by a donation. The first depositor mints one share, donates a large amount, and later deposits round down to few or no shares.',
  recommendation:
    'Add virtual shares and assets (ERC-4626 decimals offset), track assets in a variable, or require a minimum number of shares.',
  references: ['https://docs.openzeppelin.com/contracts/5.x/erc4626'],
  cwe: ['CWE-682'],

  needs: [holding.quotient, takesIn],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) {
      if (hasIncomingPayment(flow))
        for (const op of flow.ops('bin')) if (isShareCount(flow, op) && isMinted(flow, op)) yield { flow, quotient: op }
      if (takesIn(flow)) yield* pricedByFirst(flow)
    }
  },
  excuses: [
    excuse(
      'virtual-shares',
      'virtual assets or shares are added',
      ({ quotient }) => isPadded(quotient.args[1]) || quotient.args[0].args.some(isPadded),
    ),
    excuse('locked-shares', 'initial shares are locked, so nobody owns nearly all of them', ({ flow }) =>
      flow.contractFlow.answer(locksShares),
    ),
    excuse('least-shares', 'the number of shares is compared with a minimum', isDefended),
  ],
  finding: ({ flow, quotient, isCounted }) => {
    if (isCounted)
      return {
        at: placeOf(flow, quotient),
        message: `The first deposit through \`${flow.name}()\` sets the share price. If assets can grow without new shares, later deposits round down and lose value to the first depositor.`,
        trace: [witnessStep(flow, quotient, 'sets the share price by a tiny first deposit'), ...flow.trace(quotient)],
        factors: { counterEvidence: ['how assets grow without new shares was not found'] },
      }
    const asset = dependsOn(flow, quotient, isOwnEther) ? 'ETH' : 'tokens'
    return {
      at: placeOf(flow, quotient),
      message: `The first depositor can mint one share and donate ${asset}, so that later deposits through \`${flow.name}()\` round down to zero shares, and then redeem what they lost.`,
      trace: [witnessStep(flow, quotient, `donates ${asset} before others deposit`), ...flow.trace(quotient)],
    }
  },
})
