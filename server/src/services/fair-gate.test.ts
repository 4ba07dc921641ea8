import { expect, test } from 'vitest'
import { createFairGate } from './fair-gate.ts'

/** Work that ends on request. */
function held() {
  const ends: (() => void)[] = []
  const order: string[] = []
  const work = (name: string) => () => {
    order.push(name)
    return new Promise<void>((resolve) => ends.push(resolve))
  }
  const endOne = async (): Promise<void> => {
    ends.shift()?.()
    await new Promise(setImmediate)
  }
  return { order, work, endOne }
}

test('lanes take turns: one that has much waiting does not hold up another', async () => {
  const gate = createFairGate({ parallel: 1 })
  const { order, work, endOne } = held()
  for (const name of ['a1', 'a2', 'a3', 'a4']) void gate.run('a', work(name))
  void gate.run('b', work('b1'))
  void gate.run('c', work('c1'))
  for (let n = 0; n < 6; n++) await endOne()
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'a4'])
})

test('a lane that is full is refused while others are admitted', async () => {
  const gate = createFairGate({ parallel: 1, maxWaitingPerLane: 2 })
  const { order, work, endOne } = held()
  for (const name of ['a1', 'a2', 'a3']) void gate.run('a', work(name))
  await expect(gate.run('a', work('a4'))).rejects.toMatchObject({ refusal: 'busy', status: 503 })
  void gate.run('b', work('b1'))
  for (let n = 0; n < 4; n++) await endOne()
  expect(order).toEqual(['a1', 'a2', 'b1', 'a3'])
})

test('work that fails gives its place to the next', async () => {
  const gate = createFairGate({ parallel: 1 })
  await expect(gate.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await gate.run('a', async () => 'yes')).toBe('yes')
})
