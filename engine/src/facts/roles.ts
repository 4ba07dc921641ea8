/** State that decides who is privileged: variables that some function compares the sender with. */

import { type ContractFlow, type Flow, type Op, stripCasts } from '../ir/index.ts'
import type { VariableModel } from '../model/index.ts'
import { isSender } from './sender-conditions.ts'
import { senderGuardsAt } from './senders.ts'

const collect = (contractFlow: ContractFlow): Set<VariableModel> => {
  const found = new Set<VariableModel>()
  for (const flow of contractFlow.entryPoints) {
    for (const op of flow.stateStores()) addTested(flow, op, found)
    for (const op of flow.externalCalls()) addTested(flow, op, found)
    for (const op of flow.builtins('selfdestruct')) addTested(flow, op, found)
  }
  return found
}

const addTested = (flow: Flow, op: Op, found: Set<VariableModel>): void => {
  for (const { against, variables } of senderGuardsAt(flow, op))
    if (against === 'state') for (const variable of variables) found.add(variable)
}

/** Variables such as an owner: the sender must equal them before state changes or a call goes out. */
export const privilegedState = (contractFlow: ContractFlow): ReadonlySet<VariableModel> => contractFlow.answer(collect)

const collectPending = (contractFlow: ContractFlow): Set<VariableModel> => {
  const found = new Set<VariableModel>()
  for (const flow of contractFlow.entryPoints) {
    for (const store of flow.stateStores()) {
      const value = stripCasts(store.args[0])
      const target = store.location.variable
      const source = value.kind === 'load' ? value.location.variable : null
      if (target === null) continue
      if (source !== null && source !== target) found.add(source)
      if (!isSender(value)) continue
      for (const { variables } of senderGuardsAt(flow, store))
        for (const variable of variables) if (variable !== target) found.add(variable)
    }
  }
  return found
}

/** Whoever is named here must still act before a right moves: the first of two steps. */
export const isPendingRight = (contractFlow: ContractFlow, variable: VariableModel): boolean =>
  contractFlow.answer(collectPending).has(variable)
