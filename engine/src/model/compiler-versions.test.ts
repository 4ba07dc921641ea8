import { expect, test } from 'vitest'
import { readVersions } from './compiler-versions.ts'
import { modelOf } from './testing/model-probe.ts'

test.each([
  ['^0.4.24', 4024, 4999, 'never'],
  ['0.8.19', 8019, 8019, 'always'],
  ['=0.5.16', 5016, 5016, 'never'],
  ['>=0.4.22 <0.6.0', 4022, 5999, 'never'],
  ['>=0.6.0 <=0.8.4', 6000, 8004, 'depends'],
  ['~0.7.1', 7001, 7999, 'never'],
  ['0.4.11 || ^0.8.0', 4011, 8999, 'depends'],
  ['0.5.0 - 0.5.9', 5000, 5009, 'never'],
  ['>=0.8.0', 8000, Number.POSITIVE_INFINITY, 'always'],
  ['0.8', 8000, 8999, 'always'],
  ['nonsense', 4000, Number.POSITIVE_INFINITY, 'depends'],
])('the pragma %s', (text, lowest, highest, checkedArithmetic) => {
  expect(readVersions([text])).toMatchObject({ lowest, highest, checkedArithmetic, stated: true })
})

test('several pragmas must all hold', () => {
  expect(readVersions(['>=0.4.0', '<0.7.0'])).toMatchObject({ lowest: 4000, highest: 6999 })
})

test('without a pragma the syntax says what it can', () => {
  const versionsOf = (source: string) => modelOf(source).model.files[0]?.versions
  expect(versionsOf('contract A { error E(); }')).toMatchObject({ lowest: 8004, stated: false })
  expect(versionsOf('contract A { function f() {} }')).toMatchObject({ highest: 4999 })
  expect(versionsOf('contract A { receive() external payable {} }')).toMatchObject({ lowest: 6000 })
})
