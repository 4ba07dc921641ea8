import { dependsOn, findDependency } from '../../facts/index.ts'
import {
  hasIncomingPayment,
  isMessageValue,
  isOwnEther,
  isOwnTokenBalance,
  isUnownedAddress,
  keysOf,
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
  type Op,
  type OpOf,
  stripCasts,
} from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  /** `amount * shares / assets` */
  readonly quotient: BinaryOp
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

  needs: [holding.quotient, hasIncomingPayment],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) {
      if (!hasIncomingPayment(flow)) continue
      for (const op of flow.ops('bin')) if (isShareCount(flow, op) && isMinted(flow, op)) yield { flow, quotient: op }
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
  finding: ({ flow, quotient }) => {
    const asset = dependsOn(flow, quotient, isOwnEther) ? 'ETH' : 'tokens'
    return {
      at: quotient,
      message: `The first depositor can mint one share and donate ${asset}, so that later deposits through \`${flow.name}()\` round down to zero shares, and then redeem what they lost.`,
      trace: [witnessStep(flow, quotient, `donates ${asset} before others deposit`), ...flow.trace(quotient)],
    }
  },
})
