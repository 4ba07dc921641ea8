import { expect, test } from 'vitest'
import { choicesInWords, readChoices } from './read-choices.ts'

const form = (...entries: [string, string][]): FormData => {
  const fields = new FormData()
  for (const [name, value] of entries) fields.append(name, value)
  return fields
}

test('a form gives the scopes that are ticked and the limits that are filled in', () => {
  expect(
    readChoices(form(['scope', 'read'], ['scope', 'scan'], ['scansPerDay', ' 5 '], ['requestsPerHour', ''])),
  ).toEqual({
    scopes: ['scan', 'read'],
    scansPerDay: 5,
    requestsPerHour: null,
  })
  expect(readChoices(form())).toEqual({ scopes: [], scansPerDay: null, requestsPerHour: null })
})

test('what a key may is reported in a few words', () => {
  expect(choicesInWords({ scopes: ['scan', 'read', 'manage'], scansPerDay: null, requestsPerHour: null })).toBe('all')
  expect(choicesInWords({ scopes: ['scan'], scansPerDay: 5, requestsPerHour: 10 })).toBe(
    'scan · 5 scans a day · 10 requests an hour',
  )
})
