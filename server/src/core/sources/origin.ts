/** Where sources were fetched from: part of the result, so that a reader knows what was scanned. */
export type Origin = AddressOrigin | RepositoryOrigin

export interface AddressOrigin {
  readonly kind: 'address'
  readonly chain: number
  readonly address: string
  readonly provider: 'sourcify' | 'etherscan'
  /** `partial`: the bytecode is the same but for its metadata; comments and names may differ from the deployed source. */
  readonly match: 'exact' | 'partial' | 'unknown'
  /** The contract behind a proxy, whose source it is. */
  readonly implementation: string | null
  /** Of a proxy with several: none of them was scanned. */
  readonly notScanned: readonly string[]
}

export interface RepositoryOrigin {
  readonly kind: 'repository'
  readonly repository: string
  readonly ref: string | null
  readonly path: string | null
}

/** What a reader must know before they trust the result; empty when there is nothing. */
export function caveatOf(origin: Origin | undefined): string {
  if (origin?.kind !== 'address') return ''
  if (origin.notScanned.length > 0)
    return ` This is a proxy with ${origin.notScanned.length} implementations, none of which was scanned.`
  return origin.match === 'partial'
    ? ' The source is a partial match: it compiles to the deployed bytecode, but its comments and names may differ.'
    : ''
}
