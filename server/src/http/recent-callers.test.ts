import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { createRecentCallers, UNKNOWN_CALLER } from './recent-callers.ts'

const by = (headers: Record<string, string>) => ({ headers }) as unknown as FastifyRequest

test('a credential that worked is known again, another one is an outsider’s', () => {
  const callers = createRecentCallers()
  callers.note(by({ 'x-api-key': 'one' }), 'ada')
  callers.note(by({ authorization: 'Bearer two' }), 'bob')
  callers.note(by({ cookie: 'session=three' }), 'eve')
  expect(callers.find(by({ 'x-api-key': 'one' }))).toBe('ada')
  expect(callers.find(by({ authorization: 'Bearer two' }))).toBe('bob')
  expect(callers.find(by({ cookie: 'session=three' }))).toBe('eve')
  expect(callers.find(by({ 'x-api-key': 'two' }))).toBe(UNKNOWN_CALLER)
  expect(callers.find(by({}))).toBe(UNKNOWN_CALLER)
})

test('who acts for an organisation is not taken for themselves', () => {
  const callers = createRecentCallers()
  callers.note(by({ cookie: 'c', 'x-organisation': 'org' }), 'org')
  expect(callers.find(by({ cookie: 'c' }))).toBe(UNKNOWN_CALLER)
})

test('so many are kept and no more: the one that was seen longest ago goes', () => {
  const callers = createRecentCallers(2)
  for (const key of ['a', 'b', 'a', 'c']) callers.note(by({ 'x-api-key': key }), key)
  expect(['a', 'b', 'c'].map((key) => callers.find(by({ 'x-api-key': key })))).toEqual(['a', UNKNOWN_CALLER, 'c'])
})
