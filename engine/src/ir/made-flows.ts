/** What has been followed already: flows that contracts can share, and the functions that some flow runs. */
import type { FunctionModel } from '../model/index.ts'
import type { Flow } from './flow.ts'

/** Flows already made of functions that several contracts may run, to be shared where dispatch gives the same answers. */
export class FlowCache {
  #flows: Map<FunctionModel, Flow[]> | null = null

  of(fn: FunctionModel): readonly Flow[] {
    return this.#flows?.get(fn) ?? noFlows
  }

  add(fn: FunctionModel, flow: Flow): void {
    if (fn.contract === null || fn.contract.isMostDerived) return
    this.#flows ??= new Map()
    const known = this.#flows.get(fn)
    if (known === undefined) this.#flows.set(fn, [flow])
    else known.push(flow)
  }
}

const noFlows: readonly Flow[] = []

/** Functions and modifiers that run in some flow of a list, also of one that grows. */
export class Covered {
  readonly #flows: readonly Flow[]
  /** Only what ran as a whole counts. */
  readonly #isStrict: boolean
  #known: Set<object> | null = null
  #seen = 0

  constructor(flows: readonly Flow[], { strict = false } = {}) {
    this.#flows = flows
    this.#isStrict = strict
  }

  includes(fn: FunctionModel): boolean {
    this.#known ??= new Set()
    for (; this.#seen < this.#flows.length; this.#seen++) {
      const { covered, isCutInside } = this.#flows[this.#seen]!.ir
      if (isCutInside && this.#isStrict) continue
      for (let i = 0; i < covered.length; i++) this.#known.add(covered[i]!)
    }
    return this.#known.has(fn)
  }
}
