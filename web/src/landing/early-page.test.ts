import { expect, test } from 'vitest'
import { exampleSource } from '../playground/example.ts'
import { earlyPage, takeEarlySource } from './early-page.ts'
import { headline } from './words.ts'

test('the page that is there first says what it is, leads on, and holds the example', () => {
  const page = earlyPage()
  expect(page).toContain(headline)
  expect(page).toContain('href="/register"')
  expect(page).toContain('mapping(address =&gt; uint256)'.replace('&gt;', '>'))
  expect(page).not.toContain('<script')
})

test('what was typed before the application came is kept, and the example alone is not', () => {
  const pageWith = (value?: string) => ({ getElementById: () => (value === undefined ? null : { value }) }) as never
  expect(takeEarlySource(pageWith('contract Mine {}'))).toBe('contract Mine {}')
  expect(takeEarlySource(pageWith(exampleSource))).toBeUndefined()
  expect(takeEarlySource(pageWith())).toBeUndefined()
})
