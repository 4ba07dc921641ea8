import { Session } from 'node:inspector'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { compileFunction } from 'node:vm'
import { buildSync } from 'esbuild'

/**
 * How much work a piece of code does, reported by the counters of the JavaScript engine and not by a clock: how often its functions, branches
 * and loop bodies ran. A busy machine changes nothing; calls that the compiler has inlined are not counted, so the same input can differ by
 * a tenth: compare with room for that. What built-in functions do inside counts as one
 * step each; `countRead` looks at those that read text.
 */
export interface Counted<Exports> {
  readonly exports: Exports
  /** Steps taken within this module and all that it imports. */
  countSteps(work: (exports: Exports) => unknown): number
  /** Counting slows down everything in the process. */
  stop(): void
}

/** Loads a module afresh, so that its counters are in place before anything of it is compiled. */
export function loadCounted<Exports>(entry: URL): Counted<Exports> {
  const file = fileURLToPath(entry)
  const { outputFiles } = buildSync({
    entryPoints: [file],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    external: ['node:*'],
  })
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const filename = `counted:${file}`
  const module = { exports: {} as Exports }
  compileFunction(outputFiles[0]?.text ?? '', ['module', 'exports', 'require'], { filename })(
    module,
    module.exports,
    createRequire(entry),
  )
  const take = (): number => {
    let steps = 0
    session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
      const counted = result.find(({ url }) => url === filename)
      for (const { ranges } of counted?.functions ?? []) for (const { count } of ranges) steps += count
    })
    return steps
  }
  return {
    exports: module.exports,
    countSteps(work) {
      take()
      work(module.exports)
      return take()
    },
    stop: () => session.disconnect(),
  }
}

/** How many characters regular expressions and the search for a text have passed over: what is read again counts again. */
export function countRead(work: () => unknown): number {
  let read = 0
  const { exec } = RegExp.prototype
  const { indexOf, slice } = String.prototype
  // Methods that take an expression go through the `exec` that they find.
  RegExp.prototype.exec = function (this: RegExp, text: string) {
    const from = this.global || this.sticky ? this.lastIndex : 0
    const match = exec.call(this, text)
    read += Math.max(1, (match ? match.index + match[0].length : text.length) - from)
    return match
  }
  String.prototype.indexOf = function (this: string, wanted: string, from = 0) {
    const at = indexOf.call(this, wanted, from)
    read += Math.max(1, (at < 0 ? this.length : at) - from)
    return at
  }
  String.prototype.slice = function (this: string, ...range: [number?, number?]) {
    const part = slice.apply(this, range)
    read += part.length
    return part
  }
  try {
    work()
  } finally {
    RegExp.prototype.exec = exec
    String.prototype.indexOf = indexOf
    String.prototype.slice = slice
  }
  return read
}
