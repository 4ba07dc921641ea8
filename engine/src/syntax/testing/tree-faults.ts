import type { ParseResult } from '../parse.ts'
import { listChildren, type Node } from '../visit.ts'

/**
 * What is wrong with a tree, in words, or null: spans inside the text and inside the parent, siblings in order and
 * apart. Holds for every input, so tests and the fuzz bench ask it about broken ones.
 */
export const findTreeFault = (text: string, base: number, { unit, errors, comments }: ParseResult): string | null => {
  const end = base + text.length
  for (const span of [...errors, ...comments])
    if (span.start < base || span.end > end || span.start > span.end) return `span ${span.start}-${span.end} is outside`
  if (unit.start !== base || unit.end !== end) return 'the unit does not cover the text'
  const stack: Node[] = [unit]
  const children: Node[] = []
  while (stack.length > 0) {
    const parent = stack.pop()!
    children.length = 0
    listChildren(parent, children)
    let from = parent.start
    for (const child of children) {
      if (!(child.start >= from && child.start <= child.end && child.end <= parent.end))
        return describe(parent, child, from)
      from = child.end
      stack.push(child)
    }
  }
  return null
}

const describe = (parent: Node, child: Node, from: number): string =>
  `${child.kind} ${child.start}-${child.end} does not fit into ${parent.kind} ${parent.start}-${parent.end} from ${from} on`
