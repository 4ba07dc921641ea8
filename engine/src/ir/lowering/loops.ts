/**
 * Loops: the head has phis for the locals that the loop may change, since what they hold there is known only at its end.
 * The order is `openLoop`, `testLoop` (before the body or after it), `enterBody`, `leaveBody`, `closeLoop`.
 */

import type { VariableModel } from '../../model/index.ts'
import type { Span } from '../../syntax/index.ts'
import { rootOf } from '../field-path.ts'
import type { BasicBlock, LoopMark, Op } from '../ir.ts'
import type { Builder } from './builder.ts'
import { Exit, OpenLoop } from './frames.ts'
import { join } from './joins.ts'
import { smallNumber } from './numbers.ts'
import { child } from './places.ts'

/** Names are those that the loop may assign; null stands for all. */
export const openLoop = (to: Builder, node: Span, names: Set<string> | null): OpenLoop => {
  const header = to.newBlock()
  to.edge(to.cur!, header)
  to.cur = header
  const { start, end } = to.stubSpan ?? node
  const mark: LoopMark = { header: header.id, last: header.id, test: -1, site: to.site, node, start, end }
  to.addLoop(mark)
  return new OpenLoop(header, mark, headPhis(to, header, names), to.loop)
}

const headPhis = (to: Builder, header: BasicBlock, names: Set<string> | null): readonly Op[] => {
  to.held = null
  const phis: Op[] = []
  for (const slot of to.frame.inSight) {
    const value = to.env[slot]
    const variable = to.variableIn(slot) as VariableModel | null
    if (value === undefined || variable === null || (names !== null && !names.has(variable.name))) continue
    const phi = to.make('phi', null, variable.name, [value], null, null, false, smallNumber(slot), variable)
    if (value.kind === 'ref' && value.location !== null) {
      phi.location = child(to, rootOf(value.location), 'any', '', null)
    }
    phis.push(phi)
    to.setSlot(slot, phi)
  }
  header.phis.push(...phis)
  return phis
}

/** Goes on where the condition holds; where it does not, the loop is left. `while (true)` is left by what stands in it alone. */
export const testLoop = (to: Builder, loop: OpenLoop, condition: Op): void => {
  if (to.cur === null || isAlways(condition)) return
  loop.mark.test = to.cur.id
  loop.tested = to.fork(condition)
}

const isAlways = ({ kind, constant }: Op): boolean => kind === 'const' && constant !== null && constant !== 0n

export const enterBody = (to: Builder, loop: OpenLoop): void => {
  to.loop = loop
}

/** Goes on where the rounds end. */
export const leaveBody = (to: Builder, loop: OpenLoop): void => {
  to.loop = loop.outer
  if (to.cur !== null) loop.continues.push(to.exit())
  join(to, loop.continues)
}

/** `break` and `continue`. */
export const leaveRound = (to: Builder, isBreak: boolean): void => {
  const { loop } = to
  if (loop === null || to.cur === null) return
  const exits = isBreak ? loop.breaks : loop.continues
  exits.push(to.exit())
  to.cur = null
}

/** Leads back to the head, and goes on behind the loop. What no way leads back to runs once: `for {} 1 {} { …; break }`. */
export const closeLoop = (to: Builder, { header, mark, phis, breaks, tested }: OpenLoop): void => {
  if (to.cur !== null) {
    to.edge(to.cur, header)
    for (let i = 0; i < phis.length; i++) {
      const phi = phis[i]!
      phi.args.push(to.env[Number(phi.constant)] ?? phi)
    }
  } else to.dropLoop(mark)
  mark.last = to.blocks.length - 1
  if (tested !== null) {
    const out = to.newBlock()
    to.edge(tested.block, out)
    breaks.push(new Exit(out, tested.env, tested.held))
  }
  join(to, breaks)
}
