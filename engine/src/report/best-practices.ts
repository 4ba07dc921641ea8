import { bySeverity } from './by-severity.ts'
import type { FunctionFacts } from './code-facts.ts'
import { type FileFacts, readFileFacts } from './file-facts.ts'
import type { Finding } from './finding.ts'
import type { ScannedFile } from './scanned-file.ts'

export interface BestPractices {
  /** What this file should change, the gravest first. */
  readonly recommendations: readonly string[]
  /** What applies to this file, by category; each item begins with `Done:`, `To do:` or `Check:`. */
  readonly checklist: readonly { readonly category: string; readonly items: readonly string[] }[]
}

/** One practice: whether it concerns this file, and what to say when it is kept or not. */
interface Practice {
  readonly category: string
  readonly applies: (facts: FileFacts) => boolean
  /** Absent: nobody but a person can tell, so it is a check. */
  readonly isKept?: (facts: FileFacts) => boolean
  readonly kept?: string
  readonly advice: (facts: FileFacts) => string
  /** Goes into the recommendations as well when it is not kept. */
  readonly isUrgent?: boolean
}

/** `a`, `b`, `c` and 2 more: each name once. */
const named = (functions: readonly { readonly name: string }[]): string => {
  const names = new Set<string>()
  let shown = ''
  for (const { name } of functions) {
    const before = names.size
    names.add(name)
    if (names.size === before || before >= 3) continue
    shown += before === 0 ? `\`${name}\`` : `, \`${name}\``
  }
  return names.size > 3 ? `${shown} and ${names.size - 3} more` : shown
}

const pick = (facts: FileFacts, test: (fn: FunctionFacts) => boolean): FunctionFacts[] => facts.entries.filter(test)

const ownerships = ['ownable', 'ownableupgradeable', 'owned', 'ownable2step', 'ownable2stepupgradeable']

const hasOwnership = ({ known }: FileFacts): boolean => known.size > 0 && ownerships.some((name) => known.has(name))

