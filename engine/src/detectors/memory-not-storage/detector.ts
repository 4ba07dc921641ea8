import { witnessStep } from '../../idioms/index.ts'
import {
  type Flow,
  holding,
  isBefore,
  type LoadOp,
  type Location,
  type Op,
  rootOf,
  type StoreOp,
  stripCasts,
} from '../../ir/index.ts'
import { type Node, walk } from '../../syntax/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly copy: Op
  readonly store: StoreOp
}

/** A whole struct read from state into memory. */
const copiedFrom = (store: StoreOp): Op | null => {
  const { base } = rootOf(store.location)
  const copy = base === null ? null : stripCasts(base)
  return copy?.kind === 'load' && copy.location.space === 'state' ? copy : null
}

/** The function that the write is written in. */
const writerOf = ({ flow, store }: Candidate) => store.site?.fn ?? flow.fn

/** The copy as a whole goes somewhere: back into state, to a callee, to the caller. */
const isPassedOn = (candidate: Candidate): boolean => {
  const { flow, copy, store } = candidate
  const isUser = (user: Op): boolean =>
    isBefore(store, user) && user.kind !== 'load' && !(user.kind === 'call' && user.call.inlined)
  const writer = writerOf(candidate)
  const name = nameOf(store.node as Node | null)
  return (
    flow.usersOf(copy).some(isUser) ||
    flow.stateStores().some((other) => isBefore(store, other) && isSameField(other.location, copy, store)) ||
    (writer?.kind === 'function' && writer.returns.some((result) => result.name === name))
  )
}

/** `accounts[id] = account`: every field that was changed goes back. */
const isSameField = ({ parent, name }: Location, copy: Op, { location }: StoreOp): boolean =>
  parent !== null && parent === copy.location && name === location.name

const nameOf = (node: Node | null): string | null => {
  let target = node?.kind === 'Assignment' ? node.target : node
  while (target?.kind === 'Member') target = target.object
  return target?.kind === 'Identifier' ? target.name : null
}

/** A function that may not write storage only calculates. */
const isView = (candidate: Candidate): boolean => {
  const writer = writerOf(candidate)
  return writer?.kind === 'function' && (writer.mutability === 'view' || writer.mutability === 'pure')
}

/** Some path of the function reads the field later; with the arguments of one caller it may be another. */
const isReadBelow = (candidate: Candidate): boolean => {
  const { store } = candidate
  const writer = writerOf(candidate)
  const node = store.node as Node | null
  if (!writer?.node.body || node?.kind !== 'Assignment' || node.target.kind !== 'Member') return false
  const field = node.target.name.name
  const name = nameOf(node)
  let isRead = false
  walk(writer.node.body, (below) => {
    if (below.kind === 'Member' && below.start > node.end && below.name.name === field && nameOf(below) === name)
      isRead = true
    return (
      !isRead &&
      !(
        below.kind === 'Assignment' &&
        below.operator === '=' &&
        below.target.kind === 'Member' &&
        nameOf(below) === name
      )
    )
  })
  return isRead
}

/** What was written is read again: the copy is a scratch pad. */
const isReadAgain = ({ flow, copy, store }: Candidate): boolean => {
  // Every round of a loop that makes the copy again has its own.
  const isOfRound = flow.loopMarkAround(copy) === flow.loopMarkAround(store)
  const isSame = (load: LoadOp): boolean =>
    load.location === store.location && (isOfRound ? isBefore(store, load) : flow.canFollow(store, load))
  if (flow.ops('load').some(isSame)) return true
  // A read right after the write is the written value itself.
  const value = store.args[0]
  return (
    value.kind !== 'const' &&
    value.kind !== 'param' &&
    flow.usersOf(value).some((user) => user !== store && isBefore(store, user))
  )
}

const recordOf = (flow: Flow, { location }: Op): string => (location === null ? 'the record' : flow.describe(location))

/** The field in storage that keeps its value: `users[msg.sender].debt` for `user.debt`. */
const fieldOf = (flow: Flow, copy: Op, { location }: StoreOp): string =>
  recordOf(flow, copy) + flow.describe(location).slice(flow.describe(rootOf(location)).length)

export default defineDetector<Candidate>({
  id: 'memory-not-storage',
  swc: null,
  title: 'Write to memory copy instead of storage',
  aliases: {
    slither: ['array-by-reference'],
    aderyn: ['storage-array-memory-edit'],
    owasp: ['SC03:2025'],
    scwe: ['SCWE-044'],
    words: ['memory instead of storage', 'lost update'],
  },
  severity: 'high',
  confidence: 'medium',
  description:
    'A storage record is copied to memory, a field of the copy is changed, and the copy is never written back. The change (paid, closed, used) is lost at the end of the call.',
  recommendation: 'Declare the local variable as `storage`, or write the changed copy back.',
  references: ['https://docs.soliditylang.org/en/latest/types.html#data-location-and-assignment-behaviour'],
  cwe: ['CWE-664'],

  needs: [holding.memoryWrite],
  *candidates({ functions }) {
    for (const flow of functions)
      for (const store of flow.memoryStores()) {
        if (store.location.part !== 'field') continue
        const copy = copiedFrom(store)
        if (copy !== null) yield { flow, copy, store }
      }
  },
  excuses: [
    excuse('passed-on', 'the copy is written back, returned or passed to another function', isPassedOn),
    excuse(
      'read-again',
      'the changed field is read again in the same call',
      (candidate) => isReadAgain(candidate) || isReadBelow(candidate),
    ),
    excuse('view', 'a view cannot write storage: the copy is for calculating', isView),
  ],
  finding: ({ flow, copy, store }) => ({
    at: store,
    message: `\`${flow.name}()\` changes a memory copy of \`${recordOf(flow, copy)}\` that is never written back, so \`${fieldOf(flow, copy, store)}\` stays unchanged in storage.`,
    trace: [
      {
        ...witnessStep(flow, store, 'loses the update'),
        message: `The update in \`${flow.name}()\` is lost: \`${fieldOf(flow, copy, store)}\` keeps its old value.`,
      },
      {
        at: { start: copy.start, end: copy.end },
        message: `\`${recordOf(flow, copy)}\` is copied to memory here.`,
      },
      ...flow.trace(store),
    ],
  }),
})
