import { isZero, type StoreOp } from '../ir/index.ts'

/** Nothing is left there: deleted, or set to zero. */
export const isCleared = ({ flag, args }: StoreOp): boolean => flag || isZero(args[0])
