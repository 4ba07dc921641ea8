import { bySeverity } from './by-severity.ts'
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
  readonly advice: string | ((facts: FileFacts) => string)
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
    advice: 'Move to Solidity 0.8 or later: arithmetic is checked, and a decade of compiler bugs is fixed.',
    isUrgent: true,
  },
  {
    category: 'Compiler',
    applies: ({ hasContracts }) => hasContracts,
    isKept: ({ hasLicence }) => hasLicence,
    kept: 'The licence is stated.',
    advice: 'State the licence in the first line: `// SPDX-License-Identifier: …`.',
  },
  {
    category: 'Access control',
    applies: ({ groups }) => groups.writers.length > 0,
    advice: ({ groups }) =>
      groups.openWriters.length > 0
        ? `Anyone may call ${named(groups.openWriters)} and change state: confirm that this is meant.`
        : 'Every function that changes state restricts its caller: confirm who holds these rights.',
  },
  {
    category: 'Access control',
    applies: (facts) => facts.handOvers.length > 0 || hasOwnership(facts),
    isKept: (facts) => facts.known.has('ownable2step') || facts.known.has('ownable2stepupgradeable'),
    kept: 'Ownership moves in two steps.',
    advice: ({ handOvers }) =>
      handOvers.length > 0
        ? `Hand over rights in two steps (propose, accept): ${named(handOvers)} does it at once, and a mistyped address locks everyone out.`
        : 'Use `Ownable2Step`: a mistyped new owner locks everyone out.',
    isUrgent: true,
  },
  {
    category: 'Access control',
    applies: ({ groups }) => groups.uncheckedStorers.length > 0,
    isKept: () => false,
    advice: ({ groups }) => `Refuse the zero address where one is stored: ${named(groups.uncheckedStorers)}.`,
    isUrgent: true,
  },
  {
    category: 'Access control',
    applies: ({ groups }) => groups.privilegedWriters.length > 0,
    advice: ({ groups }) =>
      `Put a multi-signature wallet or a timelock behind the rights that ${named(groups.privilegedWriters)} need.`,
  },
  {
    category: 'Access control',
    applies: ({ gathered }) => gathered.usesTxOrigin,
    isKept: () => false,
    advice: 'Use `msg.sender`, never `tx.origin`, to tell who is calling.',
    isUrgent: true,
  },
  {
    category: 'External calls',
    applies: ({ groups }) => groups.senders.length > 0,
    isKept: ({ groups }) => groups.unlockedSenders.length === 0,
    kept: 'Functions that send ether and change state are locked against reentry.',
    advice: ({ groups, hasLock }) =>
      hasLock
        ? `Use the reentrancy lock in ${named(groups.unlockedSenders)} too, or finish all bookkeeping before the call.`
        : `Finish all bookkeeping before the call, or add a reentrancy lock, in ${named(groups.unlockedSenders)}.`,
    isUrgent: true,
  },
  {
    category: 'External calls',
    applies: ({ groups }) => groups.loopPayers.length > 0,
    isKept: () => false,
    advice: ({ groups }) =>
      `Let receivers withdraw instead of paying them in a loop: in ${named(groups.loopPayers)} one that refuses stops all.`,
    isUrgent: true,
  },
  {
    category: 'External calls',
    applies: ({ groups }) => groups.lowLevelCallers.length > 0,
    advice: ({ groups }) =>
      `Low-level calls (${named(groups.lowLevelCallers)}): the result is tested and the target holds code.`,
  },
  {
    category: 'External calls',
    applies: ({ groups }) => groups.delegators.length > 0,
    advice: ({ groups }) =>
      `\`delegatecall\` (${named(groups.delegators)}): the target is fixed or chosen by trusted hands, and the storage layouts agree.`,
  },
  {
    category: 'Ether and tokens',
    applies: ({ groups }) => groups.tokenCallers.length > 0,
    isKept: ({ usesSafeToken }) => usesSafeToken,
    kept: 'Token calls go through a safe wrapper.',
    advice: ({ groups }) =>
      `Use \`SafeERC20\` in ${named(groups.tokenCallers)}: some tokens return false or nothing at all.`,
    isUrgent: true,
  },
  {
    category: 'Ether and tokens',
    applies: ({ groups }) => groups.tokenCallers.length > 0,
    advice: 'Tokens that take a fee, rebase or call back on transfer are refused or accounted for.',
  },
  {
    category: 'Ether and tokens',
    applies: ({ groups }) => groups.payables.length > 0,
    advice: ({ groups }) => `Ether that comes in through ${named(groups.payables)} can get out again.`,
  },
  {
    category: 'Ether and tokens',
    applies: ({ gathered }) => gathered.selfDestructs,
    isKept: () => false,
    advice:
      'Do without `selfdestruct`: since the Cancun upgrade it mostly only sends the balance, and it breaks whoever depends on the contract.',
    isUrgent: true,
  },
  {
    category: 'Arithmetic',
    applies: ({ gathered }) => gathered.hasUnchecked,
    advice: 'Each `unchecked` block states in a comment why it cannot overflow.',
  },
  {
    category: 'Arithmetic',
    applies: ({ gathered }) => gathered.hasAssembly,
    advice: 'Each assembly block is as short as can be, explained, and tested against a version without it.',
  },
  {
    category: 'Time and randomness',
    applies: ({ gathered }) => gathered.usesTime,
    advice: 'Nothing depends on the block time to within a few seconds: whoever proposes the block can move it.',
  },
  {
    category: 'Time and randomness',
    applies: ({ gathered }) => gathered.usesChainRandomness,
    isKept: () => false,
    advice:
      'Take randomness from a verifiable source (VRF) or a commit-reveal scheme: block values can be known or steered.',
    isUrgent: true,
  },
  {
    category: 'Oracles and signatures',
    applies: ({ gathered }) => gathered.usesOracle,
    advice:
      'Oracle answers are refused when they are stale, zero or negative, and a stopped feed does not stop the contract for good.',
  },
  {
    category: 'Oracles and signatures',
    applies: ({ gathered }) => gathered.hasEcrecover,
    isKept: ({ known }) => known.has('ecdsa'),
    kept: 'Signatures are checked by a library that refuses malleable ones.',
    advice:
      'Check signatures with a library such as `ECDSA`, over EIP-712 data with a nonce, the chain and this contract.',
    isUrgent: true,
  },
  {
    category: 'Events and errors',
    applies: ({ groups }) => groups.privilegedWriters.length > 0,
    isKept: ({ groups }) => groups.silentPrivilegedWriters.length === 0,
    kept: 'Privileged changes emit events.',
    advice: ({ groups }) =>
      `Emit an event in ${named(groups.silentPrivilegedWriters)}, so that privileged changes can be watched.`,
    isUrgent: true,
  },
  {
    category: 'Events and errors',
    applies: ({ gathered }) => gathered.bareRequires > 0,
    isKept: () => false,
    advice: ({ gathered: { bareRequires } }) =>
      `Give ${bareRequires === 1 ? 'the `require` without a reason' : `the ${bareRequires} \`require\` without a reason`} one.`,
  },
  {
    category: 'Events and errors',
    applies: ({ gathered, hasPragma, versions }) =>
      gathered.textRequires > 2 && hasPragma && !versions.overlaps(null, '0.8.4'),
    isKept: ({ gathered }) => gathered.hasCustomErrors && gathered.textRequires === 0,
    advice: ({ gathered }) =>
      `Custom errors are cheaper and carry data: ${gathered.textRequires} \`require\` still use text.`,
  },
  {
    category: 'Events and errors',
    applies: ({ groups }) => groups.paysOut && groups.privilegedWriters.length > 0,
    isKept: ({ known }) => known.has('pausable') || known.has('pausableupgradeable'),
    kept: 'The contract can be paused in an emergency.',
    advice: 'Consider a pause for emergencies, and say who may use it.',
  },
  {
    category: 'Upgrades',
    applies: ({ isUpgradeable }) => isUpgradeable,
    isKept: ({ hasStorageGap }) => hasStorageGap,
    kept: 'A storage gap leaves room for new variables.',
    advice:
      'Keep the storage layout compatible between versions: a gap or namespaced storage (ERC-7201), and a layout check before each upgrade.',
  },
  {
    category: 'Upgrades',
    applies: ({ isUpgradeable }) => isUpgradeable,
    advice: 'The implementation disables its initializers, and `initialize` runs in the deploying transaction.',
  },
  {
    category: 'Documentation and tests',
    applies: ({ groups }) => groups.entryCount > 0,
    isKept: ({ groups }) => groups.undocumented.length === 0,
    kept: 'Every public function is documented.',
    advice: ({ groups: { entryCount, undocumented } }) =>
      `Document ${named(undocumented)} in NatSpec (${entryCount - undocumented.length} of ${entryCount} public functions are).`,
  },
  {
    category: 'Documentation and tests',
    applies: ({ groups }) => groups.doers.length > 0,
    advice: ({ groups }) =>
      `Tests cover refusals as well as successes of ${named(groups.doers)}, and an invariant test watches the sums.`,
  },
]

