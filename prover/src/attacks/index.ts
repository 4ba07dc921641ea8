import type { Attack } from './attack.ts'
import { misnamedConstructor } from './misnamed-constructor.ts'
import { reentrancy } from './reentrancy.ts'
import { unprotectedSelfdestruct } from './unprotected-selfdestruct.ts'
import { unprotectedWithdrawal } from './unprotected-withdrawal.ts'
import { untrustedDelegatecall } from './untrusted-delegatecall.ts'

/** Every class that the prover can execute. */
export const attacks: readonly Attack[] = [
  unprotectedWithdrawal,
  unprotectedSelfdestruct,
  reentrancy,
  untrustedDelegatecall,
  misnamedConstructor,
]
