import type { Client } from '../../client/src/index.ts'

const CLIENTS = 2

/** Another account that goes on scanning the sources, one by one, until it is stopped. */
export function loadBeside(client: Client, sources: readonly (readonly [path: string, content: string])[]) {
  const failures: string[] = []
  let scans = 0
  let isOver = false
  const scanOn = async (first: number): Promise<void> => {
    for (let at = first; !isOver; at += CLIENTS) {
      const [name = '', content = ''] = sources[at % sources.length] ?? []
      await client.scans.create({ file: { name: name.split('/').at(-1) ?? '', content } }).then(
        () => scans++,
        (error: unknown) => failures.push(`${name}: ${error}`),
      )
    }
  }
  const all = Array.from({ length: CLIENTS }, (_, first) => scanOn(first))
  return {
    async stop() {
      isOver = true
      await Promise.all(all)
      return { scans, failures }
    },
  }
}