/** A practice with its words as they are shown, as far as they are known beforehand. */
interface Prepared {
  readonly practice: Practice
  readonly done: string | null
  /** `To do:` or `Check:`. */
  readonly label: string
  /** The whole item, where the advice is the same for every file. */
  readonly open: string | null
}

const prepare = (practice: Practice): Prepared => {
  const label = practice.isKept ? 'To do: ' : 'Check: '
  return {
    practice,
    done: practice.kept ? `Done: ${practice.kept}` : null,
    label,
    open: typeof practice.advice === 'string' ? label + practice.advice : null,
  }
}

const prepared = practices.map(prepare)

const pushNew = (lines: string[], line: string): void => {
  if (!lines.includes(line)) lines.push(line)
}

/** Inserts the first finding of a rule before all that are less grave. */
const insertFirst = (firsts: Finding[], finding: Finding): void => {
  for (const { detector } of firsts) if (detector === finding.detector) return
  let at = firsts.length
  firsts.push(finding)
  for (; at > 0 && bySeverity(firsts[at - 1]!, finding) > 0; at--) firsts[at] = firsts[at - 1]!
  firsts[at] = finding
}

/** One line per rule that found something, the gravest first. */
const fromFindings = (findings: readonly Finding[]): string[] => {
  const firsts: Finding[] = []
  for (const finding of findings) if (finding.swc !== null) insertFirst(firsts, finding)
  const lines: string[] = []
  for (const { name, recommendation } of firsts) pushNew(lines, `${name}: ${recommendation}`)
  return lines
}

/** What to say about a practice that applies; null: nothing. Urgent advice is added to the recommendations. */
const judge = ({ practice, done, label, open }: Prepared, facts: FileFacts, recommendations: string[]) => {
  if (practice.isKept?.(facts)) return done
  const advice = typeof practice.advice === 'string' ? practice.advice : practice.advice(facts)
  if (practice.isUrgent) pushNew(recommendations, advice)
  return open ?? label + advice
}

/** Advice made from what this file does and lacks; the same file always gets the same. */
export const assessPractices = (file: ScannedFile, findings: readonly Finding[]): BestPractices => {
  const facts = readFileFacts(file)
  const checklist: { category: string; items: string[] }[] = []
  const recommendations = fromFindings(findings)
  for (const each of prepared) {
    if (!each.practice.applies(facts)) continue
    const item = judge(each, facts, recommendations)
    if (item === null) continue
    const { category } = each.practice
    // The practices of a category stand together.
    const last = checklist.at(-1)
    if (last?.category === category) last.items.push(item)
    else checklist.push({ category, items: [item] })
  }
  return { recommendations, checklist }
}
