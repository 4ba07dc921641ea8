import { diffLines } from './diff-lines.ts'

/** Whether two texts are one contract before and after a change: most lines of both are the same. */
export function isOneContract(before: string, after: string): boolean {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const same = diffLines(old, now).filter(({ kind }) => kind === 'same').length
  return same >= 0.5 * Math.max(old.length, now.length)
}
