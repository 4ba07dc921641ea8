import type { Practice } from '../practice.ts'
import { accessControl } from './access-control.ts'
import { arithmetic } from './arithmetic.ts'
import { compiler } from './compiler.ts'
import { documentation } from './documentation.ts'
import { etherAndTokens } from './ether-and-tokens.ts'
import { eventsAndErrors } from './events-and-errors.ts'
import { externalCalls } from './external-calls.ts'
import { oraclesAndSignatures } from './oracles-and-signatures.ts'
import { timeAndRandomness } from './time-and-randomness.ts'
import { upgrades } from './upgrades.ts'

/** In the order of the checklist; those of one category stand together. */
export const practices: readonly Practice[] = [
  ...compiler,
  ...accessControl,
  ...externalCalls,
  ...etherAndTokens,
  ...arithmetic,
  ...timeAndRandomness,
  ...oraclesAndSignatures,
  ...eventsAndErrors,
  ...upgrades,
  ...documentation,
]