const practices: readonly Practice[] = [
  {
    category: 'Compiler',
    applies: ({ hasContracts }) => hasContracts,
    isKept: ({ hasPragma, versions }) => hasPragma && versions.isPinned,
    kept: 'The compiler version is pinned.',
    advice: ({ hasPragma }) =>
      hasPragma
        ? 'Pin the pragma to the one compiler version that is tested and deployed.'
        : 'State the compiler version: `pragma solidity 0.8.28;` with the version that is tested.',
  },
  {
    category: 'Compiler',
    applies: ({ hasPragma, versions }) => hasPragma && versions.overlaps(null, '0.8.0'),
    isKept: () => false,
    advice: () => 'Move to Solidity 0.8 or later: arithmetic is checked, and a decade of compiler bugs is fixed.',
    isUrgent: true,
  },
  {
    category: 'Compiler',
    applies: ({ hasContracts }) => hasContracts,
    isKept: ({ hasLicence }) => hasLicence,
    kept: 'The licence is stated.',
    advice: () => 'State the licence in the first line: `// SPDX-License-Identifier: …`.',
  },
  {
    category: 'Access control',
    applies: ({ writers }) => writers.length > 0,
    advice: (facts) => {
      const open = facts.writers.filter(({ isGuarded }) => !isGuarded)
      return open.length > 0
        ? `Anyone may call ${named(open)} and change state: confirm that this is meant.`
        : 'Every function that changes state restricts its caller: confirm who holds these rights.'
    },
  },
  {
    category: 'Access control',
    applies: (facts) => facts.handOvers.length > 0 || hasOwnership(facts),
    isKept: (facts) => facts.known.has('ownable2step') || facts.known.has('ownable2stepupgradeable'),
    kept: 'Ownership moves in two steps.',
    advice: (facts) => {
      const given = facts.handOvers
      return given.length > 0
        ? `Hand over rights in two steps (propose, accept): ${named(given)} does it at once, and a mistyped address locks everyone out.`
        : 'Use `Ownable2Step`: a mistyped new owner locks everyone out.'
    },
    isUrgent: true,
  },
  {
    category: 'Access control',
    applies: (facts) => facts.functions.some(({ uncheckedAddresses }) => uncheckedAddresses.length > 0),
    isKept: () => false,
    advice: (facts) =>
      `Refuse the zero address where one is stored: ${named(facts.functions.filter(({ uncheckedAddresses }) => uncheckedAddresses.length > 0))}.`,
    isUrgent: true,
  },
  {
    category: 'Access control',
    applies: (facts) => facts.privilegedChanges.length > 0,
    advice: (facts) =>
      `Put a multi-signature wallet or a timelock behind the rights that ${named(facts.privilegedChanges)} need.`,
  },
  {
    category: 'Access control',
    applies: ({ usesTxOrigin }) => usesTxOrigin,
    isKept: () => false,
    advice: () => 'Use `msg.sender`, never `tx.origin`, to tell who is calling.',
    isUrgent: true,
  },
  {
    category: 'External calls',
    applies: (facts) => facts.senders.length > 0,
    isKept: (facts) => facts.senders.every(({ usesLock, writesState }) => usesLock || !writesState),
    kept: 'Functions that send ether and change state are locked against reentry.',
    advice: (facts) => {
      const open = facts.senders.filter(({ usesLock, writesState }) => !usesLock && writesState)
      return facts.hasLock
        ? `Use the reentrancy lock in ${named(open)} too, or finish all bookkeeping before the call.`
        : `Finish all bookkeeping before the call, or add a reentrancy lock, in ${named(open)}.`
    },
    isUrgent: true,
  },
  {
    category: 'External calls',
    applies: (facts) => pick(facts, ({ sendsEther, loops }) => sendsEther && loops).length > 0,
    isKept: () => false,
    advice: (facts) =>
      `Let receivers withdraw instead of paying them in a loop: in ${named(pick(facts, ({ sendsEther, loops }) => sendsEther && loops))} one that refuses stops all.`,
    isUrgent: true,
  },
  {
    category: 'External calls',
    applies: (facts) => facts.functions.some(({ lowLevelCalls }) => lowLevelCalls > 0),
    advice: (facts) =>
      `Low-level calls (${named(facts.functions.filter(({ lowLevelCalls }) => lowLevelCalls > 0))}): the result is tested and the target holds code.`,
  },
  {
    category: 'External calls',
    applies: (facts) => facts.functions.some(({ delegateCalls }) => delegateCalls > 0),
    advice: (facts) =>
      `\`delegatecall\` (${named(facts.functions.filter(({ delegateCalls }) => delegateCalls > 0))}): the target is fixed or chosen by trusted hands, and the storage layouts agree.`,
  },
  {
    category: 'Ether and tokens',
    applies: (facts) => facts.functions.some(({ tokenCalls }) => tokenCalls > 0),
    isKept: ({ usesSafeToken }) => usesSafeToken,
    kept: 'Token calls go through a safe wrapper.',
    advice: (facts) =>
      `Use \`SafeERC20\` in ${named(facts.functions.filter(({ tokenCalls }) => tokenCalls > 0))}: some tokens return false or nothing at all.`,
    isUrgent: true,
  },
  {
    category: 'Ether and tokens',
    applies: (facts) => facts.functions.some(({ tokenCalls }) => tokenCalls > 0),
    advice: () => 'Tokens that take a fee, rebase or call back on transfer are refused or accounted for.',
  },
  {
    category: 'Ether and tokens',
    applies: (facts) => pick(facts, ({ isPayable }) => isPayable).length > 0,
    advice: (facts) =>
      `Ether that comes in through ${named(pick(facts, ({ isPayable }) => isPayable))} can get out again.`,
  },
  {
    category: 'Ether and tokens',
    applies: (facts) => facts.functions.some(({ selfDestructs }) => selfDestructs),
    isKept: () => false,
    advice: () =>
      'Do without `selfdestruct`: since the Cancun upgrade it mostly only sends the balance, and it breaks whoever depends on the contract.',
    isUrgent: true,
  },
  {
    category: 'Arithmetic',
    applies: ({ hasUnchecked }) => hasUnchecked,
    advice: () => 'Each `unchecked` block states in a comment why it cannot overflow.',
  },
  {
    category: 'Arithmetic',
    applies: ({ hasAssembly }) => hasAssembly,
    advice: () => 'Each assembly block is as short as can be, explained, and tested against a version without it.',
  },
  {
    category: 'Time and randomness',
    applies: ({ usesTime }) => usesTime,
    advice: () => 'Nothing depends on the block time to within a few seconds: whoever proposes the block can move it.',
  },
  {
    category: 'Time and randomness',
    applies: ({ usesChainRandomness }) => usesChainRandomness,
    isKept: () => false,
    advice: () =>
      'Take randomness from a verifiable source (VRF) or a commit-reveal scheme: block values can be known or steered.',
    isUrgent: true,
  },
  {
    category: 'Oracles and signatures',
    applies: ({ usesOracle }) => usesOracle,
    advice: () =>
      'Oracle answers are refused when they are stale, zero or negative, and a stopped feed does not stop the contract for good.',
  },
  {
    category: 'Oracles and signatures',
    applies: ({ hasEcrecover }) => hasEcrecover,
    isKept: ({ known }) => known.has('ecdsa'),
    kept: 'Signatures are checked by a library that refuses malleable ones.',
    advice: () =>
      'Check signatures with a library such as `ECDSA`, over EIP-712 data with a nonce, the chain and this contract.',
    isUrgent: true,
  },
  {
    category: 'Events and errors',
    applies: (facts) => facts.privilegedChanges.length > 0,
    isKept: (facts) => facts.privilegedChanges.every(({ emits }) => emits),
    kept: 'Privileged changes emit events.',
    advice: (facts) =>
      `Emit an event in ${named(facts.privilegedChanges.filter(({ emits }) => !emits))}, so that privileged changes can be watched.`,
    isUrgent: true,
  },
  {
    category: 'Events and errors',
    applies: ({ bareRequires }) => bareRequires > 0,
    isKept: () => false,
    advice: ({ bareRequires }) =>
      `Give ${bareRequires === 1 ? 'the `require` without a reason' : `the ${bareRequires} \`require\` without a reason`} one.`,
  },
  {
    category: 'Events and errors',
    applies: ({ textRequires, hasPragma, versions }) =>
      textRequires > 2 && hasPragma && !versions.overlaps(null, '0.8.4'),
    isKept: ({ hasCustomErrors, textRequires }) => hasCustomErrors && textRequires === 0,
    advice: ({ textRequires }) =>
      `Custom errors are cheaper and carry data: ${textRequires} \`require\` still use text.`,
  },
  {
    category: 'Events and errors',
    applies: (facts) =>
      facts.functions.some(({ sendsEther, tokenCalls }) => sendsEther || tokenCalls > 0) &&
      facts.privilegedChanges.length > 0,
    isKept: ({ hasPause }) => hasPause,
    kept: 'The contract can be paused in an emergency.',
    advice: () => 'Consider a pause for emergencies, and say who may use it.',
  },
  {
    category: 'Upgrades',
    applies: ({ isUpgradeable }) => isUpgradeable,
    isKept: ({ hasStorageGap }) => hasStorageGap,
    kept: 'A storage gap leaves room for new variables.',
    advice: () =>
      'Keep the storage layout compatible between versions: a gap or namespaced storage (ERC-7201), and a layout check before each upgrade.',
  },
  {
    category: 'Upgrades',
    applies: ({ isUpgradeable }) => isUpgradeable,
    advice: () => 'The implementation disables its initializers, and `initialize` runs in the deploying transaction.',
  },
  {
    category: 'Documentation and tests',
    applies: (facts) => facts.entries.length > 0,
    isKept: (facts) => facts.entries.every(({ isDocumented }) => isDocumented),
    kept: 'Every public function is documented.',
    advice: (facts) => {
      const all = facts.entries
      const bare = all.filter((fn) => !fn.isDocumented)
      return `Document ${named(bare)} in NatSpec (${all.length - bare.length} of ${all.length} public functions are).`
    },
  },
  {
    category: 'Documentation and tests',
    applies: (facts) => pick(facts, ({ writesState, sendsEther }) => writesState || sendsEther).length > 0,
    advice: (facts) =>
      `Tests cover refusals as well as successes of ${named(pick(facts, ({ writesState, sendsEther }) => writesState || sendsEther))}, and an invariant test watches the sums.`,
  },
]

