import { expect, test } from 'vitest'
import { findRepeatedName } from './repeated-name.ts'

test.each([
  ['{"a":1,"a":2}', 'a'],
  ['{"a":{"b":1,"c":[{"d":1},{"d":2}],"b":2}}', 'b'],
  ['[{"x":"{\\"x\\":1}","y":0,"x":1}]', 'x'],
  ['{"a":1,"\\u0061":2}', 'a'],
  ['{"a\\\\":1,"a\\\\":2}', 'a\\'],
  ['{"":1 , "" :2}', ''],
])('%s has one', (text, name) => {
  expect(findRepeatedName(text)).toBe(name)
})

test.each([
  '{"a":1,"b":{"a":1},"c":[{"a":1},{"a":1}]}',
  '["a","a",{"a":"a"}]',
  '{"a":"a","b":["b","b"],"c":"\\"c\\":1,\\"c\\":2"}',
  '"a"',
  '3',
  '{"a\\"":1,"a":2}',
])('%s has none', (text) => {
  expect(findRepeatedName(text)).toBeUndefined()
})
