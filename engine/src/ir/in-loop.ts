import type { LoopMark, Op } from './ir.ts'

/** The operation stands inside of the loop, its test included. */
export const isInLoop = ({ header, last }: LoopMark, { block }: Op): boolean => block >= header && block <= last
