import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type InputFile, type Memory, scanFiles } from './index.ts'

/** Entries in memory; `kept` counts partitions that were analyzed. */
const remember = () => {
  const entries = new Map<string, string>()
  const counts = { kept: 0 }
  const memory: Memory = {
    digest: (text) => text,
    find(key) {
      return entries.get(key)
    },
    keep(key, entry) {
      // Of claims about files and declarations nothing is followed.
      if (JSON.parse(entry)[0]?.weight > 0) counts.kept++
      entries.set(key, entry)
    },
  }
  return { entries, counts, memory }
}

const fixtures = fileURLToPath(new URL('./detectors', import.meta.url))

/** The fixtures of some detectors as one project. */
const projectOf = (detectors: readonly string[]): InputFile[] => {
  return detectors.flatMap((id) =>
    readdirSync(join(fixtures, id, 'fixtures'))
      .filter((name) => name.endsWith('.sol'))
      .map((name) => ({ path: `${id}/${name}`, text: readFileSync(join(fixtures, id, 'fixtures', name), 'utf8') })),
  )
}

const projects = [
  ['reentrancy', 'unprotected-initializer', 'unused-variable', 'missing-return'],
  ['price-oracle-manipulation', 'block-values-as-time', 'inconsistent-checks', 'code-without-effect'],
  [
    'unexpected-gas-usage',
    'forestalled-setup',
    'arbitrary-transfer-from',
    'dos-failed-call',
    'shadowed-state-variable',
  ],
].map(projectOf)

/** The same numbers for the same seed on every machine. */
const numbersFrom = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const insertions = [
  '// a remark',
  '/* a remark\n over two lines */',
  '',
  'require(msg.sender != address(0));',
  'uint256 addedHere = 1;',
  'msg.sender.call("");',
  'uint256 public addedState;',
  'function addedFunction() external {}',
  'revert();',
  'pragma solidity ^0.8.0;',
  'pragma solidity >=0.6.0;',
]

/** One line more, one line less, or one line twice. */
const editLine = (text: string, below: (n: number) => number): string => {
  const lines = text.split('\n')
  const at = below(lines.length)
  const choice = below(4)
  if (choice === 0) lines.splice(at, 1)
  else if (choice === 1) lines.splice(at, 0, lines[at]!)
  else lines.splice(at, 0, insertions[below(insertions.length)]!)
  return lines.join('\n')
}

