/**
 * A worker's heap limit does not cover the memory behind array buffers, which lives outside the heap. Inside a worker this guard makes
 * every constructor that allocates such memory ask first, and ends the thread when heap and buffers together would pass the limit: an
 * exception could be caught on the way, and what the task holds would stay. Asking V8 is not free, so small allocations are
 * summed up and V8 is asked once per step.
 */
export const EXIT_OUT_OF_MEMORY = 71

const STEP_BYTES = 8 * 1024 * 1024

const GUARDED = [
  'ArrayBuffer',
  'SharedArrayBuffer',
  'Int8Array',
  'Uint8Array',
  'Uint8ClampedArray',
  'Int16Array',
  'Uint16Array',
  'Int32Array',
  'Uint32Array',
  'Float32Array',
  'Float64Array',
  'BigInt64Array',
  'BigUint64Array',
] as const

type BufferConstructor = { new (...args: unknown[]): object; BYTES_PER_ELEMENT?: number }

/** Installs the guard in this thread, for good. */
export function guardBuffers(limitBytes: number): void {
  let unasked = 0
  const account = (bytes: number): void => {
    unasked += bytes
    if (unasked < STEP_BYTES) return
    unasked = 0
    const { arrayBuffers, heapUsed } = process.memoryUsage()
    if (arrayBuffers + heapUsed + bytes > limitBytes) process.exit(EXIT_OUT_OF_MEMORY)
  }
  const globals = globalThis as unknown as Record<string, BufferConstructor>
  for (const name of GUARDED) {
    const original = globals[name]
    if (original) globals[name] = guarded(original, account)
  }
}

/** A plain function: through a proxy every small array of a scan would cost several times its own making. */
function guarded(original: BufferConstructor, account: (bytes: number) => void): BufferConstructor {
  const unit = original.BYTES_PER_ELEMENT ?? 1
  function construct(this: unknown, ...args: unknown[]): object {
    // Called without `new`: the original says why that is wrong.
    if (new.target === undefined) return (original as unknown as (...args: unknown[]) => object)(...args)
    const [first] = args
    if (typeof first === 'number') account(first * unit)
    else if (Array.isArray(first) || (ArrayBuffer.isView(first) && 'length' in first))
      account((first as { length: number }).length * unit)
    return (new.target as unknown) === construct
      ? new original(...args)
      : (Reflect.construct(original, args, new.target as unknown as BufferConstructor) as object)
  }
  construct.prototype = original.prototype
  Object.defineProperty(construct, 'name', { value: original.name })
  return Object.setPrototypeOf(construct, original) as unknown as BufferConstructor
}
