import { expect, test } from 'vitest'
import { createIo } from '../testing/captured-io.ts'
import { mayInstall } from './load-prover.ts'

const decide = (answers: readonly string[], choice?: string) => {
  const io = createIo('.', { isTerminal: true, answers })
  return mayInstall({ ...io, environment: { ...io.environment, ASSAY_PROVER_INSTALL: choice } })
}

test('on a terminal nothing is fetched unless the person agrees', async () => {
  expect(await Promise.all([decide(['y']), decide(['Yes']), decide([''])])).toEqual([true, true, true])
  expect(await Promise.all([decide(['n']), decide(['later']), decide([])])).toEqual([false, false, false])
})

test('the setting decides without a question', async () => {
  expect([await decide(['y'], 'never'), await decide(['n'], 'always')]).toEqual([false, true])
})

test('in a pipeline, where nobody can be prompted, the first use fetches', async () => {
  const io = createIo('.', { isTerminal: false })
  expect(await mayInstall({ ...io, environment: {} })).toBe(true)
})
