import { expect, test } from 'vitest'
import { createLine, type Load } from './line.ts'

const PRO = 0
const FREE = 2
const entry = (name: string, account: string, rank = FREE, isPromised = false) => ({
  name,
  owner: { account, rank },
  isPromised,
})

/** A line, and what its accounts keep busy. */
function stand(...entries: ReturnType<typeof entry>[]) {
  const line = createLine<ReturnType<typeof entry>>()
  for (const one of entries) line.add(one)
  const loads: Record<string, Load> = {}
  const serve = (): string | undefined => line.next((account) => loads[account] ?? { running: 0, slow: 0 })?.name
  const oldest = (account: string, rank = FREE): string | undefined =>
    line.oldest({ account, rank }, (name) => loads[name] ?? { running: 0, slow: 0 })?.name
  return { line, loads, serve, oldest, all: () => Array.from({ length: line.size }, serve) }
}

test('first come, first served', () => {
  expect(stand(entry('a', 'A'), entry('b', 'B'), entry('c', 'C')).all()).toEqual(['a', 'b', 'c'])
})

test('pro before basic before free', () => {
  expect(stand(entry('free', 'A', 2), entry('basic', 'B', 1), entry('pro', 'C', 0)).all()).toEqual([
    'pro',
    'basic',
    'free',
  ])
})

test('accounts take turns: many of one do not delay one of another', () => {
  const flood = Array.from({ length: 50 }, (_, i) => entry(`a${i}`, 'A'))
  const served = stand(...flood, entry('b1', 'B'), entry('b2', 'B')).all()
  expect(served.slice(0, 4)).toEqual(['a0', 'b1', 'a1', 'b2'])
})

test('an account with two at work waits while others do, whatever its plan, and goes on when nobody else waits', () => {
  const { loads, serve } = stand(entry('p', 'P', PRO), entry('f', 'F', FREE))
  loads.P = { running: 2, slow: 0 }
  expect([serve(), serve(), serve()]).toEqual(['f', 'p', undefined])
})

test('an account with two that take long starts no third, even if nobody else waits', () => {
  const { loads, serve } = stand(entry('third', 'A'))
  loads.A = { running: 2, slow: 2 }
  expect(serve()).toBeUndefined()
  loads.A = { running: 1, slow: 1 }
  expect(serve()).toBe('third')
})

test('who leaves the line is not served', () => {
  const gone = entry('gone', 'A')
  const { line, all } = stand(gone, entry('b', 'B'))
  expect([line.remove(gone), line.remove(gone)]).toEqual([true, false])
  expect(all()).toEqual(['b'])
})

test('who has waited longest, of those that come first', () => {
  const { oldest } = stand(entry('free', 'A', FREE), entry('pro', 'P', PRO))
  expect([oldest('X', FREE), oldest('X', PRO)]).toEqual(['free', 'pro'])
})

test('who waits for its own account alone is before nobody else', () => {
  const { loads, oldest } = stand(entry('stuck', 'A'), entry('b', 'B'))
  loads.A = { running: 2, slow: 2 }
  expect([oldest('A'), oldest('B'), oldest('C')]).toEqual(['stuck', 'b', 'b'])
  loads.A = { running: 2, slow: 0 }
  loads.C = { running: 2, slow: 0 }
  expect([oldest('B'), oldest('C')]).toEqual(['b', 'stuck'])
})

test('how many are ahead: better plans, own ones, and as many rounds of the others', () => {
  const flood = Array.from({ length: 100 }, (_, i) => entry(`a${i}`, 'A'))
  const { line } = stand(...flood, entry('p', 'P', PRO), entry('b', 'B'))
  expect(line.countAhead({ account: 'new', rank: FREE })).toBe(3)
  expect(line.countAhead({ account: 'B', rank: FREE })).toBe(4)
  expect(line.countAhead({ account: 'A', rank: FREE })).toBe(102)
  expect(line.countAhead({ account: 'new', rank: PRO })).toBe(1)
})

test('what has been promised its turn is not overtaken by a better plan, and still takes turns with others', () => {
  const { all } = stand(
    entry('a1', 'A', FREE, true),
    entry('a2', 'A', FREE, true),
    entry('p', 'P', PRO),
    entry('b', 'B', FREE),
  )
  expect(all()).toEqual(['a1', 'p', 'a2', 'b'])
})

test('how many are before one that waits: better plans, promised ones, a round of the others, no own ones that came later', () => {
  const own = entry('a1', 'A')
  const { line } = stand(entry('a0', 'A'), own, entry('a2', 'A'), entry('b', 'B'), entry('c', 'C', FREE, true))
  expect(line.countBefore(own)).toBe(3)
  line.add(entry('p1', 'P', PRO))
  line.add(entry('p2', 'P', PRO))
  expect(line.countBefore(own)).toBe(5)
})

test('how many of an account wait', () => {
  const { line } = stand(entry('a', 'A'), entry('b', 'B'), entry('c', 'A'))
  expect([line.countOf('A'), line.countOf('B'), line.countOf('C')]).toEqual([2, 1, 0])
})
