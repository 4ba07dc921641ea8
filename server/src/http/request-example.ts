import type { Json } from './schema-sheet.ts'

/** Values for fields that say nothing of their own, by their names. */
const sampleFields: Json = {
  challenge: '5f2c9a0be41d7836c8a15de9034fb67281ce90d45a7b3f16e28c0d947ab5f3e1',
  code: '042617',
  confirm: 'ada@example.com',
  name: 'Ada Lovelace',
  newPassword: 'a longer passphrase than before',
  newPlan: 'pro',
  origins: ['https://app.example.com'],
  passkey: {
    id: 'AZhJ3nL0Q2u8vXk',
    rawId: 'AZhJ3nL0Q2u8vXk',
    type: 'public-key',
    response: { clientDataJSON: 'eyJ0eXBlIjoi', authenticatorData: 'SZYN5YgO', signature: 'MEUCIQDx' },
    clientExtensionResults: {},
  },
  password: 'a long enough passphrase',
  token: '5f2c9a0be41d7836c8a15de9034fb67281ce90d45a7b3f16e28c0d947ab5f3e1',
  url: 'https://ci.example.com/hooks/assay',
  userId: 'usr_2k4m6p8r0t1v3x5z7b9d1f3h5j',
}

type Schema = Json & {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly enum?: readonly unknown[]
}

/** A body that the route takes: what is required, and what else shows an example of itself. */
export function exampleOf(schema: Schema, named: Readonly<Record<string, Json>>, name = ''): unknown {
  const { $ref } = schema
  if ($ref) return exampleOf(named[$ref.slice($ref.lastIndexOf('/') + 1)] as Schema, named, name)
  const own = [schema.example, (schema.examples as unknown[] | undefined)?.[0], schema.const, schema.enum?.[0]]
  const given = own.find((value) => value !== undefined) ?? sampleFields[name] ?? schema.default
  if (given !== undefined) return given
  const choice = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  if (choice?.[0]) return exampleOf(choice[0], named, name)
  if (schema.type === 'array') return schema.items ? [exampleOf(schema.items, named, name)] : []
  if (schema.type === 'boolean') return true
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1
  return schema.properties ? exampleObject(schema, named) : undefined
}

function exampleObject({ properties = {}, required = [] }: Schema, named: Readonly<Record<string, Json>>): Json {
  const shown = Object.entries(properties).filter(
    ([name, field]) => required.includes(name) || field.example !== undefined,
  )
  // A change of nothing is no example.
  const fields = shown.length > 0 ? shown : Object.entries(properties).slice(0, 1)
  return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field, named, name)]))
}
