import { expect, test } from 'vitest'
import { forgetInvitationToken, pageAfterEntering, takeInvitationToken } from './invitation-token.ts'

function storage() {
  const kept = new Map<string, string>()
  return {
    kept,
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  }
}

test('the token of the link is there after logging in, until it was used', () => {
  const tab = storage()
  expect(takeInvitationToken('#token=abc', tab)).toBe('abc')
  expect(takeInvitationToken('', tab)).toBe('abc')
  forgetInvitationToken(tab)
  expect(takeInvitationToken('', tab)).toBe('')
})

test('a newer link takes the place of the older', () => {
  const tab = storage()
  takeInvitationToken('#token=old', tab)
  expect(takeInvitationToken('#token=new', tab)).toBe('new')
  expect(takeInvitationToken('#other=1', tab)).toBe('new')
})

test('signing up and logging in go on with the invitation that is open in the tab, and with the home page otherwise', () => {
  const tab = storage()
  expect(pageAfterEntering(tab)).toBe('/home')
  takeInvitationToken('#token=abc', tab)
  expect(pageAfterEntering(tab)).toBe('/join')
  forgetInvitationToken(tab)
  expect(pageAfterEntering(tab)).toBe('/home')
})
