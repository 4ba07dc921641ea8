const weiPerEther = 10n ** 18n

/** Wei in the unit people think in; what is too small for it stays in wei. */
export function formatWei(digits: string): string {
  const wei = BigInt(digits)
  const size = sizeOf(wei)
  if (size === 0n) return '0 ether'
  if (size < weiPerEther / 1_000_000n) return `${wei} wei`
  const whole = size / weiPerEther
  const fraction = (size % weiPerEther).toString().padStart(18, '0').slice(0, 6).replace(/0+$/, '')
  return `${wei < 0n ? '-' : ''}${whole.toLocaleString('en-US')}${fraction && `.${fraction}`} ether`
}

const sizeOf = (value: bigint): bigint => (value < 0n ? -value : value)

/** Wei as ether; of a token, whose decimals nobody knows here, the digits. */
export const formatAmount = (digits: string, token: string | undefined): string => (token ? digits : formatWei(digits))

/** What someone gained, with a plus, or lost. */
export const formatChange = (digits: string, token: string | undefined): string =>
  `${digits.startsWith('-') ? '' : '+'}${formatAmount(digits, token)}`

export interface Balance {
  holder: string
  token?: string | undefined
  before: string
  after: string
}

export interface BalanceChange extends Balance {
  /** In decimal digits; losses are below zero. */
  change: string
  /** Of the largest change of the same asset, 0 to 1; never so small that nobody would see it. */
  share: number
}

const leastShare = 0.03

/** Balance changes, ether first, the largest change of each asset first; who kept what they had is left out. */
export function changesOf(balances: readonly Balance[]): BalanceChange[] {
  const changed = balances
    .map((balance) => ({ ...balance, by: BigInt(balance.after) - BigInt(balance.before) }))
    .filter(({ by }) => by !== 0n)
    .sort((a, b) => compareAssets(a, b) || compareSizes(b.by, a.by))
  return changed.map(({ by, ...balance }) => ({
    ...balance,
    change: by.toString(),
    share: shareOf(by, changed.find(({ token }) => token === balance.token)?.by ?? by),
  }))
}

const compareAssets = (a: Balance, b: Balance): number => (a.token ?? '').localeCompare(b.token ?? '')

const compareSizes = (a: bigint, b: bigint): number => {
  const difference = sizeOf(a) - sizeOf(b)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** Numbers of this size do not fit into a float: four digits of the share do. */
const shareOf = (one: bigint, largest: bigint): number =>
  Math.max(Number((sizeOf(one) * 10_000n) / sizeOf(largest)) / 10_000, leastShare)
