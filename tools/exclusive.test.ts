import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { exclusively } from './exclusive.mjs'
import { root } from './project.mjs'

const lockOf = (name: string) => join(root, '.cache', `${name}.lock`)

test('the lock holds during the work and is gone after it, also after a failure', async () => {
  const name = `test-${process.pid}-a`
  await exclusively(name, async () => expect(existsSync(lockOf(name))).toBe(true))
  expect(existsSync(lockOf(name))).toBe(false)
  await expect(exclusively(name, async () => Promise.reject(new Error('work failed')))).rejects.toThrow('work failed')
  expect(existsSync(lockOf(name))).toBe(false)
})

test('two of one name run one after the other', async () => {
  const name = `test-${process.pid}-b`
  const events: string[] = []
  const work = (label: string) =>
    exclusively(name, async () => {
      events.push(`${label} in`)
      await sleep(50)
      events.push(`${label} out`)
    })
  await Promise.all([work('a'), work('b')])
  expect(events.map((event) => event.slice(2))).toEqual(['in', 'out', 'in', 'out'])
})

test('the lock of a process that is gone is taken over', async () => {
  const name = `test-${process.pid}-c`
  writeFileSync(lockOf(name), '4194303')
  try {
    expect(await exclusively(name, async () => 'done')).toBe('done')
  } finally {
    rmSync(lockOf(name), { force: true })
  }
})
