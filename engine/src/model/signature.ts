import type { FunctionModel, Type } from './declaration.ts'

/** `transfer(address,uint256)`: the text whose hash begins with the selector. */
export const canonicalSignature = (fn: FunctionModel): string =>
  `${fn.name}(${fn.params.map((param) => canonicalName(param.type, 0)).join(',')})`

const maxStructDepth = 8

const canonicalName = (type: Type, depth: number): string => {
  switch (type.kind) {
    case 'int':
      return `${type.signed ? 'int' : 'uint'}${type.bits}`
    case 'bool':
      return 'bool'
    case 'address':
    case 'contract':
      return 'address'
    case 'fixedBytes':
      return `bytes${type.size}`
    case 'fixedPoint':
      return type.name
    case 'bytes':
      return 'bytes'
    case 'string':
      return 'string'
    case 'enum':
      return 'uint8'
    case 'function':
      return 'function'
    case 'userValue':
      return canonicalName(type.definition.underlying, depth)
    case 'array':
      return `${canonicalName(type.base, depth)}[${type.length ?? ''}]`
    case 'mapping':
      return `mapping(${canonicalName(type.key, depth)} => ${canonicalName(type.value, depth)})`
    case 'struct':
      if (depth > maxStructDepth) return type.struct.name
      return `(${type.struct.fields.map((field) => canonicalName(field.type, depth + 1)).join(',')})`
    case 'unknown':
      return type.reason
    default:
      return type.kind
  }
}

/** Names and parameter types with locations left out: what decides whether one function overrides another. */
export const overrideKey = (fn: FunctionModel): string => {
  if (fn.role === 'fallback' || fn.role === 'receive' || fn.role === 'constructor') return fn.role
  let key = fn.name
  for (const { type } of fn.params) key += `,${identityOf(type)}`
  return key
}

const identityOf = (type: Type): string => {
  switch (type.kind) {
    case 'bytes':
    case 'string':
      return type.kind
    case 'address':
      return 'address'
    case 'array':
      return `${identityOf(type.base)}[${type.length ?? ''}]`
    case 'struct':
      return `${type.struct.contract?.name ?? ''}.${type.struct.name}`
    case 'contract':
      return type.contract.name
    case 'enum':
      return type.enum.name
    case 'unknown':
      return type.reason
    default:
      return `#${type.id}`
  }
}
