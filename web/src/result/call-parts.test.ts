import { expect, test } from 'vitest'
import { callParts } from './call-parts.ts'

test('words before and after a call are not part of it', () => {
  expect(callParts('Bank.withdraw()')).toEqual({ before: '', call: 'Bank.withdraw()', after: '' })
  expect(callParts('prepares a contract that re-enters Bank.withdraw()')).toEqual({
    before: 'prepares a contract that re-enters ',
    call: 'Bank.withdraw()',
    after: '',
  })
  expect(callParts('Bank.pay(address) 3 times in one block, by one contract')).toEqual({
    before: '',
    call: 'Bank.pay(address)',
    after: ' 3 times in one block, by one contract',
  })
})

test('a step that calls nothing by name is words', () => {
  expect(callParts('time passes')).toEqual({ before: 'time passes', call: '', after: '' })
  const wallet = 'is a contract wallet that needs more than 2,300 gas to be paid'
  expect(callParts(wallet)).toEqual({ before: wallet, call: '', after: '' })
})
