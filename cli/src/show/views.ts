import type { ContractOutline, FunctionOutline } from '@assay/engine'
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
  /** With a label other than the id: what a block does, line by line. */
  readonly nodes: readonly { readonly id: string; readonly isOutside: boolean; readonly label?: string }[]
  readonly edges: readonly { readonly from: string; readonly to: string; readonly label?: string }[]
}

export const viewNames = [
  'attack-surface',
  'entry-points',
  'roles',
  'state',
  'call-graph',
  'control-flow',
  'data-dependencies',
  'inheritance',
  'storage',
] as const
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
    case 'call-graph':
      return deployable(contracts)
        .filter(({ calls }) => calls.length > 0)
        .map(callsView)
    case 'attack-surface':
      return [attackSurfaceView(deployable(contracts))]
    case 'state':
      return deployable(contracts).map(stateView)
    case 'control-flow':
      return deployable(contracts).flatMap(controlFlowViews)
    case 'data-dependencies':
      return deployable(contracts).map(dependenciesView)
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
  columns: ['function', 'line', 'state', 'caller', 'modifiers', texts.valueAtRisk, 'external calls'],
  rows: functions.map(({ signature, line, mutability, modifiers, externalCalls, callers, risks }) => [
    signature,
    String(line),
    mutability === 'nonpayable' ? '' : mutability,
    isReading(mutability) ? '' : callerWords(callers),
    list(modifiers),
    list(risks),
    list(externalCalls),
  ]),
})

const isReading = (mutability: string): boolean => mutability === 'view' || mutability === 'pure'
const callerWords = (callers: readonly string[]): string => (callers.length > 0 ? callers.join(' and ') : 'anyone')

/** The contract that declares the function is listed itself, and for the same callers it does the same there. */
const offersAsWell = (base: ContractOutline, inherited: FunctionOutline): boolean => {
  const essence = ({ contract, line, signature, callers, risks, writes }: FunctionOutline): string =>
    JSON.stringify([contract, line, signature, callers, risks, writes])
  return base.name === inherited.contract && base.functions.some((fn) => essence(fn) === essence(inherited))
}

/** One page for all contracts: what anyone can call first, and of that what moves value. */
function attackSurfaceView(contracts: readonly ContractOutline[]): TableView {
  const entries = contracts
    .flatMap(({ name, functions }) =>
      functions
        .filter(({ mutability }) => !isReading(mutability))
        .filter((fn) => fn.contract === name || !contracts.some((base) => offersAsWell(base, fn)))
        .map(({ contract, signature, line, mutability, callers, risks, writes }) => ({
          cells: [
            callerWords(callers),
            `${name}.${signature}`,
            contract === name ? String(line) : `${contract}:${line}`,
            list([...(mutability === 'payable' ? ['takes ETH'] : []), ...risks]),
            list(writes),
          ],
          isOpen: callers.length === 0,
          isCostly: risks.length > 0,
        })),
    )
    .sort((a, b) => Number(b.isOpen) - Number(a.isOpen) || Number(b.isCostly) - Number(a.isCostly))
  const open = entries.filter(({ isOpen }) => isOpen)
  return {
    kind: 'table',
    title: texts.attackSurface(entries.length, open.length, open.filter(({ isCostly }) => isCostly).length),
    columns: ['caller', 'function', 'line', texts.valueAtRisk, 'writes'],
    rows: entries.map(({ cells }) => cells),
  }
}

/** Each state variable, which functions write it, who may call those, and which functions read it. */
function stateView({ name, storage, functions }: ContractOutline): TableView {
  const variables = [...new Set([...storage.map((entry) => entry.name), ...functions.flatMap(({ writes }) => writes)])]
  return {
    kind: 'table',
    title: texts.stateVariables(name),
    columns: ['variable', 'written by', 'caller', 'read by'],
    rows: variables.map((variable) => {
      const writers = functions.filter(({ writes }) => writes.includes(variable))
      return [
        variable,
        list(writers.map(({ signature }) => signature)),
        list([...new Set(writers.map(({ callers }) => callerWords(callers)))]),
        list(functions.filter(({ reads }) => reads.includes(variable)).map(({ signature }) => signature)),
      ]
    }),
  }
}

const dependenciesView = ({ name, functions }: ContractOutline): TableView => ({
  kind: 'table',
  title: texts.dataDependencies(name),
  columns: ['written', 'depends on', 'function'],
  rows: functions.flatMap(({ signature, dependencies }) =>
    dependencies.map(({ target, from }) => [target, list(from), signature]),
  ),
})

const controlFlowViews = ({ name, functions }: ContractOutline): GraphView[] =>
  functions
    .filter(({ blocks }) => blocks.length > 0)
    .map(({ signature, blocks }) => ({
      kind: 'graph',
      title: texts.controlFlow(`${name}.${signature}`),
      nodes: blocks.map(({ id, lines }) => ({ id, isOutside: false, label: [id, ...lines].join('\n') })),
      edges: blocks.flatMap(({ id, next }) => next.map((to) => ({ from: id, to: to.id, label: to.when }))),
    }))

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
    title: texts.callGraph(name),
    nodes: ids.map((id) => ({ id, isOutside: outside.has(id) })),
    edges: calls.map(({ from, to }) => ({ from, to })),
  }
}
