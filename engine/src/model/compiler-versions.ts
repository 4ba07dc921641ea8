/** The compilers a file's pragma admits. Versions are `minor * 1000 + patch`: 0.8.19 is 8019. */
export interface CompilerVersions {
  /** Lowest admitted; 4000 when nothing is stated. */
  readonly lowest: number
  /** Highest admitted, inclusive; Infinity when open. */
  readonly highest: number
  /** False when there is no solidity pragma: the range is then guessed from the syntax used. */
  readonly stated: boolean
  /** Every admitted compiler is at least 0.minor.patch. */
  isAtLeast(minor: number, patch?: number): boolean
  /** Every admitted compiler is below 0.minor.patch. */
  isBelow(minor: number, patch?: number): boolean
  admits(minor: number, patch?: number): boolean
  /** Whether `+ - *` revert on overflow outside `unchecked`: 'depends' when the pragma admits both. */
  readonly checkedArithmetic: 'always' | 'never' | 'depends'
}
