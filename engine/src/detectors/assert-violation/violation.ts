import { type Flow, isGasLeft, type Op, stripCasts } from '../../ir/index.ts'

/** A panic that someone can bring about. */
export interface Violation {
  readonly flow: Flow
  /** The `assert`, or the read of an element that is not there. */
  readonly op: Op
  /** What is asserted; null for an element. */
  readonly condition: Op | null
  readonly message: string
}

/** Gas at one time against gas at another. */
export const isGasComparison = ({ kind, args }: Op): boolean =>
  kind === 'bin' && args.every((arg) => isGasLeft(stripCasts(arg!)))
