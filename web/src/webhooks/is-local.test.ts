import { expect, test } from 'vitest'
import { isLocal } from './is-local.ts'

test('only loopback names are this machine', () => {
  expect(['localhost', '127.0.0.1', '127.1.2.3', '[::1]'].filter((name) => !isLocal(name))).toEqual([])
  expect(['assay.example', '127.0.0.1.example', 'localhost.example', '10.0.0.1'].filter(isLocal)).toEqual([])
})
