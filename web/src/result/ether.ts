const weiPerEther = 10n ** 18n

/** Wei in the unit people think in; what is too small for it stays in wei. */
export function formatWei(digits: string): string {
  const wei = BigInt(digits)
  const size = wei < 0n ? -wei : wei
  if (size === 0n) return '0 ether'
  if (size < weiPerEther / 1_000_000n) return `${wei} wei`
  const whole = size / weiPerEther
  const fraction = (size % weiPerEther).toString().padStart(18, '0').slice(0, 6).replace(/0+$/, '')
  return `${wei < 0n ? '-' : ''}${whole}${fraction && `.${fraction}`} ether`
}

/** Shares of the largest number, 0 to 1, for bars beside each other. */
export function sharesOf(digits: readonly string[]): number[] {
  const numbers = digits.map(BigInt)
  const largest = numbers.reduce((a, b) => (a > b ? a : b), 0n)
  if (largest === 0n) return numbers.map(() => 0)
  // Numbers of this size do not fit into a float: four digits of the share do.
  return numbers.map((one) => Number((one * 10_000n) / largest) / 10_000)
}

/** Wei as ether; of a token, whose decimals nobody knows here, the digits. */
export const formatAmount = (digits: string, token: string | undefined): string => (token ? digits : formatWei(digits))

/** Bars before and after, each asset with a scale of its own. */
export function sharesByAsset(
  balances: readonly { token?: string | undefined; before: string; after: string }[],
): { before: number; after: number }[] {
  return balances.map(({ token, before, after }) => {
    const same = balances.filter((each) => each.token === token)
    const [first = 0, second = 0] = sharesOf([before, after, ...same.flatMap((each) => [each.before, each.after])])
    return { before: first, after: second }
  })
}