const pushNew = (lines: string[], line: string): void => {
  if (!lines.includes(line)) lines.push(line)
}

/** One line per rule that found something, the gravest first. */
const fromFindings = (findings: readonly Finding[]): string[] => {
  const firsts: Finding[] = []
  for (const finding of findings)
    if (finding.swc !== null && !firsts.some(({ detector }) => detector === finding.detector)) firsts.push(finding)
  const lines: string[] = []
  for (const { name, recommendation } of firsts.sort(bySeverity)) pushNew(lines, `${name}: ${recommendation}`)
  return lines
}

interface Verdict {
  readonly item: string | null
  /** Set when it belongs among the recommendations too. */
  readonly urgent: string | null
}

const judge = (practice: Practice, facts: FileFacts): Verdict => {
  if (!practice.isKept) return { item: `Check: ${practice.advice(facts)}`, urgent: null }
  if (practice.isKept(facts)) return { item: practice.kept ? `Done: ${practice.kept}` : null, urgent: null }
  const advice = practice.advice(facts)
  return { item: `To do: ${advice}`, urgent: practice.isUrgent ? advice : null }
}

/** Advice made from what this file does and lacks; the same file always gets the same. */
export const assessPractices = (file: ScannedFile, findings: readonly Finding[]): BestPractices => {
  const facts = readFileFacts(file)
  const checklist: { category: string; items: string[] }[] = []
  const recommendations = fromFindings(findings)
  for (const practice of practices) {
    if (!practice.applies(facts)) continue
    const { item, urgent } = judge(practice, facts)
    if (urgent) pushNew(recommendations, urgent)
    if (!item) continue
    // The practices of a category stand together.
    const last = checklist.at(-1)
    if (last?.category === practice.category) last.items.push(item)
    else checklist.push({ category: practice.category, items: [item] })
  }
  return { recommendations, checklist }
}
