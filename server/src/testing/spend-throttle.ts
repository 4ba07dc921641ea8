import { count, type ThrottleDeps, type ThrottleName } from '../services/throttle.ts'

/** Does what is counted until there is no room for more. */
export async function spendThrottle(deps: ThrottleDeps, name: ThrottleName, subject: string): Promise<void> {
  while ((await count(deps, name, subject)).isAdmitted);
}