describe('results of partitions', () => {
  test.each(projects.map((files, index) => ({ files, index })))(
    'equal those of a fresh scan after any edit of one line (project $index)',
    ({ files, index }) => {
      const below = numbersFrom(index + 1)
      const { memory, counts } = remember()
      let current = files
      scanFiles(current, { memory })
      for (let round = 0; round < 6; round++) {
        const edited = below(current.length)
        current = current.map((file, i) => (i === edited ? { ...file, text: editLine(file.text, below) } : file))
        const fresh = scanFiles(current)
        expect(scanFiles(current, { memory }), `round ${round}: ${current[edited]!.path}`).toEqual(fresh)
        // Most edits stay, some are undone.
        if (below(3) === 0) current = files
      }
      expect(counts.kept).toBeGreaterThan(0)
    },
    120_000,
  )

  /** Large enough for a partition each. */
  const rest = Array.from({ length: 40 }, (_, i) => `function idle${i}() private {}\n`).join('')
  const head = 'pragma solidity 0.8.28;\n'
  const files = [
    { path: 'Base.sol', text: `${head}contract Base { uint256 x; function up() public { x++; }\n${rest}}\n` },
    {
      path: 'Heir.sol',
      text: `${head}import "./Base.sol"; contract Heir is Base { uint256 h; function f() public { up(); h = 2; }\n${rest}}\n`,
    },
    {
      path: 'Other.sol',
      text: `${head}contract Other { address o; function g() public { o = msg.sender; }\n${rest}}\n`,
    },
  ]
  const replaced = (path: string, from: string, to: string): InputFile[] =>
    files.map((file) => (file.path === path ? { ...file, text: file.text.replace(from, to) } : file))
  const keptAfter = (changed: readonly InputFile[]): number => {
    const { memory, counts } = remember()
    scanFiles(files, { memory })
    counts.kept = 0
    expect(scanFiles(changed, { memory })).toEqual(scanFiles(changed))
    return counts.kept
  }

  test('nothing is analyzed again for a comment or a line break', () => {
    expect(keptAfter(files)).toBe(0)
    expect(keptAfter(replaced('Other.sol', 'o = msg', '/* new */ o =\n msg'))).toBe(0)
    expect(keptAfter(replaced('Base.sol', 'contract', '\n// new\n\ncontract'))).toBe(0)
  })

  test.each(projects)('no detector reads comments of what it analyzes', (...files) => {
    const { memory, counts } = remember()
    scanFiles(files, { memory })
    counts.kept = 0
    scanFiles(
      files.map(({ path, text }) => ({ path, text: text.replaceAll('{\n', '{ // a remark\n') })),
      { memory },
    )
    expect(counts.kept).toBe(0)
  })

  test('a pragma costs an analysis only if code means something else under it', () => {
    expect(keptAfter(replaced('Other.sol', '0.8.28', '^0.8.20'))).toBe(0)
    expect(keptAfter(files.map(({ path, text }) => ({ path, text: text.replace('0.8.28', '>=0.8.4 <0.9.0') })))).toBe(0)
    expect(keptAfter(replaced('Other.sol', '0.8.28', '0.7.6'))).toBeGreaterThan(1)
    expect(keptAfter(replaced('Other.sol', 'pragma solidity 0.8.28;', ''))).toBeGreaterThan(1)
  })

  test('a changed body is analyzed again with what sees it, a changed declaration with everything', () => {
    const all = keptAfter(replaced('Other.sol', 'address o', 'address payable o'))
    expect(all).toBeGreaterThan(1)
    expect(keptAfter(replaced('Other.sol', 'o = msg.sender', 'o = address(0)'))).toBe(1)
    // The base in its heir: by itself nothing of it is left to follow.
    expect(keptAfter(replaced('Base.sol', 'x++', 'x--'))).toBe(1)
  })

  test('nothing is analyzed again for an edit that is undone', () => {
    const { memory, counts } = remember()
    scanFiles(files, { memory })
    scanFiles(replaced('Other.sol', 'o = msg.sender', 'o = address(0)'), { memory })
    counts.kept = 0
    expect(scanFiles(files, { memory })).toEqual(scanFiles(files))
    expect(counts.kept).toBe(0)
  })

  test('an entry that this engine did not write is passed over', () => {
    const { memory, entries } = remember()
    const fresh = scanFiles(files, { memory })
    for (const damage of ['', '{}', '[]', 'null', '[{"reads":[[9,9,"x"]],"weight":0}]', '[null]'])
      for (const key of entries.keys()) {
        entries.set(key, damage)
        expect(scanFiles(files, { memory: { ...memory, keep: () => {} } })).toEqual(fresh)
      }
  })
})

test('threads that share the partitions report what one alone does, also when a helper never finishes', () => {
  const [files = []] = projects
  const alone = scanFiles(files)
  const { memory } = remember()
  const byHelper: number[] = []
  const waitedFor: number[] = []
  const isOdd = (partition: number): boolean => partition % 2 === 1
  const scanWith = (kept: Memory) =>
    scanFiles(files, {
      memory: kept,
      crew: {
        isHelper: false,
        claim: (partition) => !isOdd(partition),
        finish: () => {},
        waitFor: (partition) => void waitedFor.push(partition),
      },
    })
  const helper = {
    isHelper: true,
    claim: isOdd,
    finish: (partition: number) => void byHelper.unshift(partition),
    waitFor: () => {},
  }
  expect(scanFiles(files, { memory, crew: helper })).toEqual([])
  expect(byHelper.length).toBeGreaterThan(0)
  expect(scanWith(memory)).toEqual(alone)
  expect(waitedFor).toEqual(byHelper)
  expect(scanWith(remember().memory)).toEqual(alone)
})
