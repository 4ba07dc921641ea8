/**
 * What someone owns, asset by asset: ether first, then every token of the scene. There are no prices, so a change is a gain only when
 * nothing else became less; and a token counts only when others have less of it, because whatever is minted for everybody is taken from nobody.
 */

export interface Holding {
  readonly own: bigint
  /** Of everybody else in the scene together; of ether nobody asks. */
  readonly others: bigint
}

/** Ether, then the tokens in the order of the scene. */
export type Holdings = readonly Holding[]

export interface Change {
  /** Place in the holdings: 0 is ether. */
  readonly asset: number
  readonly amount: bigint
}

/** What is more now; undefined when nothing is, or when something else is less. */
export const gainOf = (after: Holdings, before: Holdings): Change | undefined => {
  const changes = changesOf(after, before)
  if (changes.some(({ amount }) => amount < 0n)) return undefined
  return changes.find(({ asset }) => asset === 0 || isTaken(after, before, asset))
}

/**
 * What is more now than in a control run that lacks nothing but the flagged lever, and nothing else is less. Tokens out of nothing count here:
 * the control shows that nobody is given them.
 */
export const profitOf = (after: Holdings, control: Holdings): Change | undefined => {
  const changes = changesOf(after, control)
  return changes.some(({ amount }) => amount < 0n) ? undefined : changes[0]
}

/** What is less now; undefined when nothing is, or when something else is more. */
export const lossOf = (after: Holdings, before: Holdings): Change | undefined => {
  const changes = changesOf(after, before)
  if (changes.some(({ amount }) => amount > 0n)) return undefined
  const [loss] = changes
  return loss && { ...loss, amount: -loss.amount }
}

const changesOf = (after: Holdings, before: Holdings): Change[] =>
  after.flatMap(({ own }, asset) => {
    const amount = own - (before[asset]?.own ?? 0n)
    return amount === 0n ? [] : [{ asset, amount }]
  })

const isTaken = (after: Holdings, before: Holdings, asset: number): boolean =>
  (after[asset]?.others ?? 0n) < (before[asset]?.others ?? 0n)

/** The change of one asset, also where others changed too. */
export const changeOf = (after: Holdings, before: Holdings, asset: number): bigint =>
  (after[asset]?.own ?? 0n) - (before[asset]?.own ?? 0n)
