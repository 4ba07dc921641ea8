import { hash, verify } from '@node-rs/argon2'
import { refuse } from '../core/errors.ts'

/** Slow on purpose, and bounded: a flood of logins waits or is refused instead of eating memory and threads. */
export interface Passwords {
  hash(password: string): Promise<string>
  verify(passwordHash: string, password: string): Promise<boolean>
  /** The same work as `verify` for an account that does not exist. */
  verifyNothing(password: string): Promise<false>
}

/** OWASP's choice for argon2id, which is the library's default algorithm: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const MAX_WAITING = 200
const RETRY_SECONDS = 2

export function createPasswords(options: { parallel: number }): Passwords {
  const gate = createGate(options.parallel)
  let nothing: Promise<string> | undefined
  const normal = (password: string): string => password.normalize('NFKC')
  return {
    hash: (password) => gate(() => hash(normal(password), cost)),
    verify: (passwordHash, password) => gate(() => verify(passwordHash, normal(password))),
    async verifyNothing(password) {
      nothing ??= hash('the password of nobody', cost)
      const passwordHash = await nothing
      await gate(() => verify(passwordHash, normal(password)))
      return false
    },
  }
}

/** At most `parallel` at a time; refuses when too many wait. */
function createGate(parallel: number) {
  const waiting: (() => void)[] = []
  let running = 0
  const enter = async (): Promise<void> => {
    if (running < parallel) {
      running += 1
      return
    }
    if (waiting.length >= MAX_WAITING) refuse('busy', RETRY_SECONDS)
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const leave = (): void => {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
