import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { lateOptimization } from './late-optimization.ts'

test('this Node accepts the options without a word', () => {
  const options = lateOptimization(8)
  const { stderr, stdout } = spawnSync(
    process.execPath,
    [
      '-e',
      `const { setFlagsFromString } = require('node:v8'); ${JSON.stringify(options)}.forEach((option) => setFlagsFromString(option)); console.log('set')`,
    ],
    { encoding: 'utf8' },
  )
  expect({ stderr, stdout }).toEqual({ stderr: '', stdout: 'set\n' })
})

test.each([
  [20, ['--interrupt-budget=540672']],
  [21, []],
  [22, ['--invocation-count-for-maglev=3200', '--invocation-count-for-turbofan=24000']],
  [24, ['--invocation-count-for-maglev=3200', '--invocation-count-for-turbofan=24000']],
  [27, []],
])('Node %s is given the options that it knows', (major, options) => {
  expect(lateOptimization(8, major)).toEqual(options)
})
