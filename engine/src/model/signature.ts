import type { FunctionModel, StructModel, Type } from './declaration.ts'

/** `transfer(address,uint256)`: the text whose hash begins with the selector. */
export const canonicalSignature = (fn: FunctionModel): string => {
  const spell = createSpeller()
  return `${fn.name}(${fn.params.map((param) => spell(param.type)).join(',')})`
}

/** Far more than a function can take. Structs of structs double with each level: written out, a few lines of them would fill the memory. */
const maxParts = 1000

/** Spells types as a selector's hash wants them; a struct inside of itself, or past what can be meant, is spelt by its name. */
function createSpeller(): (type: Type) => string {
  const open = new Set<StructModel>()
  let parts = 0
  const spellStruct = (struct: StructModel): string => {
    if (open.has(struct) || parts > maxParts) return struct.name
    open.add(struct)
    const fields = struct.fields.map((field) => spell(field.type)).join(',')
    open.delete(struct)
    return `(${fields})`
  }
  const spell = (type: Type): string => {
    parts += 1
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
        return spell(type.definition.underlying)
      case 'array':
        return `${spell(type.base)}[${type.length ?? ''}]`
      case 'mapping':
        return `mapping(${spell(type.key)} => ${spell(type.value)})`
      case 'struct':
        return spellStruct(type.struct)
      case 'unknown':
        return type.reason
      default:
        return type.kind
    }
  }
  return spell
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
