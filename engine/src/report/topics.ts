import type { FileFacts } from './file-facts.ts'

/** What advice can be about, as bits of one number: most files give rise to a third of it, and the rest is not looked at. */
export const Topic = {
  contracts: 1 << 0,
  oldCompiler: 1 << 1,
  stateChanges: 1 << 2,
  ownership: 1 << 3,
  storedAddresses: 1 << 4,
  privileges: 1 << 5,
  origin: 1 << 6,
  sending: 1 << 7,
  payingInLoops: 1 << 8,
  lowLevelCalls: 1 << 9,
  delegateCalls: 1 << 10,
  tokens: 1 << 11,
  receiving: 1 << 12,
  selfDestruct: 1 << 13,
  unchecked: 1 << 14,
  assembly: 1 << 15,
  time: 1 << 16,
  randomness: 1 << 17,
  oracles: 1 << 18,
  signatures: 1 << 19,
  bareRequires: 1 << 20,
  textRequires: 1 << 21,
  emergencies: 1 << 22,
  upgrades: 1 << 23,
  entries: 1 << 24,
  tests: 1 << 25,
} as const

const ownerships = ['ownable', 'ownableupgradeable', 'owned', 'ownable2step', 'ownable2stepupgradeable']

const hasOwnership = (known: ReadonlySet<string>): boolean =>
  known.size > 0 && ownerships.some((name) => known.has(name))

export const topicsOf = (facts: FileFacts): number =>
  topicsOfFile(facts) | topicsOfFunctions(facts) | topicsOfCode(facts)

const topicsOfFile = ({ hasContracts, hasPragma, versions, known, handOvers, isUpgradeable }: FileFacts) => {
  let topics = 0
  if (hasContracts) topics |= Topic.contracts
  if (hasPragma && versions.overlaps(null, '0.8.0')) topics |= Topic.oldCompiler
  if (handOvers.length > 0 || hasOwnership(known)) topics |= Topic.ownership
  if (isUpgradeable) topics |= Topic.upgrades
  return topics
}

const topicsOfFunctions = ({ groups }: FileFacts): number => {
  let topics = 0
  if (groups.writers.length > 0) topics |= Topic.stateChanges
  if (groups.uncheckedStorers.length > 0) topics |= Topic.storedAddresses
  if (groups.privilegedWriters.length > 0) {
    topics |= Topic.privileges
    if (groups.paysOut) topics |= Topic.emergencies
  }
  if (groups.senders.length > 0) topics |= Topic.sending
  if (groups.loopPayers.length > 0) topics |= Topic.payingInLoops
  if (groups.lowLevelCallers.length > 0) topics |= Topic.lowLevelCalls
  if (groups.delegators.length > 0) topics |= Topic.delegateCalls
  if (groups.tokenCallers.length > 0) topics |= Topic.tokens
  if (groups.payables.length > 0) topics |= Topic.receiving
  if (groups.entryCount > 0) topics |= Topic.entries
  if (groups.doers.length > 0) topics |= Topic.tests
  return topics
}

const topicsOfCode = ({ gathered, hasPragma, versions }: FileFacts): number => {
  let topics = 0
  if (gathered.usesTxOrigin) topics |= Topic.origin
  if (gathered.selfDestructs) topics |= Topic.selfDestruct
  if (gathered.hasUnchecked) topics |= Topic.unchecked
  if (gathered.hasAssembly) topics |= Topic.assembly
  if (gathered.usesTime) topics |= Topic.time
  if (gathered.usesChainRandomness) topics |= Topic.randomness
  if (gathered.usesOracle) topics |= Topic.oracles
  if (gathered.hasEcrecover) topics |= Topic.signatures
  if (gathered.bareRequires > 0) topics |= Topic.bareRequires
  if (gathered.textRequires > 2 && hasPragma && !versions.overlaps(null, '0.8.4')) topics |= Topic.textRequires
  return topics
}
