import type { ContractModel, FunctionModel, Model } from '../../model/index.ts'

import { excuse } from '../define-detector.ts'
import type { Unused, UnusedEvent, UnusedLocal, UnusedState } from './unused.ts'

/** Why a name that stands nowhere else is there all the same. */
export const excuses = [
  excuseOf<UnusedState>('state', 'reserved', 'a fixed-length array reserves storage for later versions', (state) => {
    const { type } = state.declared
    return type.kind === 'array' && type.length !== null
  }),
  excuse<Unused>(
    'no-code',
    'the contract has no code and only declares state, constants or events for others',
    ({ kind, contract }) => kind !== 'local' && contract.contractKind === 'contract' && contract.functions.length === 0,
  ),
  excuseOf<UnusedState>(
    'state',
    'for-derived-contracts',
    'a contract outside the scan may inherit and use it',
    ({ declared, contract }) => declared.visibility !== 'private' && contract.contractKind !== 'contract',
  ),
  excuseOf<UnusedState>(
    'state',
    'getter',
    'it is public and set at its declaration, so others can read it',
    ({ declared }) => declared.visibility === 'public' && declared.value !== null,
  ),
  excuseOf<UnusedEvent>(
    'event',
    'announced',
    'it is declared for others to emit: in an interface, a base or a contract with functions without a body',
    ({ contract }) =>
      contract.contractKind !== 'contract' ||
      !contract.isMostDerived ||
      contract.functions.some(({ isImplemented }) => !isImplemented),
  ),
  excuseOf<UnusedLocal>(
    'local',
    'shared-signature',
    'a base or derived contract shares the function and requires the parameter',
    (local) => isParameter(local) && isShared(local.model, local.fn),
  ),
  excuseOf<UnusedLocal>(
    'local',
    'not-written-yet',
    'it is a parameter of an empty function',
    (local) => isParameter(local) && local.fn.node.body!.statements.length === 0,
  ),
  excuseOf<UnusedLocal>(
    'local',
    'passed-on',
    'the whole calldata is forwarded, including the parameter',
    (local) => isParameter(local) && passesAllOn(local),
  ),
]

/** An excuse for one kind of declaration. */
function excuseOf<Kind extends Unused>(
  kind: Kind['kind'],
  name: string,
  sentence: string,
  holds: (candidate: Kind) => boolean,
) {
  return excuse<Unused>(name, sentence, (candidate) => candidate.kind === kind && holds(candidate as Kind))
}

const isParameter = ({ declared }: UnusedLocal): boolean => declared.role === 'parameter'

/** Contracts above and below: a function that one of them has too must keep its parameters. */
const isShared = (model: Model, fn: FunctionModel): boolean => {
  const own = fn.contract!
  if (fn.node.override !== null || fn.node.virtual || own.hasUnresolvedBase) return true
  const shares = ({ functions }: ContractModel): boolean =>
    functions.some((other) => other !== fn && other.name === fn.name && other.signature === fn.signature)
  if (own.linearization.some(shares)) return true
  return !own.isMostDerived && model.derivedFrom(own).some(shares)
}

const passesAllOn = ({ flow }: UnusedLocal): boolean =>
  flow !== undefined && (flow.usesEnvironment('msg.data') || flow.builtins('calldatacopy').length > 0)
