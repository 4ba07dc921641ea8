import { bySeverity } from './by-severity.ts'
import type { FileFacts } from './file-facts.ts'
import type { Finding } from './finding.ts'
import { Topic } from './topics.ts'

export interface BestPractices {
  /** What this file should change, the gravest first. */
  readonly recommendations: readonly string[]
  /** What applies to this file, by category; each item begins with `Done:`, `To do:` or `Check:`. */
  readonly checklist: readonly { readonly category: string; readonly items: readonly string[] }[]
}

/** One practice: whether it concerns this file, and what to say when it is kept or not. */
interface Practice {
  readonly category: string
  /** The bit of `Topic` that it belongs to. */
  readonly topic: number
  /** Absent: nobody but a person can tell, so it is a check. False: whoever it concerns has not kept it. */
  readonly isKept?: false | ((facts: FileFacts) => boolean)
  readonly kept?: string
  readonly advice: string | ((facts: FileFacts) => string)
  /** Goes into the recommendations as well when it is not kept. */
  readonly isUrgent?: boolean
}

const pushNew = (lines: string[], line: string): void => {
  if (!lines.includes(line)) lines.push(line)
}

/** More than these are told apart by a set. */
const fewFunctions = 12

const distinctNames = (functions: readonly { readonly name: string }[]): readonly string[] => {
  if (functions.length > fewFunctions) return [...new Set(functions.map(({ name }) => name))]
  const names: string[] = []
  for (const { name } of functions) pushNew(names, name)
  return names
}

/** `a`, `b`, `c` and 2 more: each name once. */
const named = (functions: readonly { readonly name: string }[]): string => {
  const names = distinctNames(functions)
  let shown = `\`${names[0]}\``
  for (let i = 1; i < names.length && i < 3; i++) shown += `, \`${names[i]}\``
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown
}

