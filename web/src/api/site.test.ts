import { expect, test } from 'vitest'
import { readSite } from './site.ts'

const pageWith = (content?: string) =>
  ({ querySelector: () => (content === undefined ? null : { content }) }) as unknown as Document

test('what the operator configured is read from the page; without it there is nothing', () => {
  const links = [{ label: 'Terms', href: '/terms' }]
  expect(readSite(pageWith(JSON.stringify({ links })))).toMatchObject({ links })
  expect(readSite(pageWith())).toEqual({ links: [], signIn: [] })
})
