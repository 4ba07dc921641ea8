import type { ContractOutline } from '@assay/engine'
import { views as texts } from '../messages/show.ts'

/** One picture: a table or a graph, whatever it is drawn as. */
export type View = TableView | GraphView

export interface TableView {
  readonly kind: 'table'
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

export interface GraphView {
  readonly kind: 'graph'
  readonly title: string
  readonly nodes: readonly { readonly id: string; readonly isOutside: boolean }[]
  readonly edges: readonly { readonly from: string; readonly to: string }[]
}

export const viewNames = ['roles', 'entry-points', 'inheritance', 'calls', 'storage'] as const
export type ViewName = (typeof viewNames)[number]

/** The pictures of some contracts. */
export function viewsOf(name: ViewName, contracts: readonly ContractOutline[]): View[] {
  switch (name) {
    case 'roles':
      return deployable(contracts).map(rolesView)
    case 'entry-points':
      return deployable(contracts).map(entryPointsView)
    case 'storage':
      return deployable(contracts)
        .filter(({ storage }) => storage.length > 0)
        .map(storageView)
    case 'inheritance':
      return [inheritanceView(contracts)]
    case 'calls':
      return deployable(contracts)
        .filter(({ calls }) => calls.length > 0)
        .map(callsView)
  }
}

const deployable = (contracts: readonly ContractOutline[]): ContractOutline[] =>
  contracts.filter(({ kind }) => kind === 'contract')

const list = (items: readonly string[]): string => items.join(', ')

/** Functions that change something, by who may call them: those of anyone first. */
function rolesView({ name, functions }: ContractOutline): TableView {
  const changing = functions.filter(({ mutability }) => mutability !== 'view' && mutability !== 'pure')
  const rows = changing
    .map(({ callers, signature, writes }) => [
      callers.length > 0 ? callers.join(' and ') : 'anyone',
      signature,
      list(writes),
    ])
    .sort((a, b) => Number(b[0] === 'anyone') - Number(a[0] === 'anyone') || compare(a[0] ?? '', b[0] ?? ''))
  return { kind: 'table', title: texts.whoMayCallWhat(name), columns: ['caller', 'function', 'writes'], rows }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const entryPointsView = ({ name, functions }: ContractOutline): TableView => ({
  kind: 'table',
  title: texts.entryPointsWhatThey(name),
  columns: ['function', 'line', 'state', 'modifiers', 'external calls'],
  rows: functions.map(({ signature, line, mutability, modifiers, externalCalls }) => [
    signature,
    String(line),
    mutability === 'nonpayable' ? '' : mutability,
    list(modifiers),
    list(externalCalls),
  ]),
})

const storageView = ({ name, storage, unreadBases }: ContractOutline): TableView => ({
  kind: 'table',
  title: unreadBases.length === 0 ? `${name}: storage` : texts.storageSlotsUnknownNot(name, unreadBases.join(', ')),
  columns: ['slot', 'offset', 'bytes', 'name', 'type', 'declared in'],
  rows: storage.map(({ slot, offset, bytes, name: variable, type, contract }) => [
    shownSlot(slot),
    slot === '?' ? '?' : String(offset),
    String(bytes),
    variable,
    type,
    contract,
  ]),
})

/** A slot from a hash is known by its hexadecimal form. */
const shownSlot = (slot: string): string => (slot.length > 20 ? `0x${BigInt(slot).toString(16)}` : slot)

function inheritanceView(contracts: readonly ContractOutline[]): GraphView {
  const own = new Set(contracts.map(({ name }) => name))
  const edges = contracts.flatMap(({ name, bases }) => bases.map((base) => ({ from: name, to: base })))
  const ids = [...new Set([...own, ...edges.map(({ to }) => to)])]
  return {
    kind: 'graph',
    title: 'Inheritance',
    nodes: ids.map((id) => ({ id, isOutside: !own.has(id) })),
    edges,
  }
}

function callsView({ name, calls }: ContractOutline): GraphView {
  const outside = new Set(calls.filter(({ isExternal }) => isExternal).map(({ to }) => to))
  const ids = [...new Set(calls.flatMap(({ from, to }) => [from, to]))]
  return {
    kind: 'graph',
    title: `${name}: calls`,
    nodes: ids.map((id) => ({ id, isOutside: outside.has(id) })),
    edges: calls.map(({ from, to }) => ({ from, to })),
  }
}
