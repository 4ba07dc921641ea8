import { hash, verify } from '@node-rs/argon2'
import type { Gauges } from '../core/gauges.ts'
import { createFairGate } from './fair-gate.ts'

/**
 * Slow on purpose, and bounded: a flood of logins waits or is refused instead of eating memory and threads. `lane` says who asks (a
 * network): lanes take turns, so that a flood waits for itself.
 */
export interface Passwords {
  hash(password: string, lane: string): Promise<string>
  verify(passwordHash: string, password: string, lane: string): Promise<boolean>
  /** The same work as `verify` for an account that does not exist. */
  verifyNothing(password: string, lane: string): Promise<false>
}

/** OWASP's choice for argon2id, which is the library's default algorithm: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

interface PasswordOptions {
  readonly parallel: number
  readonly gauges?: Pick<Gauges, 'add'> | undefined
}

export function createPasswords({ parallel, gauges }: PasswordOptions): Passwords {
  const gate = createFairGate({ parallel })
  gauges?.add('passwords', () => gate.size)
  let nothing: Promise<string> | undefined
  const normal = (password: string): string => password.normalize('NFKC')
  return {
    hash: (password, lane) => gate.run(lane, () => hash(normal(password), cost)),
    verify: (passwordHash, password, lane) => gate.run(lane, () => verify(passwordHash, normal(password))),
    async verifyNothing(password, lane) {
      nothing ??= hash('the password of nobody', cost)
      const passwordHash = await nothing
      await gate.run(lane, () => verify(passwordHash, normal(password)))
      return false
    },
  }
}
