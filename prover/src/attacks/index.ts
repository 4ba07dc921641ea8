import { arbitraryWrite } from './arbitrary-write.ts'
import type { Attack } from './attack.ts'
import { donatedToken } from './donation.ts'
import { filledList } from './filled-list.ts'
import { forcedEther } from './forced-ether.ts'
import { integerOverflow } from './integer-overflow.ts'
import { misnamedConstructor } from './misnamed-constructor.ts'
import { movedPrice } from './moved-price.ts'
import { movedTime } from './moved-time.ts'
import { originPhishing } from './origin-phishing.ts'
import { predictedChance } from './predicted-chance.ts'
import { reentrancy } from './reentrancy.ts'
import { refusedPayment } from './refused-payment.ts'
import { shareInflation } from './share-inflation.ts'
import { sharedPayment } from './shared-payment.ts'
import { doubleClaim, forgedCallback, missingAccessControl, selfTransfer, theft } from './theft.ts'
import { transactionOrder } from './transaction-order.ts'
import { transferFee } from './transfer-fee.ts'
import { uncheckedCall } from './unchecked-call.ts'
import { unprotectedSelfdestruct } from './unprotected-selfdestruct.ts'
import { unprotectedWithdrawal } from './unprotected-withdrawal.ts'
import { untrustedDelegatecall } from './untrusted-delegatecall.ts'
import { malleableSignature, replayedSignature, signatureForAnother } from './used-signature.ts'

/** Every class that the prover can execute. */
export const attacks: readonly Attack[] = [
  integerOverflow,
  uncheckedCall,
  unprotectedWithdrawal,
  unprotectedSelfdestruct,
  reentrancy,
  untrustedDelegatecall,
  refusedPayment,
  transactionOrder,
  originPhishing,
  movedTime,
  malleableSignature,
  misnamedConstructor,
  predictedChance,
  replayedSignature,
  signatureForAnother,
  arbitraryWrite,
  filledList,
  forcedEther,
  missingAccessControl,
  forgedCallback,
  selfTransfer,
  sharedPayment,
  theft,
  doubleClaim,
  shareInflation,
  movedPrice,
  transferFee,
  donatedToken,
]

/** By the detector, where one is written for it, else by the class. */
export const attackFor = ({
  detector,
  swc,
}: {
  readonly detector: string
  readonly swc: string | null
}): Attack | undefined =>
  attacks.find(({ detectors = [] }) => detectors.includes(detector)) ??
  attacks.find((attack) => attack.swc !== undefined && attack.swc === swc)
