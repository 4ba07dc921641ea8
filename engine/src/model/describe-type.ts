import type { Type } from './declaration.ts'

/** A type in the words of the language, for messages. */
export const describeType = (type: Type, depth = 0): string => {
  if (depth > 8) return '…'
  const of = (inner: Type) => describeType(inner, depth + 1)
  const at = (location: string | null) => (location === null || depth > 0 ? '' : ` ${location}`)
  switch (type.kind) {
    case 'int':
      return `${type.signed ? 'int' : 'uint'}${type.bits}`
    case 'bool':
      return 'bool'
    case 'address':
      return type.payable ? 'address payable' : 'address'
    case 'fixedBytes':
      return `bytes${type.size}`
    case 'fixedPoint':
      return type.name
    case 'bytes':
    case 'string':
      return type.kind + at(type.location)
    case 'array':
      return `${of(type.base)}[${type.length ?? ''}]${at(type.location)}`
    case 'mapping':
      return `mapping(${of(type.key)} => ${of(type.value)})`
    case 'struct':
      return qualified(type.struct) + at(type.location)
    case 'enum':
      return qualified(type.enum)
    case 'userValue':
      return qualified(type.definition)
    case 'contract':
      return type.contract.name
    case 'function':
      return `function(${type.params.map(of).join(', ')})`
    case 'tuple':
      return `(${type.elements.map((element) => (element === null ? '' : of(element))).join(', ')})`
    case 'rational':
      return type.denominator === 1n ? `${type.numerator}` : `${type.numerator}/${type.denominator}`
    case 'stringLiteral':
      return 'string literal'
    case 'type':
    case 'meta':
      return `type(${of(type.actual)})`
    case 'module':
      return type.file.path
    case 'magic':
      return type.name
    case 'unknown':
      return 'unknown'
  }
}

const qualified = (definition: {
  readonly name: string
  readonly contract: { readonly name: string } | null
}): string => (definition.contract === null ? definition.name : `${definition.contract.name}.${definition.name}`)
