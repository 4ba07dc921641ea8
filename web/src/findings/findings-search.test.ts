import { expect, test } from 'vitest'
import { readFindingsSearch, toQuery } from './findings-search.ts'

test('what is not understood is left out of the address', () => {
  expect(readFindingsSearch({ severity: 'huge', state: 'open', sort: 'x', project: '', fresh: 'yes' })).toEqual({})
  const search = {
    severity: 'critical',
    state: 'accepted',
    sort: 'firstSeenAt',
    project: 'vault',
    fresh: true,
    mine: true,
  }
  expect(readFindingsSearch(search)).toEqual(search)
})

test('what is assigned to the reader is asked for by address', () => {
  expect(toQuery({ mine: true }, 0, 'ada@example.com')).toMatchObject({ assignee: 'ada@example.com' })
})

test('without a choice the open ones are asked for, the most severe first', () => {
  expect(toQuery({}, 0, 'ada@example.com')).toEqual({
    state: 'open',
    sort: 'severity',
    review: 'exclude',
  })
  expect(toQuery({ review: true }, 0, 'ada@example.com')).toMatchObject({ review: 'only' })
  expect(toQuery({ fresh: true }, Date.parse('2026-03-10T12:34:56Z'), 'ada@example.com')).toEqual({
    state: 'open',
    sort: 'severity',
    review: 'exclude',
    firstSeenSince: '2026-03-03T12:00:00.000Z',
  })
})
