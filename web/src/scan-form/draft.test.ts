import { expect, test } from 'vitest'
import {
  keepDraft,
  leaveDraft,
  pauseDraft,
  takeDraft,
  takeKeptDraft,
  takePausedDraft,
  takeProjectDraft,
} from './draft.ts'

function storage(kept: Record<string, string> = {}) {
  return {
    getItem: (name: string) => kept[name] ?? null,
    setItem: (name: string, value: string) => {
      kept[name] = value
    },
    removeItem: (name: string) => {
      delete kept[name]
    },
  }
}

test('what was kept is handed over once', () => {
  const tab = storage()
  keepDraft({ source: 'contract A {}', name: 'A.sol' }, tab)
  expect(takeKeptDraft(tab)).toEqual({ source: 'contract A {}', name: 'A.sol' })
  expect(takeKeptDraft(tab)).toBeNull()
})

test('what somebody else left under the name is nothing', () => {
  expect(takeKeptDraft(storage({ 'assay-kept-source': 'x' }))).toBeNull()
  expect(takeKeptDraft(storage({ 'assay-kept-source': '{"source":1}' }))).toBeNull()
})

test('a project waits for the form that takes projects', () => {
  const project = { name: 'vault', sources: [{ path: 'src/A.sol', text: 'contract A {}' }] }
  leaveDraft(project)
  expect(takeDraft()).toBeNull()
  expect(takeProjectDraft()).toEqual(project)
  expect(takeProjectDraft()).toBeNull()
})

test.each([
  { source: 'contract A {}', name: 'A.sol' },
  { name: 'vault', sources: [{ path: 'src/A.sol', text: 'contract A {}' }] },
])('what was put aside for the way to the checkout is there again, once: %o', (draft) => {
  const tab = storage()
  pauseDraft(draft, tab)
  expect(takePausedDraft(tab)).toEqual(draft)
  expect(takePausedDraft(tab)).toBeNull()
})

test('what does not fit into the browser is not put aside, and nothing breaks', () => {
  const full = {
    ...storage(),
    setItem: () => {
      throw new Error('QuotaExceededError')
    },
  }
  pauseDraft({ source: 'x', name: 'A.sol' }, full)
  expect(takePausedDraft(full)).toBeNull()
})

test.each(['x', '{"name":"a","sources":[1]}', '{"name":"a","sources":"b"}', '[]', '1'])(
  'what is no draft is nothing: %s',
  (text) => expect(takePausedDraft(storage({ 'assay-paused-source': text }))).toBeNull(),
)
