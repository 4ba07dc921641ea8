import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { FunctionDefinition, ModifierDefinition, NotedNodes } from './ast.ts'
import { type Node, nodesOf, parse, type Span, walk } from './index.ts'

const detectors = fileURLToPath(new URL('../detectors', import.meta.url))
const samples = readdirSync(detectors, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.sol'))
  .sort()
  // Enough of them to meet every kind of node.
  .filter((_, index) => index % 3 === 0)
  .map((path) => ({ path, text: readFileSync(join(detectors, path), 'utf8') }))

const outlineOf = (root: Node): string[] => {
  const outline: string[] = []
  walk(root, ({ kind, start, end }) => outline.push(`${kind} ${start}-${end}`))
  return outline
}

const notedIn = (found: NotedNodes | null) =>
  Object.entries(found ?? {}).map(([kind, nodes]) => [
    kind,
    (nodes as readonly Span[]).map(({ start, end }) => `${start}-${end}`),
  ])

test('bodies that are read late make the same tree, the same lists of nodes and the same comments', () => {
  const base = 7
  let count = 0
  for (const { path, text } of samples) {
    const { unit, errors, comments } = parse(text, base)
    if (errors.length > 0) continue
    const callables: readonly (FunctionDefinition | ModifierDefinition)[] = [
      ...nodesOf(unit, 'FunctionDefinition'),
      ...nodesOf(unit, 'ModifierDefinition'),
    ]
    const bodies = callables
      .filter(({ bodyStart }) => bodyStart !== null)
      .sort((a, b) => a.start - b.start)
      .flatMap(({ bodyStart, end }) => [bodyStart! - base, end - base])
    const late = parse(text, base, bodies)
    expect(notedIn(late.unit.found), path).toEqual(notedIn(unit.found))
    expect(outlineOf(late.unit), path).toEqual(outlineOf(unit))
    expect(late.comments, path).toEqual(comments)
    count += bodies.length / 2
  }
  expect(count).toBeGreaterThan(300)
})
