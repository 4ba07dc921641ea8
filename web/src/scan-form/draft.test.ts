import { expect, test } from 'vitest'
import {
  forgetDrafts,
  keepDraft,
  keepTyped,
  leaveDraft,
  pauseDraft,
  takeDraft,
  takeDraftOf,
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

test('what someone else left under the name is nothing', () => {
  expect(takeKeptDraft(storage({ 'assay-kept-source': 'x' }))).toBeNull()
  expect(takeKeptDraft(storage({ 'assay-kept-source': '{"source":1}' }))).toBeNull()
})

test('what a visitor typed waits in the form of the account that signs up in this tab, once', () => {
  const tab = storage()
  keepTyped({ source: 'contract A {}', name: 'A.sol' }, tab)
  expect(takeKeptDraft(tab)).toBeNull()
  expect(takeDraftOf('usr_1', tab)).toEqual({ source: 'contract A {}', name: 'A.sol' })
  expect(takeDraftOf('usr_1', tab)).toBeNull()
})

test('a source that was saved with its result does not wait in the form as well', () => {
  const tab = storage()
  keepTyped({ source: 'contract A {}', name: 'A.sol' }, tab)
  keepDraft({ source: 'contract A {}', name: 'A.sol' }, tab)
  expect(takeDraftOf('usr_1', tab)).toBeNull()
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
  pauseDraft(draft, 'usr_1', tab)
  expect(takePausedDraft('usr_1', tab)).toEqual(draft)
  expect(takePausedDraft('usr_1', tab)).toBeNull()
})

test('what an account put aside is nothing to another one, and gone once that one looked', () => {
  const kept: Record<string, string> = {}
  pauseDraft({ source: 'contract A {}', name: 'A.sol' }, 'usr_1', storage(kept))
  expect(takePausedDraft('usr_2', storage(kept))).toBeNull()
  expect(kept).toEqual({})
})

test('the form takes everything that waits: the newest is shown, and nothing older comes up later', () => {
  const tab = storage()
  const paused = { source: 'contract Old {}', name: 'Old.sol' }
  for (const received of [
    { source: 'contract New {}', name: 'New.sol' },
    { name: 'vault', sources: [{ path: 'src/A.sol', text: 'contract A {}' }] },
  ]) {
    pauseDraft(paused, 'usr_1', tab)
    leaveDraft(received)
    expect(takeDraftOf('usr_1', tab)).toEqual(received)
    expect(takeDraftOf('usr_1', tab)).toBeNull()
  }
  pauseDraft(paused, 'usr_1', tab)
  expect(takeDraftOf('usr_1', tab)).toEqual(paused)
})

test('with the session everything that waits is forgotten', () => {
  const kept: Record<string, string> = {}
  const draft = { source: 'contract A {}', name: 'A.sol' }
  pauseDraft(draft, 'usr_1', storage(kept))
  keepDraft(draft, storage(kept))
  leaveDraft(draft)
  forgetDrafts(storage(kept))
  expect(kept).toEqual({})
  expect(takeDraft()).toBeNull()
})

test('what does not fit into the browser is not put aside, and nothing breaks', () => {
  const full = {
    ...storage(),
    setItem: () => {
      throw new Error('QuotaExceededError')
    },
  }
  pauseDraft({ source: 'x', name: 'A.sol' }, 'usr_1', full)
  expect(takePausedDraft('usr_1', full)).toBeNull()
})

test.each(['x', '{"name":"a","sources":[1]}', '{"name":"a","sources":"b"}', '[]', '1'])(
  'what is no draft is nothing: %s',
  (text) => {
    for (const stored of [text, `{"userId":"usr_1","draft":${text}}`])
      expect(takePausedDraft('usr_1', storage({ 'assay-paused-source': stored }))).toBeNull()
  },
)
