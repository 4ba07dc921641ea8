import type { Db } from './database.ts'
import type { OperatorMarkTable } from './schema.ts'

export function createOperatorMarkStore(db: Db) {
  return {
    async find(name: OperatorMarkTable['name']): Promise<number | undefined> {
      const row = await db.selectFrom('operator_marks').select('at').where('name', '=', name).executeTakeFirst()
      return row?.at
    },

    async set(name: OperatorMarkTable['name'], at: number): Promise<void> {
      await db
        .insertInto('operator_marks')
        .values({ name, at })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ at }))
        .execute()
    },
  }
}