const practices: readonly Practice[] = [
  {
    category: 'Compiler',
    topic: Topic.contracts,
    isKept: ({ hasPragma, versions }) => hasPragma && versions.isPinned,
    kept: 'The compiler version is pinned.',
    advice: ({ hasPragma }) =>
      hasPragma
        ? 'Pin the pragma to the one compiler version that is tested and deployed.'
        : 'State the compiler version: `pragma solidity 0.8.28;` with the version that is tested.',
  },
  {
    category: 'Compiler',
    topic: Topic.oldCompiler,
    isKept: false,
    advice: 'Move to Solidity 0.8 or later: arithmetic is checked, and a decade of compiler bugs is fixed.',
    isUrgent: true,
  },
  {
    category: 'Compiler',
    topic: Topic.contracts,
    isKept: ({ hasLicence }) => hasLicence,
    kept: 'The licence is stated.',
    advice: 'State the licence in the first line: `// SPDX-License-Identifier: …`.',
  },
  {
    category: 'Access control',
    topic: Topic.stateChanges,
    advice: ({ groups }) =>
      groups.openWriters.length > 0
        ? `Anyone may call ${named(groups.openWriters)} and change state: confirm that this is meant.`
        : 'Every function that changes state restricts its caller: confirm who holds these rights.',
  },
  {
    category: 'Access control',
    topic: Topic.ownership,
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
    topic: Topic.storedAddresses,
    isKept: false,
    advice: ({ groups }) => `Refuse the zero address where one is stored: ${named(groups.uncheckedStorers)}.`,
    isUrgent: true,
  },
  {
    category: 'Access control',
    topic: Topic.privileges,
    advice: ({ groups }) =>
      `Put a multi-signature wallet or a timelock behind the rights that ${named(groups.privilegedWriters)} need.`,
  },
  {
    category: 'Access control',
    topic: Topic.origin,
    isKept: false,
    advice: 'Use `msg.sender`, never `tx.origin`, to tell who is calling.',
    isUrgent: true,
  },
  {
    category: 'External calls',
    topic: Topic.sending,
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
    topic: Topic.payingInLoops,
    isKept: false,
    advice: ({ groups }) =>
      `Let receivers withdraw instead of paying them in a loop: in ${named(groups.loopPayers)} one that refuses stops all.`,
    isUrgent: true,
  },
  {
    category: 'External calls',
    topic: Topic.lowLevelCalls,
    advice: ({ groups }) =>
      `Low-level calls (${named(groups.lowLevelCallers)}): the result is tested and the target holds code.`,
  },
  {
    category: 'External calls',
    topic: Topic.delegateCalls,
    advice: ({ groups }) =>
      `\`delegatecall\` (${named(groups.delegators)}): the target is fixed or chosen by trusted hands, and the storage layouts agree.`,
  },
  {
    category: 'Ether and tokens',
    topic: Topic.tokens,
    isKept: ({ usesSafeToken }) => usesSafeToken,
    kept: 'Token calls go through a safe wrapper.',
    advice: ({ groups }) =>
      `Use \`SafeERC20\` in ${named(groups.tokenCallers)}: some tokens return false or nothing at all.`,
    isUrgent: true,
  },
  {
    category: 'Ether and tokens',
    topic: Topic.tokens,
    advice: 'Tokens that take a fee, rebase or call back on transfer are refused or accounted for.',
  },
  {
    category: 'Ether and tokens',
    topic: Topic.receiving,
    advice: ({ groups }) => `Ether that comes in through ${named(groups.payables)} can get out again.`,
  },
  {
    category: 'Ether and tokens',
    topic: Topic.selfDestruct,
    isKept: false,
    advice:
      'Do without `selfdestruct`: since the Cancun upgrade it mostly only sends the balance, and it breaks whoever depends on the contract.',
    isUrgent: true,
  },
  {
    category: 'Arithmetic',
    topic: Topic.unchecked,
    advice: 'Each `unchecked` block states in a comment why it cannot overflow.',
  },
  {
    category: 'Arithmetic',
    topic: Topic.assembly,
    advice: 'Each assembly block is as short as can be, explained, and tested against a version without it.',
  },
  {
    category: 'Time and randomness',
    topic: Topic.time,
    advice: 'Nothing depends on the block time to within a few seconds: whoever proposes the block can move it.',
  },
  {
    category: 'Time and randomness',
    topic: Topic.randomness,
    isKept: false,
    advice:
      'Take randomness from a verifiable source (VRF) or a commit-reveal scheme: block values can be known or steered.',
    isUrgent: true,
  },
  {
    category: 'Oracles and signatures',
    topic: Topic.oracles,
    advice:
      'Oracle answers are refused when they are stale, zero or negative, and a stopped feed does not stop the contract for good.',
  },
  {
    category: 'Oracles and signatures',
    topic: Topic.signatures,
    isKept: ({ known }) => known.has('ecdsa'),
    kept: 'Signatures are checked by a library that refuses malleable ones.',
    advice:
      'Check signatures with a library such as `ECDSA`, over EIP-712 data with a nonce, the chain and this contract.',
    isUrgent: true,
  },
  {
    category: 'Events and errors',
    topic: Topic.privileges,
    isKept: ({ groups }) => groups.silentPrivilegedWriters.length === 0,
    kept: 'Privileged changes emit events.',
    advice: ({ groups }) =>
      `Emit an event in ${named(groups.silentPrivilegedWriters)}, so that privileged changes can be watched.`,
    isUrgent: true,
  },
  {
    category: 'Events and errors',
    topic: Topic.bareRequires,
    isKept: false,
    advice: ({ gathered: { bareRequires } }) =>
      `Give ${bareRequires === 1 ? 'the `require` without a reason' : `the ${bareRequires} \`require\` without a reason`} one.`,
  },
  {
    category: 'Events and errors',
    topic: Topic.textRequires,
    isKept: ({ gathered }) => gathered.hasCustomErrors && gathered.textRequires === 0,
    advice: ({ gathered }) =>
      `Custom errors are cheaper and carry data: ${gathered.textRequires} \`require\` still use text.`,
  },
  {
    category: 'Events and errors',
    topic: Topic.emergencies,
    isKept: ({ known }) => known.has('pausable') || known.has('pausableupgradeable'),
    kept: 'The contract can be paused in an emergency.',
    advice: 'Consider a pause for emergencies, and say who may use it.',
  },
  {
    category: 'Upgrades',
    topic: Topic.upgrades,
    isKept: ({ hasStorageGap }) => hasStorageGap,
    kept: 'A storage gap leaves room for new variables.',
    advice:
      'Keep the storage layout compatible between versions: a gap or namespaced storage (ERC-7201), and a layout check before each upgrade.',
  },
  {
    category: 'Upgrades',
    topic: Topic.upgrades,
    advice: 'The implementation disables its initializers, and `initialize` runs in the deploying transaction.',
  },
  {
    category: 'Documentation and tests',
    topic: Topic.entries,
    isKept: ({ groups }) => groups.undocumented.length === 0,
    kept: 'Every public function is documented.',
    advice: ({ groups: { entryCount, undocumented } }) =>
      `Document ${named(undocumented)} in NatSpec (${entryCount - undocumented.length} of ${entryCount} public functions are).`,
  },
  {
    category: 'Documentation and tests',
    topic: Topic.tests,
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
  const label = practice.isKept === undefined ? 'Check: ' : 'To do: '
  return {
    practice,
    done: practice.kept ? `Done: ${practice.kept}` : null,
    label,
    open: typeof practice.advice === 'string' ? label + practice.advice : null,
  }
}

const prepared = practices.map(prepare)

/** Beside each practice its topic: whatever does not concern a file is not even looked at. */
const topics = Int32Array.from(practices, ({ topic }) => topic)

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
  if (typeof practice.isKept === 'function' && practice.isKept(facts)) return done
  const advice = typeof practice.advice === 'string' ? practice.advice : practice.advice(facts)
  if (practice.isUrgent) pushNew(recommendations, advice)
  return open ?? label + advice
}

/** Advice made from what this file does and lacks; the same file always gets the same. */
export const assessPractices = (facts: FileFacts, findings: readonly Finding[]): BestPractices => {
  const checklist: { category: string; items: string[] }[] = []
  const recommendations = fromFindings(findings)
  for (let i = 0; i < prepared.length; i++) {
    if ((topics[i]! & facts.topics) === 0) continue
    const each = prepared[i]!
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
