import { expect, test } from 'vitest'
import { compiledCode } from './compiled-code.ts'

test('a thread keeps its compiled code beside that of the command', () => {
  expect(compiledCode('/tmp/node-compile-cache/v22.0.0-x64-0')).toEqual({
    NODE_COMPILE_CACHE: '/tmp/node-compile-cache',
  })
})

test('nothing is set where no code is kept', () => {
  expect(compiledCode(undefined)).toEqual({})
})
