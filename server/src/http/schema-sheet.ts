import { z } from 'zod'
import { valueOfSeveral } from './paging.ts'

export type Json = { [key: string]: unknown }

/** Turns Zod schemas into JSON Schema, each named one once. */
export interface SchemaSheet {
  readonly named: Record<string, Json>
  /** A reference where the schema has a name or is given one here, else the schema itself. */
  of(schema: z.ZodType, io: 'input' | 'output', name?: string): Json
}

export function createSchemaSheet(): SchemaSheet {
  const named: Record<string, Json> = {}
  return {
    named,
    of(schema, io, name) {
      const { $schema: _dialect, $defs, ...json } = toJsonSchema(schema, io)
      for (const [inner, definition] of Object.entries(($defs as Record<string, Json> | undefined) ?? {})) {
        named[inner] = withComponentRefs(definition)
      }
      const id = schema.meta()?.id ?? (isObject(json) ? name : undefined)
      if (!id) return withComponentRefs(json)
      // A schema with a name of its own stands among the definitions already.
      named[id] ??= withComponentRefs(json)
      return { $ref: `#/components/schemas/${id}` }
    },
  }
}

/** What we answer may grow within a version, so an answer's objects are open, as docs/versioning.md promises. */
const toJsonSchema = (schema: z.ZodType, io: 'input' | 'output'): Json =>
  z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const one = valueOfSeveral(zodSchema)
      if (one) offerSeveral(jsonSchema as Json, z.toJSONSchema(one, { io }) as Json)
      // A format says it; the expression that checks it has three hundred characters.
      if (jsonSchema.format === 'date-time' || jsonSchema.format === 'date') delete jsonSchema.pattern
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    },
  }) as Json

/** Clients send several values separated by commas. */
function offerSeveral(json: Json, { $schema: _dialect, id: _id, ...value }: Json): void {
  for (const name of ['type', 'maxLength']) delete json[name]
  json.anyOf = [value, { type: 'array', items: value }]
}

const isObject = ({ type, properties }: Json): boolean => type === 'object' && properties !== undefined

function withComponentRefs(json: Json): Json {
  const { id: _id, ...rest } = JSON.parse(
    JSON.stringify(json).replaceAll('"#/$defs/', '"#/components/schemas/'),
  ) as Json
  return rest
}
