import { expect, test } from 'vitest'
import { detectors } from '../detectors/index.ts'
import { buildModel } from '../model/index.ts'
import { buildReports } from '../report/index.ts'
import { Behaviour } from './behaviour.ts'
import { type Budget, defaultBudget } from './budget.ts'
import type { Context } from './context.ts'

const split = (text: string, size: number, budget: Budget = defaultBudget): Behaviour =>
  new Behaviour(buildModel([{ path: 'sample.sol', text }]), budget, size)

const namesOf = ({ contracts }: Context): string[] => contracts.map(({ contract }) => contract?.name ?? 'free')

const partitionsOf = (behaviour: Behaviour): string[][] => {
  const partitions: string[][] = []
  for (let partition = behaviour.next(); partition !== null; partition = behaviour.next())
    partitions.push(namesOf(partition))
  return partitions
}

const one = (name: string, bases = ''): string =>
  `contract ${name} ${bases} { uint x; function f${name}(uint a) external returns (uint) { x = a + 1; return x; } }\n`

test('a scan of usual length is one partition', () => {
  const text = one('A') + one('B')
  expect(partitionsOf(new Behaviour(buildModel([{ path: 'sample.sol', text }])))).toEqual([['A', 'B']])
  const nothing = split('', 1)
  expect(partitionsOf(nothing)).toEqual([[]])
  expect(nothing.isSplit).toBe(false)
})

test('each contract that nobody inherits has its bases with it; heirs of one base stand next to each other', () => {
  const text = one('A') + one('Base') + one('B') + one('Left', 'is Base') + one('C') + one('Right', 'is Base')
  const behaviour = split(text, 1)
  const parts: string[][] = []
  for (let part = behaviour.nextPart(); part !== null; part = behaviour.nextPart())
    parts.push(part.contracts.map(({ name }) => name))
  expect(parts).toEqual([['A'], ['Base', 'Left', 'Right'], ['B'], ['C'], ['Base']])
  expect(partitionsOf(split(text, 1))).toEqual([['A'], ['Left', 'Right'], ['B'], ['C'], []])
  expect(partitionsOf(split(text, 2))).toEqual([['A', 'Left', 'Right'], ['B', 'C'], []])
})

test('free functions that no partition runs come last, by themselves', () => {
  const text = `function used() pure returns (uint) { return 1; } function unused() pure returns (uint) { return 2; }
    contract A { function f() external pure returns (uint) { return used(); } } ${one('B')}`
  expect(partitionsOf(split(text, 1))).toEqual([['A'], ['B'], ['free']])
  const behaviour = split(text, 1)
  behaviour.next()
  behaviour.next()
  expect(behaviour.next()!.functions.map(({ name }) => name)).toEqual(['unused'])
})

test('libraries come after the partitions that may run them, and what ran there is not followed once more', () => {
  const text = `library L { function used() internal pure returns (uint) { return 1; } function unused() internal pure {} }
    library M { function used() internal pure returns (uint) { return 2; } }
    contract A { function f() external pure returns (uint) { return L.used() + M.used(); } } ${one('B')}`
  const behaviour = split(text, 1)
  const followed: string[][] = []
  for (let partition = behaviour.next(); partition !== null; partition = behaviour.next())
    followed.push(partition.functions.map(({ name, kind }) => `${kind} ${name}`))
  expect(followed).toEqual([['entry f'], ['entry fB'], ['library unused'], []])
})

test('past a budget the function is named, once its partition has been seen', () => {
  const text =
    'contract A { uint x; function g() internal { x += 1; x += 2; x += 3; } function f() public { g(); g(); g(); g(); } }'
  const behaviour = split(text + one('B'), 1, { ...defaultBudget, maxInlinedOps: 10 })
  expect(partitionsOf(behaviour)).toEqual([['A'], ['B']])
  expect(behaviour.diagnostics).toMatchObject([{ code: 'budget', message: expect.stringContaining('inline') }])
  const whole = split(text + one('B'), 1)
  partitionsOf(whole)
  expect(whole.diagnostics).toEqual([])
})

test('past the weight of one partition further contracts are left out', () => {
  const text = `pragma solidity 0.8.26;\n${Array.from({ length: 20 }, (_, i) => one(`C${i}`)).join('')}`
  const cut = split(text, 1_000_000, { ...defaultBudget, leastWeight: 500, weightPerCharacter: 0 })
  const followed = partitionsOf(cut).flat()
  expect(followed.length).toBeGreaterThan(0)
  expect(followed.length).toBeLessThan(20)
  expect(cut.diagnostics).toHaveLength(1)
  expect(cut.diagnostics[0]!.message).toContain(`behaviour of ${20 - followed.length} contracts`)
  expect(text.slice(cut.diagnostics[0]!.start)).toMatch(new RegExp(`^contract C${followed.length} `))
  for (const size of [1, 1_000_000]) {
    const whole = split(text, size)
    expect(partitionsOf(whole).flat()).toHaveLength(20)
    expect(whole.diagnostics).toEqual([])
  }
})

test('what a contract of another partition demands and answers is known', () => {
  const text = `pragma solidity 0.8.28;
    contract Shop { Rates rates; function free() external view returns (uint) { return rates.scale(0); } }
    contract Rates { function scale(uint by) external pure returns (uint) { require(by > 0); return 100 / by; } }`
  const model = buildModel([{ path: 'sample.sol', text }])
  for (const size of [1, 1_000_000]) {
    const behaviour = new Behaviour(model, defaultBudget, size)
    const [report] = buildReports({ files: model.files, behaviour, detectors })
    const found = report!.findings.filter(({ swc }) => swc === 'SWC-123')
    expect(found.map(({ snippet }) => snippet)).toEqual(['rates.scale(0)'])
  }
})
