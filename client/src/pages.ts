/** One page of a list. */
export interface Page<T, Body> {
  readonly items: readonly T[]
  /** Null on the last page. */
  readonly nextCursor: string | null
  /** All that the list holds, where the service counts it. */
  readonly total: number | null
  /** The answer as it came. */
  readonly body: Body
  /** The next page; undefined after the last one. */
  next(): Promise<Page<T, Body> | undefined>
}

/**
 * A list, page by page: `await` gives its first page, `for await` every item of every page, each page fetched when it is needed.
 */
export interface Pages<T, Body> extends PromiseLike<Page<T, Body>>, AsyncIterable<T> {
  /** Every page instead of every item. */
  pages(): AsyncIterable<Page<T, Body>>
  /** The items of all pages, at most this many. */
  toArray(options?: { readonly limit?: number }): Promise<T[]>
}

interface ListBody {
  readonly nextCursor?: string | null
  readonly total?: number
}

/** `read` fetches the page at a cursor; `field` holds its items. */
export function createPages<T, Body extends ListBody>(
  field: string,
  read: (cursor: string | undefined) => Promise<Body>,
): Pages<T, Body> {
  const load = async (cursor: string | undefined): Promise<Page<T, Body>> => {
    const body = await read(cursor)
    const nextCursor = body.nextCursor ?? null
    return {
      items: (body as unknown as Record<string, readonly T[] | undefined>)[field] ?? [],
      nextCursor,
      total: body.total ?? null,
      body,
      next: async () => (nextCursor === null ? undefined : load(nextCursor)),
    }
  }
  async function* pages(): AsyncGenerator<Page<T, Body>> {
    for (let page: Page<T, Body> | undefined = await load(undefined); page; page = await page.next()) yield page
  }
  async function* items(): AsyncGenerator<T> {
    for await (const page of pages()) yield* page.items
  }
  return {
    // biome-ignore lint/suspicious/noThenProperty: a list can be awaited for its first page
    then: (resolve, reject) => load(undefined).then(resolve, reject),
    [Symbol.asyncIterator]: items,
    pages,
    async toArray({ limit = Number.POSITIVE_INFINITY } = {}) {
      const all: T[] = []
      if (limit <= 0) return all
      for await (const item of items()) {
        all.push(item)
        if (all.length >= limit) break
      }
      return all
    },
  }
}
