import type { Context, Flow } from '../ir/index.ts'
import type { Model } from '../model/index.ts'
import type { Span } from '../syntax/index.ts'

/** Functions that an entry point, a constructor or a user of a library runs, directly or through calls. */
export class Reached {
  readonly #model: Model
  readonly #functions = new Set<object>()

  constructor(model: Model) {
    this.#model = model
  }

  add(functions: Iterable<object>): void {
    for (const fn of functions) this.#functions.add(fn)
  }

  /** Code outside of functions counts as reached. */
  includes({ start }: Span): boolean {
    const fn = this.#model.functionAt(start)
    return fn === undefined || this.#functions.has(fn)
  }
}

/** What the entry points of a partition run. */
export const reachedIn = ({ functions }: Context): ReadonlySet<object> => {
  const reached = new Set<object>()
  for (const flow of functions) if (isOpen(flow)) for (const part of flow.ir.covered) reached.add(part)
  return reached
}

/** A library's functions are there for contracts that are not in the scan. */
const isOpen = (flow: Flow): boolean => flow.isEntryPoint || flow.isConstructor || flow.kind === 'library'
