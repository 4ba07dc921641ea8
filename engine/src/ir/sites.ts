/** Where an operation stands among the functions that were inlined to reach it. */
import type { Expression, Span } from '../syntax/index.ts'
import type { Op, Site } from './ir.ts'

export interface Step {
  readonly at: Span
  readonly message: string
}

/** `entry`: the name of the function that the outermost site is called in. */
export const stepsTo = (op: Op, entry: string): Step[] => {
  const steps: Step[] = []
  for (let site: Site | null = op.site; site !== null; site = site.parent) {
    if (site.call === null) continue
    const [caller, callee] = [callerOf(site, entry), calleeOf(site)]
    const called = caller === callee ? calleeOfSameName(site.fn, callee) : `\`${callee}\``
    steps.push({
      at: { start: site.call.start, end: site.call.end },
      message: `\`${caller}\` calls ${called} here.`,
    })
  }
  return steps.reverse()
}

/** Of two functions with one name the library or the parameters tell which is called, where these can be read at a glance. */
const calleeOfSameName = (fn: Site['fn'], callee: string): string => {
  if (fn.kind !== 'function') return `\`${callee}\``
  if (fn.contract?.contractKind === 'library') return `\`${fn.contract.name}.${callee}\``
  const isPlain = !fn.signature.includes('((') && !fn.signature.includes(',(') && fn.signature.length <= 60
  return isPlain ? `\`${fn.signature}\`` : `another \`${callee}\``
}

/** `super.transfer()` where a function calls the one that it overrides: both have one name. */
const calleeOf = ({ fn, call }: Site): string => {
  const node = call?.node as Expression | null | undefined
  const callee = node?.kind === 'Call' ? node.callee : null
  const isSuper = callee?.kind === 'Member' && callee.object.kind === 'Identifier' && callee.object.name === 'super'
  return `${isSuper ? 'super.' : ''}${fn.name || 'constructor'}()`
}

const callerOf = ({ parent }: Site, entry: string): string => {
  if (parent === null) return `${entry}()`
  return parent.call === null ? parent.fn.name : `${parent.fn.name || 'constructor'}()`
}

/** In the function that leads to both; of those in installed packages, where that is called. */
export const inCommonCaller = (op: Op, other: Op): Span => {
  const around = new Set<Site | null>([null])
  for (let site: Site | null = other.site; site !== null; site = site.parent)
    if (!isInstalled(site.fn.file.path)) around.add(site)
  let at: Span = { start: op.start, end: op.end }
  for (let site: Site | null = op.site; !around.has(site); site = site!.parent)
    at = { start: site!.at.start, end: site!.at.end }
  return at
}

const isInstalled = (path: string): boolean => path.includes('node_modules/')

export const inEntry = (op: Op): Span => {
  let at: Span = { start: op.start, end: op.end }
  for (let site = op.site; site !== null; site = site.parent) at = { start: site.at.start, end: site.at.end }
  return at
}
