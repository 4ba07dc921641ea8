/** JSON Schema, as far as the route schemas use it. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly items?: Schema
  readonly prefixItems?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly description?: string
  readonly default?: unknown
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
}

/** The TypeScript type of what a schema describes. */
export function schemaToType(schema: Schema, indent = ''): string {
  if (schema.$ref) return nameOf(schema.$ref)
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return unique(choices.map((choice) => schemaToType(choice, indent))).join(' | ')
  if (schema.allOf) return schema.allOf.map((part) => `(${schemaToType(part, indent)})`).join(' & ')
  if (Array.isArray(schema.type)) {
    return unique(schema.type.map((type: string) => schemaToType({ ...schema, type }, indent))).join(' | ')
  }
  switch (schema.type) {
    case 'string':
      return 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'null':
      return 'null'
    case 'array':
      return schema.prefixItems
        ? `[${schema.prefixItems.map((item) => schemaToType(item, indent)).join(', ')}]`
        : `${parenthesise(schemaToType(schema.items ?? {}, indent))}[]`
    case 'object':
      return objectType(schema, indent)
    default:
      return 'unknown'
  }
}

const nameOf = (ref: string): string => ref.split('/').at(-1) ?? 'unknown'

const unique = (types: readonly string[]): string[] => [...new Set(types)]

const parenthesise = (type: string): string => (/[|&]/.test(type) && !type.startsWith('{') ? `(${type})` : type)

function objectType({ properties, required = [], additionalProperties }: Schema, indent: string): string {
  const fields = Object.entries(properties ?? {})
  if (fields.length === 0) {
    const value = typeof additionalProperties === 'object' ? schemaToType(additionalProperties, indent) : 'unknown'
    return `Record<string, ${value}>`
  }
  const inner = `${indent}  `
  const lines = fields.map(([name, field]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
    const comment = field.description ? `${inner}/** ${field.description.replaceAll('*/', '* /')} */\n` : ''
    return `${comment}${inner}${key}${required.includes(name) ? '' : '?'}: ${schemaToType(field, inner)}`
  })
  return `{\n${lines.join('\n')}\n${indent}}`
}
